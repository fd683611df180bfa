/// A node as discovery knows it: all its sightings merged, whatever interface, family or source they came by.
public struct NodeEntry: Hashable, Sendable {
    /// How sure it is that the node lives.
    public enum Standing: UInt8, Hashable, Sendable, CustomStringConvertible {
        /// Seen by mDNS only, which lists a crashed laptop for over an hour; nothing has answered at its address yet.
        case unconfirmed
        /// Its beacons are heard, or something answers at the address mDNS gave.
        case present
        /// It fell silent and is being asked.
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
    /// By what it is seen now, in order.
    public var sources: [Sighting.Source]
    /// Its host name, where mDNS told.
    public var host: String?
    /// Whether it runs on this very machine.
    public var sameMachine: Bool
    /// Where to dial, best first.
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

/// Why a node is no longer there.
public enum Departure: Hashable, Sendable, CustomStringConvertible {
    /// It said goodbye.
    case left
    /// It was silent, and then did not answer when asked.
    case silent
    /// mDNS no longer lists it, and its beacon was never heard.
    case withdrawn
    /// mDNS lists it, but nothing answers at its address.
    case unreachable
    /// A new node has its address and port: it was started anew.
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

/// What happened to the list of nodes.
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
