import Glibc
import PotluckCore

/// Converts endpoints to and from the addresses of system calls.
public enum SocketAddress {
    /// Calls `body` with the address of this endpoint.
    public static func with<Result>(
        _ endpoint: Endpoint, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        with(endpoint.octets, scope: endpoint.scope, port: endpoint.port, body)
    }

    /// Calls `body` with an address of four or sixteen bytes.
    public static func with<Result>(
        _ octets: [UInt8], scope: UInt32 = 0, port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        if octets.count == 4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: octets) }
            return pass(address, body)
        }
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_scope_id = scope
        withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: octets.prefix(16)) }
        return pass(address, body)
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

    /// Returns nil for other address families. An IPv4-mapped IPv6 address becomes an IPv4 address, so that the
    /// endpoint of an accepted connection equals the one that this node dials.
    public static func endpoint(_ storage: sockaddr_storage) -> Endpoint? {
        withUnsafeBytes(of: storage) { raw in
            switch Int32(storage.ss_family) {
            case AF_INET:
                let address = raw.loadUnaligned(as: sockaddr_in.self)
                return Endpoint(
                    octets: withUnsafeBytes(of: address.sin_addr) { Array($0) },
                    port: UInt16(bigEndian: address.sin_port))
            case AF_INET6:
                let address = raw.loadUnaligned(as: sockaddr_in6.self)
                let octets = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
                let mapped = octets.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
                return Endpoint(
                    octets: mapped ? Array(octets.suffix(4)) : octets, scope: address.sin6_scope_id,
                    port: UInt16(bigEndian: address.sin6_port))
            default: return nil
            }
        }
    }
}
