extension Communicator {
    /// Collects a value of each rank. Returns them in the order of ranks on the root, and nil on the others.
    public func gather<Value: BitwiseCopyable>(_ value: Value, to root: Int = 0) -> [Value]? {
        gather([value], to: root)
    }

    /// Collects the values of all ranks, which may have different numbers of them. Returns all in one array, in the order
    /// of ranks, on the root, and nil on the others.
    public func gather<Value: BitwiseCopyable>(_ values: [Value], to root: Int = 0) -> [Value]? {
        // The parts begin with the root's.
        collect(values, to: root).map { $0.values(from: (size - root) % size) }
    }

    /// Collects the values of all ranks. Returns an array for each rank on the root, and nil on the others.
    public func gatherParts<Value: BitwiseCopyable>(_ values: [Value], to root: Int = 0) -> [[Value]]? {
        collect(values, to: root).map { $0.split(from: (size - root) % size) }
    }

    /// Returns the parts of all ranks on the root, in the order of their places in the tree.
    private func collect<Value: BitwiseCopyable>(_ values: [Value], to root: Int) -> Parcel? {
        checkedRoot(root, .gather)
        let tree = Tree(root: root, rank: rank, size: size)
        var parcel = Parcel(values)
        for child in tree.children { take(child.count, into: &parcel, from: child.rank, .gather) }
        guard let parent = tree.parent else { return parcel }
        pass(parcel, 0..<tree.count, to: parent, .gather)
        return nil
    }
}

extension Communicator {
    /// Collects a value of each rank. Returns them on all ranks, in the order of ranks.
    public func allGather<Value: BitwiseCopyable>(_ value: Value) -> [Value] { allGather([value]) }

    /// Collects the values of all ranks, which may have different numbers of them. Returns all in one array on all ranks,
    /// in the order of ranks.
    public func allGather<Value: BitwiseCopyable>(_ values: [Value]) -> [Value] {
        collectEverywhere(values).values(from: (size - rank) % size)
    }

    /// Collects the values of all ranks. Returns an array for each rank on all ranks.
    public func allGatherParts<Value: BitwiseCopyable>(_ values: [Value]) -> [[Value]] {
        collectEverywhere(values).split(from: (size - rank) % size)
    }

    /// Returns the parts of all ranks, from this one on. In each step a rank gets as many parts as it has, from the rank
    /// that many places after it.
    private func collectEverywhere<Value: BitwiseCopyable>(_ values: [Value]) -> Parcel {
        var parcel = Parcel(values)
        var held = 1
        while held < size {
            let count = min(held, size - held)
            let requests = begin(parcel, 0..<count, to: (rank - held + size) % size, .allGather)
            take(count, into: &parcel, from: (rank + held) % size, .allGather)
            for request in requests { finish(request) }
            held += count
        }
        return parcel
    }
}
