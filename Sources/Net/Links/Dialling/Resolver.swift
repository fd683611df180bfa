import Glibc
import PotluckCore
import PotluckSystem

/// Looks up host names on separate threads, because `getaddrinfo` may take half a minute
/// and cannot be interrupted. Used only on the loop's thread.
final class Resolver {
    typealias Answer = @Sendable (Result<[Endpoint], LookupError>) -> Void

    enum LookupError: Error {
        case unknown
        /// Too many lookups are waiting.
        case busy
    }

    private struct Question: Sendable {
        let host: String
        let port: UInt16
        let answer: Answer
    }

    private let loop: EventLoop
    private var underWay = 0
    private var waiting = Queue<Question>()

    init(on loop: EventLoop) { self.loop = loop }

    /// Looks up a name. Calls `done` and then `answer`, both on the loop. `done` must call `finished`.
    func look(up host: String, port: UInt16, done: @escaping @Sendable () -> Void, answer: @escaping Answer) {
        let question = Question(host: host, port: port) { result in
            done()
            answer(result)
        }
        if underWay < LinkLimits.lookups {
            begin(question)
        } else if waiting.count < LinkLimits.waitingLookups {
            waiting.append(question)
        } else {
            underWay += 1
            loop.perform { question.answer(.failure(.busy)) }
        }
    }

    /// Call it when a lookup has ended. It starts the next one.
    func finished() {
        underWay -= 1
        guard underWay < LinkLimits.lookups, let next = waiting.first else { return }
        waiting.removeFirst()
        begin(next)
    }

    private func begin(_ question: Question) {
        underWay += 1
        let loop = loop
        let thread = SystemThread {
            let result = Self.addresses(of: question.host, port: question.port)
            loop.perform { question.answer(result) }
        }
        guard let thread else { return loop.perform { question.answer(.failure(.busy)) } }
        thread.detach()
    }

    private static func addresses(of host: String, port: UInt16) -> Result<[Endpoint], LookupError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return .failure(.unknown) }
        defer { freeaddrinfo(list) }
        var endpoints: [Endpoint] = []
        var next = list
        while let entry = next, endpoints.count < LinkLimits.candidates {
            next = entry.pointee.ai_next
            var storage = sockaddr_storage()
            let length = min(Int(entry.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: entry.pointee.ai_addr, count: length))
            }
            if let endpoint = SocketAddress.endpoint(storage) { endpoints.append(endpoint) }
        }
        return endpoints.isEmpty ? .failure(.unknown) : .success(endpoints)
    }
}
