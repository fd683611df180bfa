// Arrays are combined element by element. A short one moves through the tree as a value does. A long one is cut into a
// segment for each rank, which combines it alone, with the same brackets. So each rank sends and receives the array about
// twice, and all ranks compute.

extension Communicator {
    /// The least bytes of a segment. The messages of smaller ones cost more than the tree.
    private static var leastSegment: Int { 4096 }

    private func isLong<Value: BitwiseCopyable>(_ values: [Value]) -> Bool {
        size > 2 && values.count * MemoryLayout<Value>.stride / size >= Self.leastSegment
    }

    /// Combines the arrays of all ranks element by element, in the order of ranks. Returns the result on the root, and nil
    /// on the others. All arrays must have the same length.
    public func reduce<Value: BitwiseCopyable>(
        _ values: [Value], to root: Int = 0, _ combine: (Value, Value) -> Value
    ) -> [Value]? {
        checkedRoot(root, .reduce)
        if isLong(values) { return gather(reduceScatter(values, combine), to: root) }
        let whole = reduceTree(values, combine)
        guard root != 0 else { return whole }
        if let whole { whole.withUnsafeBytes { pass($0, to: root, .reduce) } }
        return rank == root ? takeArray(values.count, from: 0, .reduce) : nil
    }

    /// Combines the arrays of all ranks element by element, in the order of ranks. Returns the result on all ranks. All
    /// arrays must have the same length.
    public func allReduce<Value: BitwiseCopyable>(
        _ values: [Value], _ combine: (Value, Value) -> Value
    ) -> [Value] {
        if isLong(values) { return allGather(reduceScatter(values, combine)) }
        return broadcast(reduceTree(values, combine) ?? [])
    }

    /// Combines the arrays of all ranks element by element, in the order of ranks. Each rank returns only its share of the
    /// result: as many elements as `counts` gives to it, or about as many as the others, as in `share(of:)`, if that is
    /// nil.
    public func reduceScatter<Value: BitwiseCopyable>(
        _ values: [Value], counts: [Int]? = nil, _ combine: (Value, Value) -> Value
    ) -> [Value] {
        let stride = MemoryLayout<Value>.stride
        let ranges = segments(values.count, counts)
        let received = values.withUnsafeBytes { bytes in
            exchange(ranges.map { $0.lowerBound * stride..<$0.upperBound * stride }, of: bytes, .reduce)
        }
        let expected = ranges[rank].count * stride
        var parts: [[Value]] = received.map { part in
            guard part.count == expected else {
                world.fail(
                    "reduce", "this rank expects ", expected, " bytes and was sent ", part.count,
                    "; all ranks must give as many values")
            }
            return Parcel.values(part)
        }
        var step = 1
        while step < size {
            for place in Swift.stride(from: 0, to: size - step, by: 2 * step) {
                Self.combine(&parts[place], parts[place + step], combine)
            }
            step *= 2
        }
        return parts[0]
    }

    private func segments(_ count: Int, _ counts: [Int]?) -> [Range<Int>] {
        guard let counts else { return (0..<size).map { share(of: count, rank: $0) } }
        guard counts.count == size else {
            world.fail(
                "reduceScatter", "there must be a count for each of ", size, " ranks, and there are ", counts.count)
        }
        var end = 0
        let ranges = counts.map { count in
            guard count >= 0 else { world.fail("reduceScatter", "a count must not be ", count) }
            end += count
            return end - count..<end
        }
        guard end == count else {
            world.fail("reduceScatter", "the counts add up to ", end, ", and there are ", count, " values")
        }
        return ranges
    }

    /// Returns the result on rank 0, and nil on the others.
    private func reduceTree<Value: BitwiseCopyable>(
        _ values: [Value], _ combine: (Value, Value) -> Value
    ) -> [Value]? {
        let tree = Tree(root: 0, rank: rank, size: size)
        var result = values
        for child in tree.children {
            Self.combine(&result, takeArray(values.count, from: child.rank, .reduce), combine)
        }
        guard let parent = tree.parent else { return result }
        result.withUnsafeBytes { pass($0, to: parent, .reduce) }
        return nil
    }

    func takeArray<Value: BitwiseCopyable>(
        _ count: Int, from rank: Int, _ call: CollectiveCall
    ) -> [Value] {
        array(Value.self, count: count) { take($0, from: rank, call) }
    }

    /// Combines two arrays of the same length into the first one.
    static func combine<Value: BitwiseCopyable>(
        _ values: inout [Value], _ others: [Value], _ combine: (Value, Value) -> Value
    ) {
        for index in values.indices { values[index] = combine(values[index], others[index]) }
    }
}
