import PotluckCore

/// Another node as the session machine knows it: in sight, on its way in, connected or suspect.
struct Member: Sendable {
    enum Standing: Equatable, Sendable {
        /// In sight or joining. `SessionMachine.links` says whether a link is being made.
        case around
        case connected(LinkName, since: Instant)
        /// The link was lost. At `until` the node counts as gone.
        case suspect(until: Instant)
    }

    /// The session of this name that a node belongs to. All peers share one session; each server has its own.
    enum Belonging: Hashable, Sendable {
        case shared
        case founded(Founding)
    }

    /// What this node knows of it as another server of the session's name.
    enum OtherServer: Sendable {
        case possible
        /// The user was told.
        case reported
        /// A node with another code answered where it was seen.
        case hasOtherCode
    }

    let node: NodeID
    var mode: Mode
    /// Nil for a node that hides its name and has not said hello.
    var name: String?
    var cores = 0
    var kind = NodeKind.program
    var belonging: Belonging?
    /// The sighting; nil while discovery does not see the node.
    var entry: NodeEntry?
    /// The endpoints of the latest sighting that had any.
    var endpoints: [Endpoint] = []
    /// When the node became known.
    var since: Instant
    var standing = Standing.around
    /// The role of the node, if this node is its host.
    var role: Role
    /// Whether the node was admitted: by the user, or because no consent was needed.
    var isAdmitted = false
    /// When to dial the node; nil if this node does not dial it by itself.
    var nextDial: Instant?
    var backOff = BackOff()
    var outbox: Outbox
    var receivedParcels = ReceivedParcels()
    /// When an acknowledgement is due; nil if none is.
    var acknowledgeAt: Instant?
    var otherServer = OtherServer.possible
    /// The last state that was reported to the shell; nil if none was.
    var told: Peer?

    /// Whether the node has not proved that it knows the code: its sighting is unverified and it has not said hello.
    var isStranger: Bool { entry?.trust == .unverified && belonging == nil }

    var isConnected: Bool { if case .connected = standing { true } else { false } }

    /// Whether this node, whose link comes from `address`, listens at an endpoint of the other one, with the same
    /// address and port. Then the other node is dead, because no two programs listen at one endpoint.
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

/// The state of a link that is not closed.
enum LinkState: Sendable {
    case dialling(DialTarget, since: Instant)
    /// Open; no hello has come.
    case open(DialTarget?, address: [UInt8], since: Instant)
    /// A hello has come, and a client has not decided yet whether this is the session it looks for.
    case undecided(NodeID, Introduction, address: [UInt8], since: Instant)
    /// A hello has come, and a welcome is missing in at least one direction.
    case greeted(Greeted)
    case established(NodeID, address: [UInt8], dial: UInt64)

    struct Greeted: Sendable {
        let node: NodeID
        let version: UInt64
        let address: [UInt8]
        var since: Instant
        /// The number that the dialling node gave the link.
        let dial: UInt64
        var wait = PeerState.Wait.link
        var isWelcomed = false
        var welcome: Welcome?
    }

    /// Whether a hello has come and the link is not established. That can last as long as a user takes to admit a node.
    var isHandshake: Bool {
        switch self {
        case .undecided, .greeted: true
        case .dialling, .open, .established: false
        }
    }

    /// The node at the other end; nil before its hello.
    var node: NodeID? {
        switch self {
        case .dialling, .open: nil
        case .undecided(let node, _, _, _): node
        case .greeted(let greeted): greeted.node
        case .established(let node, _, _): node
        }
    }

    /// The node at the other end or, before its hello, the node that was dialled; nil if neither is known.
    var meant: NodeID? {
        switch self {
        case .dialling(.node(let node, _), _), .open(.node(let node, _), _, _): node
        case .dialling, .open: nil
        case .undecided, .greeted, .established: node
        }
    }
}
