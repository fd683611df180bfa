/// How discovery is narrowed.
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
}
