/// A node as discovery knows it: all its sightings merged, from every interface, address family and source.
public struct NodeEntry: Hashable, Sendable {
    /// How certain it is that the node is running.
    public enum Standing: UInt8, Hashable, Sendable, CustomStringConvertible {
        /// Seen only by mDNS, which lists a crashed laptop for over an hour. Nothing has answered at its address yet.
        case unconfirmed
        /// Its beacons arrive, or something answers at the address that mDNS gave.
        case present
        /// Its beacons stopped, and discovery is probing it.
        case suspect

        public var description: String {
            switch self {
            case .unconfirmed: "unconfirmed"
            case .present: "present"
            case .suspect: "suspect"
            }
        }
    }

    public var announcement: Announcement
    public var standing: Standing
    public var trust: Sighting.Trust
    /// The sources that see it now, in order.
    public var sources: [Sighting.Source]
    /// Its host name according to mDNS; nil if unknown.
    public var host: String?
    /// Whether it runs on this machine.
    public var sameMachine: Bool
    /// The addresses to dial, best first.
    public var endpoints: [Endpoint]
    /// When it appeared.
    public var since: Instant

    public var node: NodeID { announcement.node }

    public init(
        announcement: Announcement, standing: Standing, trust: Sighting.Trust, sources: [Sighting.Source],
        host: String?, sameMachine: Bool, endpoints: [Endpoint], since: Instant
    ) {
        self.announcement = announcement
        self.standing = standing
        self.trust = trust
        self.sources = sources
        self.host = host
        self.sameMachine = sameMachine
        self.endpoints = endpoints
        self.since = since
    }
}

/// Why a node disappeared.
public enum Departure: Hashable, Sendable, CustomStringConvertible {
    /// It sent a goodbye.
    case left
    /// Its beacons stopped, and it did not answer a probe.
    case silent
    /// mDNS does not list it any more, and none of its beacons ever arrived.
    case withdrawn
    /// mDNS lists it, but nothing answers at its address.
    case unreachable
    /// A new node has its address and port: it was restarted.
    case replaced(by: NodeID)

    public var description: String {
        switch self {
        case .left: "left"
        case .silent: "silent"
        case .withdrawn: "withdrawn"
        case .unreachable: "unreachable"
        case .replaced(let node): "replaced by \(node.short)"
        }
    }
}

/// A change to the list of nodes.
public enum NodeChange: Hashable, Sendable {
    case appeared(NodeEntry)
    case changed(NodeEntry)
    case disappeared(NodeEntry, Departure)

    public var node: NodeID { entry.node }

    public var entry: NodeEntry {
        switch self {
        case .appeared(let entry), .changed(let entry), .disappeared(let entry, _): entry
        }
    }
}
