import Glibc
import PotluckModel

/// A Unix socket in the state directory, by which other commands of the same user reach a node.
struct LocalSocket {
    /// How long the other end may take for what needs no waiting: it runs on this machine.
    private static let patience = timeval(tv_sec: 5, tv_usec: 0)

    let descriptor: Int32

    /// Listens at that path. What lies there is of a process that is gone: names hold the process's number.
    static func listening(at path: String) throws(Failure) -> LocalSocket {
        unlink(path)
        let socket = try LocalSocket(path)
        // Only this user gets into the directory; this keeps it so where somebody opened it up. The file gets the mode that the
        // socket has.
        guard fchmod(socket.descriptor, 0o600) == 0,
            try socket.withAddress(of: path, { bind(socket.descriptor, $0, $1) }) == 0,
            listen(socket.descriptor, 8) == 0
        else { throw Failure(cannot: "listen at \(path)") }
        return socket
    }

    /// Nil where nobody listens any more. One who is stopped, or has too many at the door, still listens.
    static func connected(to path: String) throws(Failure) -> LocalSocket? {
        let socket = try LocalSocket(path)
        if try socket.withAddress(of: path, { connect(socket.descriptor, $0, $1) }) == 0 {
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

    /// The next one to ask something; waits for it. Nil where that is another user.
    func accepted() -> LocalSocket? {
        let descriptor = accept(descriptor, nil, nil)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let guest = LocalSocket(descriptor: descriptor)
        guard guest.isOfThisUser else {
            guest.end()
            return nil
        }
        return guest.impatient
    }

    /// Whether a process of this user is at the other end: the one that connected, or that began to listen. The kernel says so,
    /// whatever the file's owner and mode.
    private var isOfThisUser: Bool {
        // Linux's `ucred`, which Swift's Glibc does not have.
        var peer: (process: pid_t, user: uid_t, group: gid_t) = (0, .max, .max)
        var length = socklen_t(MemoryLayout.size(ofValue: peer))
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.user == geteuid()
    }

    private init(_ path: String) throws(Failure) {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(cannot: "open \(path)") }
        self = LocalSocket(descriptor: descriptor).impatient
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    private var impatient: LocalSocket {
        var patience = Self.patience
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
        return self
    }

    /// Sends a text, and with it that there is no more.
    func finish(_ text: String) {
        try? Output.write(text, to: descriptor)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// All that the other end sends, as far as the limit; nil where it does not finish.
    func readAll(limit: Int) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count <= limit {
            let count = read(descriptor, &buffer, buffer.count)
            if count == 0 { return String(decoding: bytes, as: UTF8.self) }
            guard count > 0 else { return nil }
            bytes += buffer[0..<count]
        }
        return nil
    }

    /// Sends octets; false where nobody takes them any more.
    func send(_ octets: [UInt8]) -> Bool {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return false }
        }
        return true
    }

    /// The next octets, as many as there are; empty at the end. Waits as long as it takes, or while somebody is patient.
    func receive(while isPatient: () -> Bool = { true }) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count >= 0 { return Array(buffer[0..<count]) }
            guard errno == EINTR || errno == EAGAIN && isPatient() else { return [] }
        }
    }

    /// Lets whoever waits in `receive` go.
    func wake() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    func end() { close(descriptor) }

    /// An address holds 108 octets, and paths can be longer: it is named by way of the open directory.
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
