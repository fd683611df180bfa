import Glibc
import PotluckCore
import PotluckNet
import PotluckScreen

/// The options and environment variables that control how a command looks for nodes.
enum DiscoveryArguments {
    private static let interface = Option(
        "interface", "NAME", "find nodes only on this interface; to limit a node's port, use a firewall", in: .network,
        environment: "POTLUCK_INTERFACE"
    ) { (text) throws(ValueError) -> String in text }
    private static let noMDNS = Flag("no-mdns", "do not use mDNS", in: .network, environment: "POTLUCK_NO_MDNS")
    private static let noBeacon = Flag(
        "no-beacon", "do not use the UDP beacon", in: .network, environment: "POTLUCK_NO_BEACON")
    private static let beaconPort = Option(
        "beacon-port", "PORT", "the beacon's UDP port, the same on every laptop", in: .network,
        environment: "POTLUCK_BEACON_PORT", hidden: true, port)

    static let options = [
        interface.declaration, noMDNS.declaration, noBeacon.declaration, beaconPort.declaration,
    ]

    static func read(_ arguments: Arguments) throws(UsageError) -> DiscoveryOptions {
        let name = try arguments[interface]
        if let name, if_nametoindex(name) == 0 {
            let hint = Spelling.hint(for: name, among: names)
            throw UsageError(
                ValueError(
                    "no such interface" + (hint.isEmpty ? "; interfaces: \(names.joined(separator: ", "))" : hint)
                )
                .message(value: name, of: arguments.source(of: interface.declaration)))
        }
        return DiscoveryOptions(
            interface: name, usesMDNS: !arguments[noMDNS], usesBeacon: !arguments[noBeacon],
            beaconPort: try arguments[beaconPort] ?? DiscoveryOptions.standardBeaconPort)
    }

    static func port(_ text: String) throws(ValueError) -> UInt16 {
        guard let port = UInt16(text), port > 0 else { throw ValueError("must be from 1 to 65535") }
        return port
    }

    /// Parses the name of a session. Throws if the text is not a valid name, or the address of a session's page.
    static func session(_ text: String) throws(UsageError) -> SessionID {
        if text.hasPrefix("http://") || text.hasPrefix("https://") {
            // Behind the # is the ticket, which no screen and no log should keep.
            let address = Spelling.quoted(String(text.prefix { $0 != "#" }))
            throw UsageError(
                "\(address) is the address of a page, for browsers; use the session's name, which 'potluck browse' lists"
            )
        }
        if let session = SessionID(text) { return session }
        throw UsageError(
            "invalid session name \(Spelling.quoted(text)): use 1 to \(SessionID.maximumLength) bytes without control "
                + "characters and without spaces at either end")
    }

    private static var names: [String] {
        guard let list = if_nameindex() else { return [] }
        defer { if_freenameindex(list) }
        var names: [String] = []
        var next = list
        while next.pointee.if_index != 0, let name = next.pointee.if_name {
            names.append(String(cString: name))
            next += 1
        }
        return names
    }
}

extension NetworkDiscovery.Status {
    /// A sentence for each part of the discovery that does not work, to show while it looks for nodes.
    var troubles: [String] { [lesserTrouble].compactMap { $0 } + obstacles }

    /// Says that there is no mDNS; nil if it works. The beacon alone is enough, so this is worth telling once.
    var lesserTrouble: String? {
        guard case .absent(let reason) = mdns else { return nil }
        return "No mDNS: \(reason)."
    }

    /// A sentence for each reason why nodes may not find each other.
    var obstacles: [String] {
        var troubles: [String] = []
        if case .absent(let reason) = beacon { troubles.append("No beacon: \(reason).") }
        if isUnheard, let network = networks.first, let address = network.address {
            troubles.append(
                "\(network.name) carries no beacon. This laptop is at \(address); join it with --connect HOST:PORT."
            )
        }
        return troubles
    }
}
