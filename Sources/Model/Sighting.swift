/// Where a node can be reached: an IPv4 or IPv6 address, the scope of a link-local one, and a TCP port.
public struct Endpoint: Hashable, Sendable {
    /// Four or sixteen, in network order.
    public let octets: [UInt8]
    /// The index of the interface a link-local IPv6 address is on; 0 for any other.
    public let scope: UInt32
    public let port: UInt16

    /// Nil unless there are four or sixteen octets.
    public init?(octets: some Collection<UInt8>, scope: UInt32 = 0, port: UInt16) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        self.octets = Array(octets)
        self.scope = scope
        self.port = port
    }
}

/// What a node says about itself to whoever listens, in a TXT record and in a beacon alike. All of it is public.
public struct Announcement: Hashable, Sendable {
    public var node: NodeID
    public var mode: Mode
    /// The first eight octets of the session ID's hash: enough to recognise a session by, the only thing a hidden node shows.
    public var sessionHash: [UInt8]
    /// Nil where the node is hidden.
    public var session: SessionID?
    /// What people call the node; nil where the node is hidden.
    public var name: String?
    /// The TCP port that takes links; 0 for a node that takes none.
    public var port: UInt16

    public init(node: NodeID, mode: Mode, sessionHash: [UInt8], session: SessionID?, name: String?, port: UInt16) {
        self.node = node
        self.mode = mode
        self.sessionHash = sessionHash
        self.session = session
        self.name = name
        self.port = port
    }
}

/// One raw observation of a node. A hint, never a proof of life.
public struct Sighting: Hashable, Sendable {
    public enum Source: UInt8, Hashable, Sendable { case beacon, mdns }

    /// Whether the beacon's tag was checked with the session's key. mDNS has no tag, and without the code nothing is checked.
    public enum Trust: UInt8, Hashable, Sendable { case unverified, verified }

    public var announcement: Announcement
    public var source: Source
    public var trust: Trust
    /// The index of the interface it came in on.
    public var interface: UInt32
    /// The node's host name as mDNS resolved it.
    public var host: String?
    public var endpoint: Endpoint

    public init(
        announcement: Announcement, source: Source, trust: Trust, interface: UInt32, host: String?, endpoint: Endpoint
    ) {
        self.announcement = announcement
        self.source = source
        self.trust = trust
        self.interface = interface
        self.host = host
        self.endpoint = endpoint
    }
}
