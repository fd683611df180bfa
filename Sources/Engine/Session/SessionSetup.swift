import PotluckModel
import PotluckWire

/// What a node brings to a session.
public struct SessionSetup: Sendable {
    public var node: NodeID
    /// What this program can speak; a test of neighbours narrows or widens it.
    public var versions = ProtocolVersion.supported
    /// What people call it.
    public var name: String
    public var cores: Int
    public var session: SessionHash
    public var mode: Mode
    /// Whether there is no join code.
    public var isOpen: Bool
    /// A server's: drawn when the session is founded, the same when its server starts again.
    public var founding: Founding?
    /// Whether each newcomer waits for the user's consent.
    public var asks: Bool
    /// What clients may do.
    public var guests: Role
    /// The machine's only source of chance.
    public var seed: UInt64

    public init(
        node: NodeID, name: String, cores: Int, session: SessionHash, mode: Mode, isOpen: Bool = false,
        founding: Founding? = nil, asks: Bool = false, guests: Role = .watches, seed: UInt64
    ) {
        precondition((mode == .server) == (founding != nil), "a server founds its session, and nobody else does")
        self.node = node
        self.name = name
        self.cores = cores
        self.session = session
        self.mode = mode
        self.isOpen = isOpen
        self.founding = founding
        self.asks = asks
        self.guests = guests
        self.seed = seed
    }
}

extension Mode {
    /// Who has something to say to whom: a server to clients, peers to each other and to clients. Servers and peers stay
    /// apart, because each is a session of its own.
    func meets(_ other: Mode) -> Bool {
        switch (self, other) {
        case (.server, .client), (.client, .server), (.peer, .peer), (.peer, .client), (.client, .peer): true
        case (.server, .server), (.client, .client), (.server, .peer), (.peer, .server): false
        }
    }
}
