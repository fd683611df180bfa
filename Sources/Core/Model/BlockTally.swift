/// Blocks that one node computed, with their tally.
public struct BlockTally: Hashable, Sendable {
    public var blocks: Range<UInt64>
    public var node: NodeID
    public var tally: [UInt64]

    public init(blocks: Range<UInt64>, node: NodeID, tally: [UInt64]) {
        self.blocks = blocks
        self.node = node
        self.tally = tally
    }
}
