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
    /// In octets of UTF-8, so that it fits a beacon and a TXT record of at most 400 octets beside the session's.
    public static let maximumName = 63

    public var node: NodeID
    public var mode: Mode
    /// Enough to recognise a session by, and all that a hidden node shows of it.
    public var sessionHash: SessionHash
    /// Nil where the node is hidden.
    public var session: SessionID?
    /// What people call the node; nil where the node is hidden.
    public var name: String?
    /// The TCP port that takes links; 0 for a node that takes none.
    public var port: UInt16
    /// Whether its session has no join code. Anybody can say so of anything.
    public var isOpen: Bool

    public init(
        node: NodeID, mode: Mode, sessionHash: SessionHash, session: SessionID?, name: String?, port: UInt16,
        isOpen: Bool = false
    ) {
        self.node = node
        self.mode = mode
        self.sessionHash = sessionHash
        self.session = session
        self.name = name
        self.port = port
        self.isOpen = isOpen
    }

    /// What counts of it after an earlier one of the same node. No node's session loses its code: of two that differ in that,
    /// whoever says that there is none may be a stranger who wants a newcomer to come without.
    public func following(_ earlier: Announcement) -> Announcement {
        var said = self
        said.isOpen = isOpen && earlier.isOpen
        return said
    }

    /// One to 63 octets, fit for a screen.
    public static func isValid(name: String) -> Bool {
        (1...maximumName).contains(name.utf8.count) && name.isFitForScreen
    }
}

/// One raw observation of a node. A hint, never a proof of life.
public struct Sighting: Hashable, Sendable {
    public enum Source: UInt8, Hashable, Comparable, Sendable {
        case beacon, mdns

        public static func < (a: Source, b: Source) -> Bool { a.rawValue < b.rawValue }
    }

    /// Whether the beacon's tag was checked with the session's key. mDNS has no tag, and without the code nothing is checked.
    public enum Trust: UInt8, Hashable, Comparable, Sendable {
        case unverified, verified

        public static func < (a: Trust, b: Trust) -> Bool { a.rawValue < b.rawValue }
    }

    public var announcement: Announcement
    public var source: Source
    public var trust: Trust
    /// The index of the interface it came in on.
    public var interface: UInt32
    /// Whether the source knows that the node runs on this very machine. Only then are a loopback address and an
    /// address of our own worth anything.
    public var sameMachine: Bool
    /// The node's host name as mDNS resolved it.
    public var host: String?
    public var endpoint: Endpoint

    public init(
        announcement: Announcement, source: Source, trust: Trust, interface: UInt32, sameMachine: Bool, host: String?,
        endpoint: Endpoint
    ) {
        self.announcement = announcement
        self.source = source
        self.trust = trust
        self.interface = interface
        self.sameMachine = sameMachine
        self.host = host
        self.endpoint = endpoint
    }
}
