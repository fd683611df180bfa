import Glibc
import PotluckModel

/// Endpoints as the system's calls want them, and back.
public enum SocketAddress {
    /// Calls with the address of this endpoint.
    public static func with<Result>(
        _ endpoint: Endpoint, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        with(endpoint.octets, scope: endpoint.scope, port: endpoint.port, body)
    }

    /// Calls with the address of these four or sixteen octets.
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

    /// Nil for a family that is neither. An IPv4 address in IPv6's clothes is an IPv4 address: who dials us is who we dial.
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
