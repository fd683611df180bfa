/// Which of several sessions of one name: drawn when a server founds its session, and kept when the server starts again.
/// So a client tells its own server, started anew, from another one that took the same name.
public struct Founding: Hashable, Comparable, Sendable, CustomStringConvertible {
    public static let length = 8

    public let octets: [UInt8]

    /// Nil unless there are exactly eight.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    public init(_ number: UInt64) { octets = (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) } }

    public static func < (a: Founding, b: Founding) -> Bool { a.octets.lexicographicallyPrecedes(b.octets) }

    public var description: String { octets.hexadecimal }
}

/// What a node may do in a session.
public enum Role: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// A guest who computes and looks on.
    case watches
    /// A guest who may also start jobs, and cancel those.
    case submits
    /// Starts, pauses and cancels any job.
    case hosts

    public var description: String {
        switch self {
        case .watches: "guest"
        case .submits: "guest who may start jobs"
        case .hosts: "host"
        }
    }
}

/// Another node as seen from here.
public enum PeerState: Hashable, Sendable {
    /// It is around.
    case available
    /// A link to it is being made; the host over there may have to be asked first.
    case connecting(Wait)
    case connected
    /// The link was lost; until it is back, or the grace is over, the peer keeps its place.
    case suspect
    case gone(Parting)

    public enum Wait: Hashable, Sendable {
        /// For the link and the handshake.
        case link
        /// For the host over there to accept.
        case theirHost
        /// For our own user to accept.
        case ourUser
    }
}

/// Why a peer is gone.
public enum Parting: Hashable, Sendable, CustomStringConvertible {
    /// It left.
    case left
    /// It was lost and did not come back.
    case lost
    /// We removed it.
    case removed
    /// We declined it, or it us.
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
    /// What it calls itself. Several may be called the same: show `displayName`.
    public let name: String
    /// No two in a session are the same.
    public let displayName: String
    public let mode: Mode
    /// 0 as long as it has not said.
    public let cores: Int
    public let state: PeerState

    public init(node: NodeID, name: String, displayName: String, mode: Mode, cores: Int, state: PeerState) {
        self.node = node
        self.name = name
        self.displayName = displayName
        self.mode = mode
        self.cores = cores
        self.state = state
    }
}
