import Glibc
import PotluckModel

/// An IPv4 or IPv6 address as the system's calls want it.
enum SocketAddress {
    /// Calls with the address of these octets.
    static func with<Result>(
        _ octets: [UInt8], scope: UInt32 = 0, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if octets.count == 4 {
            var v4 = sockaddr_in()
            v4.sin_family = sa_family_t(AF_INET)
            v4.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &v4.sin_addr) { $0.copyBytes(from: octets) }
            return pass(v4, body)
        }
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        v6.sin6_port = port.bigEndian
        v6.sin6_scope_id = scope
        withUnsafeMutableBytes(of: &v6.sin6_addr) { $0.copyBytes(from: octets.prefix(16)) }
        return pass(v6, body)
    }

    private static func pass<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    /// The endpoint a system call filled in, with its own port.
    static func endpoint(_ storage: sockaddr_storage) -> Endpoint? {
        withUnsafeBytes(of: storage) { raw in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let v4 = raw.load(as: sockaddr_in.self)
                return Endpoint(
                    octets: withUnsafeBytes(of: v4.sin_addr) { Array($0) }, port: UInt16(bigEndian: v4.sin_port))
            case AF_INET6:
                let v6 = raw.load(as: sockaddr_in6.self)
                return Endpoint(
                    octets: withUnsafeBytes(of: v6.sin6_addr) { Array($0) }, scope: v6.sin6_scope_id,
                    port: UInt16(bigEndian: v6.sin6_port))
            default: return nil
            }
        }
    }
}

/// A socket, closed with its owner.
final class Socket {
    let descriptor: Int32

    /// Nil where the system gives none.
    init?(_ family: Int32, _ type: __socket_type) {
        descriptor = socket(family, Int32(type.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    @discardableResult
    func set(_ level: Int, _ option: Int32, _ value: Int32) -> Bool {
        var value = value
        return setsockopt(descriptor, Int32(level), option, &value, socklen_t(MemoryLayout<Int32>.size)) == 0
    }

    /// The error number where it fails.
    func bind(_ octets: [UInt8], port: UInt16) -> Int32? {
        let status = SocketAddress.with(octets, port: port) { Glibc.bind(descriptor, $0, $1) }
        return status == 0 ? nil : errno
    }
}
