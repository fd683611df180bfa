import PotluckCore

/// The failures of a job's chunks, and the chunks that may still fail although they were taken from a silent node.
struct Failures: Sendable {
    private struct Withdrawn: Sendable {
        let attempt: UInt64
        let node: NodeID
        let blocks: Range<UInt64>
    }

    /// The blocks that failed, each with the nodes where it did, the oldest first.
    private var blocks: [(block: UInt64, nodes: [NodeID])] = []
    /// The chunks that silent nodes had, the oldest first.
    private var withdrawn: [Withdrawn] = []

    /// The number of failures.
    var count: Int { blocks.reduce(0) { $0 + $1.nodes.count } }

    /// Notes that a block failed at a node. Returns the nodes where it failed so far, with repetitions.
    mutating func note(_ block: UInt64, at node: NodeID) -> [NodeID] {
        let index: Int
        if let found = blocks.firstIndex(where: { $0.block == block }) {
            index = found
        } else {
            if blocks.count >= JobLimits.failedBlocks { blocks.removeFirst() }
            index = blocks.count
            blocks.append((block, []))
        }
        blocks[index].nodes.append(node)
        return blocks[index].nodes
    }

    /// Whether a block failed at this node.
    func concern(_ node: NodeID) -> Bool { blocks.contains { $0.nodes.contains(node) } }

    /// Remembers a chunk that is taken from a silent node. A trial that hangs there fails at its time limit, which
    /// counts the time of the CPU: on a busy laptop that is long after the node was judged silent.
    mutating func withdraw(_ attempt: UInt64, _ blocks: Range<UInt64>, from node: NodeID) {
        if withdrawn.count >= JobLimits.withdrawnChunks { withdrawn.removeFirst() }
        withdrawn.append(Withdrawn(attempt: attempt, node: node, blocks: blocks))
    }

    /// Removes and returns the blocks of such a chunk. Nil if the node had no such attempt.
    mutating func takeWithdrawn(_ attempt: UInt64, of node: NodeID) -> Range<UInt64>? {
        guard let index = withdrawn.firstIndex(where: { $0.attempt == attempt && $0.node == node }) else { return nil }
        return withdrawn.remove(at: index).blocks
    }
}
