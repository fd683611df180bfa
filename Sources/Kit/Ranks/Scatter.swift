extension Communicator {
    /// Shares out the root's values: each rank gets as many, in the order of ranks. The number of ranks must divide their
    /// number. The arrays of the other ranks do not matter; they may be empty.
    public func scatter<Value: BitwiseCopyable>(_ values: [Value], from root: Int = 0) -> [Value] {
        guard rank == root else { return Parcel.values(distribute(nil, from: root)) }
        guard values.count % size == 0 else {
            world.fail(
                "scatter", "the root has ", values.count, " values, which ", size,
                " ranks cannot share equally; use scatter(parts:)")
        }
        let each = values.count / size * MemoryLayout<Value>.stride
        let parcel = Parcel(sizes: [Int](repeating: each, count: size), bytes: Parcel.bytes(values))
        return Parcel.values(distribute(parcel, from: root))
    }

    /// Gives each rank one of the root's arrays, which may have different lengths. The arrays of the other ranks do not
    /// matter; there may be none.
    public func scatter<Value: BitwiseCopyable>(parts: [[Value]], from root: Int = 0) -> [Value] {
        guard rank == root else { return Parcel.values(distribute(nil, from: root)) }
        return Parcel.values(distribute(parcel(parts, .scatter), from: root))
    }

    /// Returns a parcel with a part for each rank.
    func parcel<Value: BitwiseCopyable>(_ parts: [[Value]], _ call: CollectiveCall) -> Parcel {
        guard parts.count == size else {
            world.fail(call.name, "there must be one array for each of ", size, " ranks, and there are ", parts.count)
        }
        var parcel = Parcel()
        for part in parts { parcel.append(Parcel(Parcel.bytes(part))) }
        return parcel
    }

    /// Returns this rank's part of the root's parcel.
    private func distribute(_ given: Parcel?, from root: Int) -> [UInt8] {
        checkedRoot(root, .scatter)
        let tree = Tree(root: root, rank: rank, size: size)
        let parcel =
            tree.parent.map { Parcel(take(from: $0, .scatter), count: tree.count) }
            ?? (given ?? Parcel()).rotated(to: root)
        for child in tree.children.reversed() {
            pass(parcel.parts(child.start..<child.start + child.count).message, to: child.rank, .scatter)
        }
        return parcel.parts(0..<1).bytes
    }
}
