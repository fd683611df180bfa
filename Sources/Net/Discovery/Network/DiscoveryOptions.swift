/// Options that restrict discovery.
public struct DiscoveryOptions: Hashable, Sendable {
    /// The default UDP port. It is unassigned, and below the range from which systems take ports for outgoing
    /// connections.
    public static let standardBeaconPort: UInt16 = 17077

    /// The only interface on which to find nodes; nil for all. Links are accepted on all.
    public var interface: String?
    public var usesMDNS: Bool
    public var usesBeacon: Bool
    /// The UDP port of the beacon. It must be the same on all machines of a session.
    var beaconPort: UInt16

    public init(
        interface: String? = nil, usesMDNS: Bool = true, usesBeacon: Bool = true,
        beaconPort: UInt16 = DiscoveryOptions.standardBeaconPort
    ) {
        self.interface = interface
        self.usesMDNS = usesMDNS
        self.usesBeacon = usesBeacon
        self.beaconPort = beaconPort
    }
}
