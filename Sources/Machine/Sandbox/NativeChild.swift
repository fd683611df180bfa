import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// Answers the requests of a chunk: an instance of a module, or a native program.
protocol Answering {
    /// Calls a function that takes a record and returns one.
    func record(_ function: String, _ request: [UInt64]) throws(SandboxError) -> [UInt64]
    /// Returns a number that changes when anything that outlives a call changes; nil if it cannot tell.
    func kept() throws(SandboxError) -> UInt64?
}

extension Instance: Answering {
    func record(_ function: String, _ request: [UInt64]) throws(SandboxError) -> [UInt64] {
        try record(function, request, most: PluginLimits.largestAnswer)
    }
}

/// A running native program of an author's file. Only one thread may use it.
final class NativeChild: Answering {
    private let id: pid_t
    private let socket: Int32
    private let patience: Int
    /// Whether it can be asked again.
    private(set) var isAlive = true
    /// Whether it has computed something.
    var isWarm = false

    /// Starts the program. A call that takes longer than `patience` seconds ends it.
    init(_ program: String, patience: Int) throws(SandboxError) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw .noProgram(String(cString: strerror(errno)))
        }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in 0...1 as ClosedRange<Int32> {
            posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
        }
        // The module says better where an author's code crashed.
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Ctrl-C stops the run between two blocks, and must not reach the program in a block.
        attributes.resetSignals(ownGroup: true)
        var words: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup("\(patience)")]
        defer { for word in words { free(word) } }
        words.append(nil)
        var id = pid_t()
        let status = posix_spawn(&id, program, &actions, &attributes, words, environ)
        guard status == 0 else {
            close(ends[0])
            throw .noProgram(String(cString: strerror(status)))
        }
        (self.id, self.patience, socket) = (id, patience, ends[0])
    }

    deinit {
        close(socket)
        if isAlive { _ = Self.end(of: id) }
    }

    func record(_ function: String, _ request: [UInt64]) throws(SandboxError) -> [UInt64] {
        try ask(function == "potluck_configure" ? .configure : .run, request, function)
    }

    func kept() throws(SandboxError) -> UInt64? { try ask(.kept, [], "kept").first }

    private func ask(
        _ call: NativeModule.Call, _ request: [UInt64], _ function: String
    ) throws(SandboxError) -> [UInt64] {
        guard give([call.rawValue, UInt64(request.count)]), give(request), let head = take(1) else { throw died() }
        guard head[0] <= UInt64(PluginLimits.largestAnswer / 8) else {
            throw .answer(function: function, "too long an answer")
        }
        guard let answer = take(Int(head[0])) else { throw died() }
        return answer
    }

    /// Returns why the program ended.
    private func died() -> SandboxError {
        isAlive = false
        // It may have closed its end without ending.
        kill(id, SIGKILL)
        let status = Self.end(of: id)
        let signal = status & 0x7f
        return signal == SIGALRM ? .outOfTime(.seconds(patience)) : .programEnded(signal: Int(signal))
    }

    /// Waits for the end of a child.
    private static func end(of id: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return status
    }

    private func give(_ slots: [UInt64]) -> Bool {
        slots.withUnsafeBytes { octets in
            var rest = octets[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = send(socket, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Reads this many slots; nil if the program ends before.
    private func take(_ count: Int) -> [UInt64]? {
        var slots = [UInt64](repeating: 0, count: count)
        let isWhole = slots.withUnsafeMutableBytes { octets in
            var rest = octets[...]
            while !rest.isEmpty {
                let part = UnsafeMutableRawBufferPointer(rebasing: rest)
                let count = read(socket, part.baseAddress, part.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
        return isWhole ? slots : nil
    }
}
