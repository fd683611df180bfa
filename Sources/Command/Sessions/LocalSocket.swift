import Glibc
import PotluckCore

/// A Unix socket in the state directory, over which other commands of the same user reach a node.
struct LocalSocket {
    /// The timeout of single reads and writes. The other end runs on this machine, so it should answer at once.
    static let patience = Duration.seconds(5)
    /// The end of a file's name while nobody listens there yet.
    static let draftEnding = ".new"

    let descriptor: Int32

    /// Listens at that path. Replaces a file that exists there.
    static func listening(at path: String) throws(Failure) -> LocalSocket {
        let socket = try bound(for: path)
        try socket.startListening(at: path)
        return socket
    }

    /// Makes a socket that is to listen at that path. Its file has another name until it does, because commands remove
    /// a socket that refuses connections.
    static func bound(for path: String) throws(Failure) -> LocalSocket {
        let draft = path + draftEnding
        let socket = try LocalSocket(draft, patience)
        // Only this user may enter the directory. Restrict the socket as well, in case someone opened the directory up.
        // The file gets the mode that the socket has now.
        guard fchmod(socket.descriptor, 0o600) == 0,
            try socket.withAddress(of: draft, { bind(socket.descriptor, $0, $1) }) == 0
        else {
            defer { socket.end() }
            throw Failure(cannot: "listen at \(path)")
        }
        return socket
    }

    /// Makes a `bound` socket listen, and then gives its file the name.
    func startListening(at path: String) throws(Failure) {
        let draft = path + Self.draftEnding
        guard listen(descriptor, 8) == 0, rename(draft, path) == 0 else {
            defer {
                unlink(draft)
                end()
            }
            throw Failure(cannot: "listen at \(path)")
        }
    }

    /// Connects. Returns nil if nobody listens there. Throws if the process is suspended or has too many connections
    /// waiting.
    static func connected(
        to path: String, patience: Duration = LocalSocket.patience
    ) throws(Failure) -> LocalSocket? {
        let socket = try LocalSocket(path, patience)
        var status: Int32
        // Ctrl-Z and `fg` interrupt every call that has a timeout, even without a signal handler.
        repeat {
            status = try socket.withAddress(of: path, { connect(socket.descriptor, $0, $1) })
        } while status != 0 && errno == EINTR
        if status == 0 {
            if socket.isOfThisUser { return socket }
            socket.end()
            throw Failure(
                message: "another user listens at \(Spelling.path(path)); nothing was sent; remove that file")
        }
        let isGone = errno == ECONNREFUSED || errno == ENOENT
        close(socket.descriptor)
        if isGone { return nil }
        throw Failure(message: "no answer at \(path); its node may be suspended")
    }

    /// Waits for the next connection. Returns nil after a timeout, an error, or a connection of another user.
    func accepted() -> LocalSocket? {
        let descriptor = accept(descriptor, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let guest = LocalSocket(descriptor: descriptor)
        guard guest.isOfThisUser else {
            guest.end()
            return nil
        }
        return guest.impatient(after: Self.patience)
    }

    /// Whether the process at the other end has ended, or closed its socket.
    var isAbandoned: Bool {
        var look = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&look, 1, 0) > 0 && Int32(look.revents) & (POLLHUP | POLLERR) != 0
    }

    /// Whether the process at the other end belongs to this user. The kernel vouches for this, whatever the file's
    /// owner and mode.
    private var isOfThisUser: Bool {
        // Linux's `ucred`, which Swift's Glibc lacks.
        var peer: (process: pid_t, user: uid_t, group: gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.user == geteuid()
    }

    private init(_ path: String, _ patience: Duration) throws(Failure) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(cannot: "open \(path)") }
        self = LocalSocket(descriptor: descriptor).impatient(after: patience)
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// This socket with the timeout set.
    private func impatient(after patience: Duration) -> LocalSocket {
        let (seconds, attoseconds) = patience.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        return self
    }

    /// Sends bytes, piece by piece, and closes this direction of the connection. Returns false if the other end reads
    /// nothing before the timeout. An end that no longer reads may have answered before, and that can still be read.
    @discardableResult
    func finish(_ pieces: some Sequence<[UInt8]>) -> Bool {
        var obstacle: Int32?
        for piece in pieces where obstacle == nil { obstacle = self.obstacle(sending: piece) }
        shutdown(descriptor, Int32(SHUT_WR))
        return obstacle != EAGAIN
    }

    /// Sends bytes. Returns false if the other end no longer reads.
    func send(_ octets: [UInt8]) -> Bool { obstacle(sending: octets) == nil }

    /// Sends bytes. Returns the error number if that fails, which is `EAGAIN` after a timeout.
    private func obstacle(sending octets: [UInt8]) -> Int32? {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return errno }
        }
        return nil
    }

    /// Waits for bytes and returns those that are there; empty at the end. After each timeout, continues only if
    /// `isPatient`.
    func receive(while isPatient: () -> Bool = { true }) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count >= 0 { return Array(buffer[0..<count]) }
            guard errno == EINTR || errno == EAGAIN && isPatient() else { return [] }
        }
    }

    /// Waits for the next message. Returns nil at the end. After each timeout, continues only if `isPatient`.
    func next(_ frames: inout LocalFrames, while isPatient: () -> Bool = { true }) throws(WireError) -> LocalMessage? {
        while true {
            if let message = try frames.next() { return message }
            let more = receive(while: isPatient)
            guard !more.isEmpty else { return nil }
            frames.add(more)
        }
    }

    /// Makes a blocked `receive` return.
    func wake() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func end() { close(descriptor) }

    /// Calls `body` with the path's address. An address holds 108 bytes and paths can be longer, so this goes through
    /// the open directory.
    private func withAddress(
        of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(Failure) -> Int32 {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let directory = open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Failure(cannot: "open \(path[..<slash])") }
        defer { close(directory) }
        let name = Array("/proc/self/fd/\(directory)\(path[slash...])".utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count < room else {
            throw Failure(message: "the path \(path) is too long; use a shorter --state DIR")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
