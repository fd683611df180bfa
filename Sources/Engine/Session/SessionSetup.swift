import PotluckCore

/// The configuration of a node's session.
public struct SessionSetup: Sendable {
    public var node: NodeID
    /// The protocol versions that this program speaks. Tests of compatibility narrow or widen it.
    var versions = ProtocolVersion.supported
    /// The node's name, as people see it.
    public var name: String
    var cores: Int
    public var session: SessionHash
    public var mode: Mode
    /// Whether there is no join code.
    public var isOpen: Bool
    /// The founding of a server's session: drawn when the session is founded, and the same when the server restarts.
    /// Nil for other nodes.
    public var founding: Founding?
    /// Whether each newcomer waits for the user's consent.
    var asks: Bool
    /// The nodes that the user has approved before this server restarted.
    var approved: [NodeID]
    /// The role of clients.
    var guests: Role
    /// The device that computes for this node. Only clients are browsers.
    public var kind: NodeKind
    /// Seeds the generator that is the session machine's only source of randomness.
    public var seed: UInt64

    public init(
        node: NodeID, name: String, cores: Int, session: SessionHash, mode: Mode, isOpen: Bool = false,
        founding: Founding? = nil, asks: Bool = false, approved: [NodeID] = [], guests: Role = .watches,
        kind: NodeKind = .program, seed: UInt64
    ) {
        precondition((mode == .server) == (founding != nil), "servers need a founding, other nodes none")
        precondition(kind == .program || mode == .client, "a browser is a client")
        self.node = node
        self.name = name
        self.cores = cores
        self.session = session
        self.mode = mode
        self.isOpen = isOpen
        self.founding = founding
        self.asks = asks
        self.approved = approved
        self.guests = guests
        self.kind = kind
        self.seed = seed
    }
}

extension Mode {
    /// Whether nodes of these modes connect: a server with clients, peers with each other and with clients. A server
    /// and a peer do not, because they belong to different sessions.
    func meets(_ other: Mode) -> Bool {
        switch (self, other) {
        case (.server, .client), (.client, .server), (.peer, .peer), (.peer, .client), (.client, .peer): true
        case (.server, .server), (.client, .client), (.server, .peer), (.peer, .server): false
        }
    }
}
