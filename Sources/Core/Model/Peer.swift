/// Distinguishes sessions of the same name. It is drawn when a server founds its session, and kept when the server
/// restarts. So a client can tell its own restarted server from another server that took the same name.
public struct Founding: Hashable, Comparable, Sendable, CustomStringConvertible {
    public static let length = 8

    public let octets: [UInt8]

    /// Returns nil unless there are exactly eight bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    public init(_ number: UInt64) { octets = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) } }

    public static func < (a: Founding, b: Founding) -> Bool { a.octets.lexicographicallyPrecedes(b.octets) }

    public var description: String { octets.hexadecimal }
}

/// The permissions of a node in a session.
public enum Role: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// A guest that computes and watches.
    case watches
    /// A guest that may also start jobs, and cancel its own.
    case submits
    /// May start, pause and cancel any job.
    case hosts

    public var description: String {
        switch self {
        case .watches: "guest"
        case .submits: "guest who may start jobs"
        case .hosts: "host"
        }
    }
}

/// The state of another node, as this node sees it.
public enum PeerState: Hashable, Sendable {
    /// Discovery sees it, and there is no link to it.
    case available
    /// A link to it is being made. Its host may have to approve first.
    case connecting(Wait)
    case connected
    /// The link was lost. The peer keeps its place until it reconnects or the grace period ends.
    case suspect
    case gone(Parting)

    /// The step that a connecting peer waits for.
    public enum Wait: Hashable, Sendable {
        /// The link and the handshake.
        case link
        /// Approval by the host at the other end.
        case theirHost
        /// Approval by this node's user.
        case ourUser
    }
}

/// Why a peer is gone.
public enum Parting: Hashable, Sendable, CustomStringConvertible {
    /// It left.
    case left
    /// Its link was lost, and it did not reconnect in time.
    case lost
    /// This node removed it.
    case removed
    /// This node declined it, or it declined this node.
    case declined

    public var description: String {
        switch self {
        case .left: "left"
        case .lost: "lost"
        case .removed: "removed"
        case .declined: "declined"
        }
    }
}

/// An immutable picture of a peer.
public struct Peer: Hashable, Sendable {
    public let node: NodeID
    /// The name that it gave itself. Several nodes may have the same: show `displayName`.
    public let name: String
    /// Unique in a session.
    public let displayName: String
    public let mode: Mode
    /// The number of cores; 0 until the peer has sent it.
    public let cores: Int
    public let state: PeerState
    public let kind: NodeKind

    public init(
        node: NodeID, name: String, displayName: String, mode: Mode, cores: Int, state: PeerState,
        kind: NodeKind = .program
    ) {
        self.node = node
        self.name = name
        self.displayName = displayName
        self.mode = mode
        self.cores = cores
        self.state = state
        self.kind = kind
    }
}
