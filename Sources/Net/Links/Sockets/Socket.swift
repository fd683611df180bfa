import CLinux
import Glibc
import PotluckCore
import PotluckSystem

/// System calls for TCP sockets. All of them are non-blocking.
enum Socket {
    private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// Opens a port. An IPv6 endpoint accepts IPv4 connections too.
    static func listen(on endpoint: Endpoint) throws(ListenError) -> Int32 {
        let descriptor = socket(family(of: endpoint), type, 0)
        guard descriptor >= 0 else { throw .failed(String(cString: strerror(errno))) }
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if endpoint.octets.count == 16 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        let result = SocketAddress.with(endpoint) { bind(descriptor, $0, $1) }
        guard result == 0, Glibc.listen(descriptor, SOMAXCONN) == 0 else {
            let code = errno
            close(descriptor)
            switch code {
            case EADDRINUSE: throw .taken(endpoint.port)
            case EACCES: throw .notAllowed(endpoint.port)
            default: throw .failed(String(cString: strerror(code)))
            }
        }
        return descriptor
    }

    enum Accepted {
        case connection(Int32, Endpoint)
        case nothing
        /// The connection was closed before it was accepted, or has an unknown
        /// address family. The next one may be usable.
        case skipped
        /// Contains the system's reason, because the next call changes `errno`.
        case outOfDescriptors(String)
        case outOfMemory(String)
    }

    static func accept(_ listener: Int32) -> Accepted {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                potluck_linux_accept(listener, $0, &length)
            }
        }
        guard descriptor >= 0 else {
            let code = errno
            switch code {
            case EAGAIN: return .nothing
            case EMFILE, ENFILE: return .outOfDescriptors(String(cString: strerror(code)))
            case ENOBUFS, ENOMEM: return .outOfMemory(String(cString: strerror(code)))
            default: return .skipped
            }
        }
        guard let remote = SocketAddress.endpoint(storage) else {
            close(descriptor)
            return .skipped
        }
        tune(descriptor)
        return .connection(descriptor, remote)
    }

    /// Starts to connect. Returns nil if that fails at once.
    static func connect(to endpoint: Endpoint) -> Int32? {
        let descriptor = socket(family(of: endpoint), type, 0)
        guard descriptor >= 0 else { return nil }
        tune(descriptor)
        let result = SocketAddress.with(endpoint) { Glibc.connect(descriptor, $0, $1) }
        guard result == 0 || errno == EINPROGRESS else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Returns the result of an attempt to connect: 0, or the error number.
    static func error(of descriptor: Int32) -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return error
    }

    /// Returns the port to which a socket is bound.
    static func port(of descriptor: Int32) -> UInt16 { local(of: descriptor)?.port ?? 0 }

    /// Returns the address and port of this machine at which a socket is.
    static func local(of descriptor: Int32) -> Endpoint? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return SocketAddress.endpoint(storage)
    }

    /// Returns the first byte received without removing it. Returns nil if there is
    /// none yet, and `.some(nil)` if none will come.
    static func peek(_ descriptor: Int32) -> UInt8?? {
        var octet: UInt8 = 0
        let count = recv(descriptor, &octet, 1, Int32(MSG_PEEK))
        if count == 1 { return .some(octet) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? nil : .some(nil)
    }

    /// Returns whether the peer's kernel has unacknowledged data and acknowledged some
    /// lately. The network is then slow, but the peer is not dead.
    static func isSlow(_ descriptor: Int32) -> Bool {
        var info = tcp_info()
        var length = socklen_t(MemoryLayout<tcp_info>.size)
        guard getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 else { return false }
        return info.tcpi_unacked > 0 && info.tcpi_last_ack_recv < LinkLimits.freshAcknowledgement
    }

    private static func tune(_ descriptor: Int32) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, LinkLimits.kernelBacklog)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        // A kernel without this option is only slower.
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func family(of endpoint: Endpoint) -> Int32 { endpoint.octets.count == 4 ? AF_INET : AF_INET6 }
}
