extension Communicator {
    /// Shares out the root's values: each rank gets as many, in the order of ranks. The number of ranks must divide their
    /// number. The arrays of the other ranks do not matter; they may be empty.
    public func scatter<Value: BitwiseCopyable>(_ values: [Value], from root: Int = 0) -> [Value] {
        guard rank == root else { return distribute(nil, from: root) }
        guard values.count % size == 0 else {
            world.fail(
                "scatter", "the root has ", values.count, " values, which ", size,
                " ranks cannot share equally; use scatter(parts:)")
        }
        return distribute(Parcel(values, parts: size), from: root)
    }

    /// Gives each rank one of the root's arrays, which may have different lengths. The arrays of the other ranks do not
    /// matter; there may be none.
    public func scatter<Value: BitwiseCopyable>(parts: [[Value]], from root: Int = 0) -> [Value] {
        guard rank == root else { return distribute(nil, from: root) }
        checkParts(parts, .scatter)
        return distribute(Parcel(parts: parts), from: root)
    }

    /// Checks that there is a part for each rank.
    func checkParts<Value: BitwiseCopyable>(_ parts: [[Value]], _ call: CollectiveCall) {
        guard parts.count == size else {
            world.fail(call.name, "there must be one array for each of ", size, " ranks, and there are ", parts.count)
        }
    }

    /// Returns this rank's part of the root's parcel.
    private func distribute<Value: BitwiseCopyable>(_ given: Parcel?, from root: Int) -> [Value] {
        checkedRoot(root, .scatter)
        let tree = Tree(root: root, rank: rank, size: size)
        var parcel = given?.rotated(to: root) ?? Parcel()
        if let parent = tree.parent { take(tree.count, into: &parcel, from: parent, .scatter) }
        for child in tree.children.reversed() {
            pass(parcel, child.start..<child.start + child.count, to: child.rank, .scatter)
        }
        return parcel.values(0..<1)
    }
}
