import PotluckModel

/// The address of this machine that people are told.
public enum OwnAddress {
    /// Returns the address at which others reach this machine best: a literal one, which works without any name service.
    /// `only` is the name of the only interface to look at; nil for all.
    public static func best(onlyAt only: String? = nil) -> [UInt8] {
        var scanner = InterfaceScanner(only: only)
        return best(of: scanner.scan() ?? [])
    }

    /// Prefers a network card to a bridge or a tunnel, and IPv4, which people can type, to IPv6. A link-local address
    /// needs the name of an interface, which browsers do not take. Without any network only this machine can connect.
    static func best(of interfaces: [NetworkInterface]) -> [UInt8] {
        func rank(_ kind: NetworkInterface.Kind, _ octets: [UInt8]) -> Int {
            (octets.isLinkLocal ? 4 : 0) + (kind == .virtual ? 2 : 0) + (octets.count == 4 ? 0 : 1)
        }
        let candidates = interfaces.filter { $0.kind != .loopback }.flatMap { interface in
            interface.addresses.filter { $0.octets.count == 4 || !$0.octets.isLinkLocal }.map {
                (rank: rank(interface.kind, $0.octets), octets: $0.octets)
            }
        }
        // The first of the best, so that the address stays the same as long as the interfaces do.
        let least = candidates.map(\.rank).min()
        return candidates.first { $0.rank == least }?.octets ?? [127, 0, 0, 1]
    }
}
