extension Communicator {
    /// Collects a value of each rank. Returns them in the order of ranks on the root, and nil on the others.
    public func gather<Value: BitwiseCopyable>(_ value: Value, to root: Int = 0) -> [Value]? {
        gather([value], to: root)
    }

    /// Collects the values of all ranks, which may have different numbers of them. Returns all in one array, in the order
    /// of ranks, on the root, and nil on the others.
    public func gather<Value: BitwiseCopyable>(_ values: [Value], to root: Int = 0) -> [Value]? {
        collect(Parcel.bytes(values), to: root).map { Parcel.values($0.bytes) }
    }

    /// Collects the values of all ranks. Returns an array for each rank on the root, and nil on the others.
    public func gatherParts<Value: BitwiseCopyable>(_ values: [Value], to root: Int = 0) -> [[Value]]? {
        collect(Parcel.bytes(values), to: root).map { $0.split.map { Parcel.values($0) } }
    }

    private func collect(_ bytes: [UInt8], to root: Int) -> Parcel? {
        checkedRoot(root, .gather)
        let tree = Tree(root: root, rank: rank, size: size)
        var parcel = Parcel(bytes)
        for child in tree.children {
            parcel.append(Parcel(take(from: child.rank, .gather), count: child.count))
        }
        if let parent = tree.parent {
            pass(parcel.message, to: parent, .gather)
            return nil
        }
        // The parts begin with the root's.
        return parcel.rotated(to: (size - root) % size)
    }
}

extension Communicator {
    /// Collects a value of each rank. Returns them on all ranks, in the order of ranks.
    public func allGather<Value: BitwiseCopyable>(_ value: Value) -> [Value] { allGather([value]) }

    /// Collects the values of all ranks, which may have different numbers of them. Returns all in one array on all ranks,
    /// in the order of ranks.
    public func allGather<Value: BitwiseCopyable>(_ values: [Value]) -> [Value] {
        Parcel.values(collectEverywhere(Parcel.bytes(values), .allGather).bytes)
    }

    /// Collects the values of all ranks. Returns an array for each rank on all ranks.
    public func allGatherParts<Value: BitwiseCopyable>(_ values: [Value]) -> [[Value]] {
        collectEverywhere(Parcel.bytes(values), .allGather).split.map { Parcel.values($0) }
    }

    /// In each step a rank gets as many parts as it has, from the rank that many places after it.
    func collectEverywhere(_ bytes: [UInt8], _ call: CollectiveCall) -> Parcel {
        var parcel = Parcel(bytes)
        var held = 1
        while held < size {
            let count = min(held, size - held)
            let message = parcel.parts(0..<count).message
            let received = message.withUnsafeBytes {
                swap($0, to: (rank - held + size) % size, from: (rank + held) % size, call)
            }
            parcel.append(Parcel(received, count: count))
            held += count
        }
        // The parts begin with this rank's.
        return parcel.rotated(to: (size - rank) % size)
    }
}
