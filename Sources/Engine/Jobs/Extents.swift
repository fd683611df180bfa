import PotluckCore

/// The ranges of blocks that are set apart, one for each node, so that a node's blocks lie together.
struct Extents: Sendable {
    private var extents = OrderedTable<NodeID, Range<UInt64>>()
    /// The number of blocks in all of them.
    private(set) var blocks: UInt64 = 0

    /// The nodes that have one, in the order in which they got it.
    var nodes: [NodeID] { extents.keys }

    /// Whether the number of blocks is right.
    var isSound: Bool { blocks == extents.values.reduce(0) { $0 + UInt64($1.count) } }

    subscript(node: NodeID) -> Range<UInt64>? {
        get { extents[node] }
        set {
            blocks -= UInt64(extents[node]?.count ?? 0)
            blocks += UInt64(newValue?.count ?? 0)
            extents[node] = newValue
        }
    }
}
