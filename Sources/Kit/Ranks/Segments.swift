// Arrays are combined element by element. A short one moves through the tree as a value does. A long one is cut into a
// segment for each rank, which combines it alone, with the same brackets. So each rank sends and receives the array about
// twice, and all ranks compute. The functions that combine are inlined, because a call of the operation for each element
// costs more than the operation. The others are not, because a module should be small.

extension Communicator {
    /// The least bytes of a segment. The messages of smaller ones cost more than the tree.
    private static var leastSegment: Int { 4096 }

    private func isLong<Value: BitwiseCopyable>(_ values: [Value]) -> Bool {
        size > 2 && values.count * MemoryLayout<Value>.stride / size >= Self.leastSegment
    }

    /// Combines the arrays of all ranks element by element, in the order of ranks. Returns the result on the root, and nil
    /// on the others. All arrays must have the same length.
    @inline(__always)
    public func reduce<Value: BitwiseCopyable>(
        _ values: [Value], to root: Int = 0, _ combine: (Value, Value) -> Value
    ) -> [Value]? {
        checkedRoot(root, .reduce)
        if isLong(values) { return join(reduceScatter(values, combine), values.count, to: root) }
        return moved(reduceTree(values, combine), values.count, to: root)
    }

    /// Moves an array from rank 0 to the root. Returns nil on the others.
    @inline(never)
    private func moved<Value: BitwiseCopyable>(_ whole: [Value]?, _ count: Int, to root: Int) -> [Value]? {
        guard root != 0 else { return whole }
        if let whole { whole.withUnsafeBytes { pass($0, to: root, .reduce) } }
        return rank == root ? takeArray(count, from: 0, .reduce) : nil
    }

    /// Combines the arrays of all ranks element by element, in the order of ranks. Returns the result on all ranks. All
    /// arrays must have the same length.
    @inline(__always)
    public func allReduce<Value: BitwiseCopyable>(
        _ values: [Value], _ combine: (Value, Value) -> Value
    ) -> [Value] {
        if isLong(values) { return joinEverywhere(reduceScatter(values, combine), values.count) }
        return broadcast(reduceTree(values, combine) ?? [])
    }

    /// Combines the arrays of all ranks element by element, in the order of ranks. Each rank returns only its share of the
    /// result: as many elements as `counts` gives to it, or about as many as the others, as in `share(of:)`, if that is
    /// nil.
    @inline(__always)
    public func reduceScatter<Value: BitwiseCopyable>(
        _ values: [Value], counts: [Int]? = nil, _ combine: (Value, Value) -> Value
    ) -> [Value] {
        let parts = exchangeSegments(values, counts)
        defer { parts.deallocate() }
        guard let start = parts.baseAddress else { return [] }
        let count = parts.count / size
        var step = 1
        while step < size {
            var first = 0
            while first + step < size {
                Self.combine(start + first * count, start + (first + step) * count, count, combine)
                first += 2 * step
            }
            step *= 2
        }
        return PotluckKit.values(UnsafeRawBufferPointer(UnsafeBufferPointer(start: start, count: count)))
    }

    /// Returns this rank's segment of each rank. The caller deallocates them.
    @inline(never)
    private func exchangeSegments<Value: BitwiseCopyable>(
        _ values: [Value], _ counts: [Int]?
    ) -> UnsafeMutableBufferPointer<Value> {
        let ranges = segments(values.count, counts)
        let count = ranges[rank].count
        let parts = UnsafeMutableBufferPointer<Value>.allocate(capacity: size * count)
        let place = UnsafeMutableRawBufferPointer(parts)
        values.withUnsafeBytes { bytes in
            place.part(of: Value.self, rank * count..<(rank + 1) * count)
                .copyMemory(from: bytes.part(of: Value.self, ranges[rank]))
            exchange(.reduce) {
                bytes.part(of: Value.self, ranges[$0])
            } receive: {
                take(place.part(of: Value.self, $0 * count..<($0 + 1) * count), from: $0, .reduce)
            }
        }
        return parts
    }

    /// Joins the shares of all ranks. Returns all on the root, and nil on the others.
    @inline(never)
    private func join<Value: BitwiseCopyable>(_ own: [Value], _ count: Int, to root: Int) -> [Value]? {
        own.withUnsafeBytes { own in
            guard rank == root else {
                pass(own, to: root, .reduce)
                return nil
            }
            return array(Value.self, count: count) { place in
                for rank in 0..<size {
                    let part = place.part(of: Value.self, share(of: count, rank: rank))
                    if rank == root { part.copyMemory(from: own) } else { take(part, from: rank, .reduce) }
                }
            }
        }
    }

    /// Joins the shares of all ranks. Returns all on all ranks.
    @inline(never)
    private func joinEverywhere<Value: BitwiseCopyable>(_ own: [Value], _ count: Int) -> [Value] {
        own.withUnsafeBytes { own in
            array(Value.self, count: count) { place in
                place.part(of: Value.self, share(of: count)).copyMemory(from: own)
                exchange(.reduce) { _ in
                    own
                } receive: {
                    take(place.part(of: Value.self, share(of: count, rank: $0)), from: $0, .reduce)
                }
            }
        }
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
    @inline(__always)
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

    @inline(never)
    func takeArray<Value: BitwiseCopyable>(
        _ count: Int, from rank: Int, _ call: CollectiveCall
    ) -> [Value] {
        array(Value.self, count: count) { take($0, from: rank, call) }
    }

    /// Combines two arrays of the same length into the first one.
    @inline(__always)
    static func combine<Value: BitwiseCopyable>(
        _ values: inout [Value], _ others: [Value], _ combine: (Value, Value) -> Value
    ) {
        let count = min(values.count, others.count)
        for index in 0..<count { values[index] = combine(values[index], others[index]) }
    }

    /// Combines `count` values with others, in their place. It checks no index, because it is the inner loop of reductions.
    @inline(__always)
    private static func combine<Value: BitwiseCopyable>(
        _ values: UnsafeMutablePointer<Value>, _ others: UnsafePointer<Value>, _ count: Int,
        _ combine: (Value, Value) -> Value
    ) {
        for index in 0..<count { values[index] = combine(values[index], others[index]) }
    }
}
