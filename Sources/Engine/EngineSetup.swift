import PotluckModel

/// What a node is.
public struct EngineSetup: Sendable {
    public var node: NodeID
    /// What people call it.
    public var name: String
    /// How many cores compute; 0 where it only coordinates or looks on.
    public var cores: Int
    /// Nil for a node that is alone.
    public var session: SessionSetup?
    /// The engine's only source of chance.
    public var seed: UInt64
    /// Chunks have at most so many blocks: a bench of how chunks travel makes them small.
    public var mostBlocks: UInt64
    /// Whether what happens to jobs is written down, so that they outlive this node.
    public var keepsJournal: Bool

    public init(
        node: NodeID, name: String, cores: Int, session: SessionSetup? = nil, seed: UInt64, mostBlocks: UInt64 = .max,
        keepsJournal: Bool = false
    ) {
        self.node = node
        self.name = name
        self.cores = cores
        self.session = session
        self.seed = seed
        self.mostBlocks = mostBlocks
        self.keepsJournal = keepsJournal
    }
}
