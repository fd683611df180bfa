import PotluckModel
import PotluckWire

/// Another node, as far as it is known.
struct Member: Sendable {
    enum Standing: Equatable, Sendable {
        /// In sight, or on its way in. Whether there is a link in the making, the links know.
        case around
        case connected(SessionLink, since: Instant)
        /// The link was lost; it is gone then.
        case suspect(until: Instant)
    }

    /// Which session of our name it belongs to, once it said so. Peers share one; each server has its own.
    enum Belonging: Hashable, Sendable {
        case shared
        case founded(Founding)
    }

    let node: NodeID
    var mode: Mode
    /// Nil for one that hides it and has not said hello.
    var name: String?
    var cores = 0
    var belonging: Belonging?
    /// Nil when discovery does not see it.
    var entry: NodeEntry?
    /// Where it was seen last.
    var endpoints: [Endpoint] = []
    /// Since when it is around.
    var since: Instant
    var standing = Standing.around
    /// What it may do, if we are its host.
    var role: Role
    /// The user has consented, or none was needed.
    var isAdmitted = false
    /// When to dial; nil for not by ourselves.
    var nextDial: Instant?
    var backOff = BackOff()
    var outbox: Outbox
    var inbox = Inbox()
    /// When an acknowledgement is due.
    var acknowledgeAt: Instant?
    /// Its presence was reported as trouble.
    var isReported = false
    /// Whoever answered where it was seen had another code.
    var hasOtherCode = false
    /// What was last told of it.
    var told: Peer?

    /// Whether nothing shows that it knows the code.
    var isStranger: Bool { entry?.trust == .unverified && belonging == nil }

    var isConnected: Bool { if case .connected = standing { true } else { false } }

    /// Whether this node, whose link comes from that address, listens at the very address and port where the other one did:
    /// then the other one is dead, because no two programs listen at one place.
    func replaces(_ other: Member, at address: [UInt8]) -> Bool {
        other.endpoints.contains { $0.octets == address && endpoints.contains($0) }
    }

    init(node: NodeID, mode: Mode, name: String?, role: Role, row: UInt64, now: Instant) {
        self.node = node
        self.mode = mode
        self.name = name
        self.role = role
        since = now
        outbox = Outbox(row: row)
    }
}

/// A link that is neither closed nor forgotten.
enum LinkState: Sendable {
    case dialling(DialTarget, since: Instant)
    /// Open, and the other side has not said who it is.
    case open(DialTarget?, address: [UInt8], since: Instant)
    /// It said who it is, and whether that is whom we look for is not clear yet.
    case undecided(NodeID, Introduction, address: [UInt8], since: Instant)
    /// It said who it is, and one welcome or both are missing.
    case greeted(Greeted)
    case established(NodeID, address: [UInt8], dial: UInt64)

    struct Greeted: Sendable {
        let node: NodeID
        let version: UInt64
        let address: [UInt8]
        var since: Instant
        /// The dialler's count.
        let dial: UInt64
        var wait = PeerState.Wait.link
        var isWelcomed = false
        var welcome: Welcome?
    }

    /// The node at the other end, where it is known for certain.
    var node: NodeID? {
        switch self {
        case .dialling, .open: nil
        case .undecided(let node, _, _, _): node
        case .greeted(let greeted): greeted.node
        case .established(let node, _, _): node
        }
    }

    /// The node that was meant to be at the other end, or is.
    var meant: NodeID? {
        switch self {
        case .dialling(.node(let node, _), _), .open(.node(let node, _), _, _): node
        case .dialling, .open: nil
        case .undecided, .greeted, .established: node
        }
    }
}
