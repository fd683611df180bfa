/// The address of a node: an IPv4 or IPv6 address, the scope of a link-local address, and a TCP port.
public struct Endpoint: Hashable, Sendable {
    /// Four or sixteen bytes, in network order.
    public let octets: [UInt8]
    /// The index of the interface of a link-local IPv6 address; 0 for other addresses.
    public let scope: UInt32
    public let port: UInt16

    /// Returns nil unless there are four or sixteen bytes.
    public init?(octets: some Collection<UInt8>, scope: UInt32 = 0, port: UInt16) {
        guard octets.count == 4 || octets.count == 16 else { return nil }
        self.octets = Array(octets)
        self.scope = scope
        self.port = port
    }
}

/// The information that a node publishes about itself in its TXT record and in its beacons.
public struct Announcement: Hashable, Sendable {
    /// In bytes of UTF-8: the name must fit beside the session's in a beacon and in a TXT record of at most 400 bytes.
    public static let maximumName = 63

    public var node: NodeID
    public var mode: Mode
    /// Identifies the session. It is all that a hidden node shows of its session.
    public var sessionHash: SessionHash
    /// Nil if the node is hidden.
    public var session: SessionID?
    /// The name that users gave the node; nil if the node is hidden.
    public var name: String?
    /// The TCP port that accepts links; 0 for a node that accepts none.
    public var port: UInt16
    /// Whether the session has no join code. Any sender can claim this.
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

    /// Returns this announcement as it counts after an earlier one of the same node. A session never loses
    /// its code. If two announcements differ in this, the claim that there is none may come from an
    /// attacker who wants a newcomer to join without a code.
    public func following(_ earlier: Announcement) -> Announcement {
        var said = self
        said.isOpen = isOpen && earlier.isOpen
        return said
    }

    /// Whether the name has one to 63 bytes and is fit for a screen.
    public static func isValid(name: String) -> Bool {
        (1...maximumName).contains(name.utf8.count) && name.isFitForScreen
    }
}

/// One observation of a node. It is a hint, not proof that the node is running.
public struct Sighting: Hashable, Sendable {
    public enum Source: UInt8, Hashable, Comparable, Sendable {
        case beacon, mdns

        public static func < (a: Source, b: Source) -> Bool { a.rawValue < b.rawValue }
    }

    /// Whether the beacon's tag was verified with the session's key. mDNS has no
    /// tag, and without the code no tag can be verified.
    public enum Trust: UInt8, Hashable, Comparable, Sendable {
        case unverified, verified

        public static func < (a: Trust, b: Trust) -> Bool { a.rawValue < b.rawValue }
    }

    public var announcement: Announcement
    var source: Source
    public var trust: Trust
    /// The index of the interface on which it arrived.
    public var interface: UInt32
    /// Whether the source knows that the node runs on this machine. Loopback addresses
    /// and this machine's own addresses are useful only then.
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
