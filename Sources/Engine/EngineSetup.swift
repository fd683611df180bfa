import PotluckCore

/// The configuration of a node's engine.
public struct EngineSetup: Sendable {
    public var node: NodeID
    /// The node's name, as people see it.
    public var name: String
    /// The number of cores that compute; 0 for a node that only coordinates or watches.
    public var cores: Int
    /// The session to take part in; nil for a run on one machine.
    public var session: SessionSetup?
    /// Seeds the generator that is the engine's only source of randomness.
    public var seed: UInt64
    /// The most blocks in a chunk. Benchmarks of how chunks travel set it low.
    var mostBlocks: UInt64
    /// Whether changes to jobs are written to a journal, so that jobs survive a restart of this node.
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
