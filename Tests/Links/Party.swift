import PotluckCore
import PotluckNet
import PotluckSystem
import Testing

/// A session's key, derived only once.
struct Keys {
    let session: SessionHash
    let key: LinkKey

    static let monty = Keys("Monty", code: "maple river candle ocean tiger")
    /// The same session with another code.
    static let wrong = Keys("Monty", code: "maple river candle ocean zebra")
    static let other = Keys("Pi", code: "maple river candle ocean tiger")

    private init(_ name: String, code: String) {
        guard let id = SessionID(name), let code = try? JoinCode(typed: code),
            let root = try? SessionRoot(code: code, session: id)
        else {
            preconditionFailure("a test's session has a good name")
        }
        session = id.hash
        key = root.link
    }
}

/// A transport and all events that it reported, in order.
final class Member {
    let transport: any Transport
    private var events: AsyncStream<TransportEvent>.Iterator
    private(set) var past: [TransportEvent] = []

    init(_ transport: any Transport) {
        self.transport = transport
        let (stream, continuation) = AsyncStream.makeStream(of: TransportEvent.self)
        events = stream.makeAsyncIterator()
        transport.start { continuation.yield($0) }
    }

    convenience init(_ keys: Keys = .monty, loop: EventLoop = .shared) {
        self.init(SocketTransport(key: keys.key, session: keys.session, loop: loop))
    }

    /// Returns the first value that `pick` returns for an event from now on.
    func next<Wanted>(_ pick: (TransportEvent) -> Wanted?) async throws -> Wanted {
        while let event = await events.next(isolation: nil) {
            past.append(event)
            if let wanted = pick(event) { return wanted }
        }
        throw Missing()
    }

    struct Missing: Error {}

    struct Opened {
        let link: LinkID
        let origin: LinkOrigin
        let remote: Endpoint
        let binding: [UInt8]
    }

    func opened() async throws -> Opened {
        try await next {
            guard case .opened(let link, let origin, let remote, let binding) = $0 else { return nil }
            return Opened(link: link, origin: origin, remote: remote, binding: binding)
        }
    }

    func received() async throws -> [UInt8] {
        try await next { if case .received(_, let message) = $0 { message } else { nil } }
    }

    func closed() async throws -> LinkEnd {
        try await next { if case .closed(_, let end) = $0 { end } else { nil } }
    }

    func dialFailed() async throws -> DialFailure {
        try await next { if case .dialFailed(_, let failure) = $0 { failure } else { nil } }
    }

    func refused() async throws -> Refusal {
        try await next { if case .refused(_, let refusal) = $0 { refusal } else { nil } }
    }

    func send(_ message: [UInt8], _ link: LinkID, _ lane: LinkLane = .control) {
        transport.send(message, on: link, lane: lane, reliability: .reliable)
    }

    func stop() async throws {
        transport.stop(.leaving)
        try await next { if case .stopped = $0 { () } else { nil } }
    }
}

extension Candidate {
    static func local(_ port: UInt16) -> Candidate {
        guard let endpoint = Endpoint(octets: [127, 0, 0, 1], port: port) else { preconditionFailure("an address") }
        return .endpoint(endpoint)
    }
}

/// Two members and a link between them, on request through a wiretap.
struct Pair {
    let host = Member()
    let guest = Member()
    let hostEnd: Member.Opened
    let guestEnd: Member.Opened
    let tap: Wiretap?

    init(tapped: Bool = false) async throws {
        let port = try host.transport.listen(on: .loopback)
        tap = tapped ? Wiretap(to: port) : nil
        guest.transport.dial(DialNumber(1), to: [.local(tap?.port ?? port)])
        guestEnd = try await guest.opened()
        hostEnd = try await host.opened()
    }

    func stop() async throws {
        try await guest.stop()
        try await host.stop()
    }
}
