/// How discovery is narrowed, by options or by the environment.
public struct DiscoveryOptions: Hashable, Sendable {
    /// Not assigned to anybody, and below the range from which systems take ports for outgoing connections.
    public static let standardBeaconPort: UInt16 = 17077

    /// The only interface to use; nil for all.
    public var interface: String?
    public var usesMDNS: Bool
    public var usesBeacon: Bool
    /// The same on all machines of a session.
    public var beaconPort: UInt16

    public init(
        interface: String? = nil, usesMDNS: Bool = true, usesBeacon: Bool = true,
        beaconPort: UInt16 = DiscoveryOptions.standardBeaconPort
    ) {
        self.interface = interface
        self.usesMDNS = usesMDNS
        self.usesBeacon = usesBeacon
        self.beaconPort = beaconPort
    }

    /// A variable that cannot be understood: one line for the user.
    public struct BadVariable: Error, Equatable, CustomStringConvertible {
        public let name: String
        public let value: String

        public var description: String { "\(name) is '\(value)', which is not a port: give a number from 1 to 65535" }
    }

    /// From `POTLUCK_INTERFACE`, `POTLUCK_NO_MDNS`, `POTLUCK_NO_BEACON` and `POTLUCK_BEACON_PORT`. An empty variable is as
    /// good as none, and a 0 switches nothing off.
    public init(environment: [String: String]) throws(BadVariable) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        func isSet(_ name: String) -> Bool { value(name).map { $0 != "0" } ?? false }
        self.init(
            interface: value("POTLUCK_INTERFACE"), usesMDNS: !isSet("POTLUCK_NO_MDNS"),
            usesBeacon: !isSet("POTLUCK_NO_BEACON"))
        if let port = value("POTLUCK_BEACON_PORT") {
            guard let number = UInt16(port), number > 0 else {
                throw BadVariable(name: "POTLUCK_BEACON_PORT", value: port)
            }
            beaconPort = number
        }
    }
}
