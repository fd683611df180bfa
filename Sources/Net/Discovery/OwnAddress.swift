import PotluckCore

/// The address of this machine that people are told.
public enum OwnAddress {
    /// Returns the address at which others reach this machine best: a literal one, which works without any name service.
    /// `only` is the name of the only interface to look at; nil for all.
    public static func best(onlyAt only: String? = nil) -> [UInt8] { all(onlyAt: only)[0] }

    /// Returns the addresses at which others may reach this machine, the best first. There is at least one.
    public static func all(onlyAt only: String? = nil) -> [[UInt8]] {
        var scanner = InterfaceScanner(only: only)
        return ranked(scanner.scan() ?? [])
    }

    /// Prefers a network card to a bridge or a tunnel, and IPv4, which people can type, to IPv6. A link-local address
    /// needs the name of an interface, which browsers do not take. Without any network only this machine can connect.
    static func ranked(_ interfaces: [NetworkInterface]) -> [[UInt8]] {
        func rank(_ kind: NetworkInterface.Kind, _ octets: [UInt8]) -> Int {
            (octets.isLinkLocal ? 4 : 0) + (kind == .virtual ? 2 : 0) + (octets.count == 4 ? 0 : 1)
        }
        let candidates = interfaces.filter { $0.kind != .loopback }.flatMap { interface in
            interface.addresses.filter { $0.octets.count == 4 || !$0.octets.isLinkLocal }.map {
                (rank: rank(interface.kind, $0.octets), octets: $0.octets)
            }
        }
        // In the order of the interfaces where the rank is the same, so that the best stays so as long as they do.
        let ranked = candidates.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
        return ranked.isEmpty ? [[127, 0, 0, 1]] : ranked.map(\.element.octets)
    }
}
