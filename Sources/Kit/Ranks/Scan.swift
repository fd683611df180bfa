// The result of rank r combines ranks 0 to r with the brackets of a reduction over r + 1 ranks. These are the blocks that
// the binary digits of r name, each combined with everything after it: rank 6 has (0 1 2 3), (4 5) and its own value. On
// the way up the tree each rank learns the blocks that begin with it, and on the way down those before it.

extension Communicator {
    /// Combines the values of the ranks up to this one, with its own, in the order of ranks.
    public func scan<Value: BitwiseCopyable>(_ value: Value, _ combine: (Value, Value) -> Value) -> Value {
        scan([value], combine)[0]
    }

    /// Combines the arrays of the ranks up to this one, with its own, element by element in the order of ranks. All arrays
    /// must have the same length.
    public func scan<Value: BitwiseCopyable>(
        _ values: [Value], _ combine: (Value, Value) -> Value
    ) -> [Value] {
        Self.fold(blocksBefore(values, combine) + [values], combine) ?? values
    }

    /// Combines the values of the ranks before this one, in the order of ranks. Returns nil on rank 0.
    public func exclusiveScan<Value: BitwiseCopyable>(
        _ value: Value, _ combine: (Value, Value) -> Value
    ) -> Value? {
        Self.fold(blocksBefore([value], combine), combine).map { $0[0] }
    }

    /// Returns the blocks of all ranks before this one.
    private func blocksBefore<Value: BitwiseCopyable>(
        _ values: [Value], _ combine: (Value, Value) -> Value
    ) -> [[Value]] {
        let tree = Tree(root: 0, rank: rank, size: size)
        var block = values
        var ownBlocks: [[Value]] = []
        for child in tree.children {
            ownBlocks.append(block)
            Self.combine(&block, takeArray(values.count, from: child.rank, .scan), combine)
        }
        var before: [[Value]] = []
        if let parent = tree.parent {
            block.withUnsafeBytes { pass($0, to: parent, .scan) }
            var parcel = Parcel()
            take(rank.nonzeroBitCount, into: &parcel, from: parent, .scan)
            before = parcel.split()
        }
        for (child, block) in zip(tree.children, ownBlocks).reversed() {
            let blocks = before + [block]
            pass(Parcel(parts: blocks), 0..<blocks.count, to: child.rank, .scan)
        }
        return before
    }

    private static func fold<Value: BitwiseCopyable>(
        _ blocks: [[Value]], _ combine: (Value, Value) -> Value
    ) -> [Value]? {
        guard var result = blocks.last else { return nil }
        for block in blocks.dropLast().reversed() {
            let right = result
            result = block
            Self.combine(&result, right, combine)
        }
        return result
    }
}
