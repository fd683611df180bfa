import CLinks
import Glibc
import PotluckModel
import PotluckSystem

/// The system's calls about TCP sockets, none of which waits.
enum Socket {
    private static let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// A port that takes connections by IPv6 and IPv4, or by IPv4 alone where there is no IPv6.
    static func listen(on endpoint: Endpoint) throws(ListenFailure) -> Int32 {
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
        /// A connection that was gone before it was taken, or of no family we know: the next may be better.
        case skipped
        /// With the system's reason: `errno` does not outlive the next call.
        case outOfDescriptors(String)
        case outOfMemory(String)
    }

    static func accept(_ listener: Int32) -> Accepted {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let descriptor = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                potluck_links_accept(listener, $0, &length)
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

    /// Begins to connect. Nil where that fails at once.
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

    /// What became of an attempt to connect: 0, or the reason why not.
    static func error(of descriptor: Int32) -> Int32 {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        return error
    }

    /// The port that the system chose.
    static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { _ = getsockname(descriptor, $0, &length) }
        }
        return SocketAddress.endpoint(storage)?.port ?? 0
    }

    /// The first octet that came, which stays where it is. Nil where none did; nil inside where none will.
    static func peek(_ descriptor: Int32) -> UInt8?? {
        var octet: UInt8 = 0
        let count = recv(descriptor, &octet, 1, Int32(MSG_PEEK))
        if count == 1 { return .some(octet) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? nil : .some(nil)
    }

    /// Whether octets of ours wait for the other kernel, and it acknowledged some lately: a slow network, no dead peer.
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
        // An option that a kernel lacks costs speed, nothing else.
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func family(of endpoint: Endpoint) -> Int32 { endpoint.octets.count == 4 ? AF_INET : AF_INET6 }
}
