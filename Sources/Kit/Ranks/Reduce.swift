// Results are combined in the order of ranks. The brackets depend only on the number of ranks: n ranks are split at the
// largest power of two below n, and each half likewise, so 6 ranks give ((0 1)(2 3))(4 5). So the bits of floating
// point do not depend on the root, the length of the arrays, or the message that arrives first. The binomial tree below
// rank 0 has these brackets.

extension Communicator {
    /// Combines the values of all ranks, in the order of ranks. Returns the result on the root, and nil on the others.
    ///
    ///     let sum = world.reduce(part, +)
    ///     let largest = world.reduce(part, max)
    ///
    /// `combine` must be associative, as `+`, `*`, `min`, `max`, `&` and `|` are. For floating point, where `+` is not,
    /// the result is the same in every run with the same number of ranks.
    public func reduce<Value: BitwiseCopyable>(
        _ value: Value, to root: Int = 0, _ combine: (Value, Value) -> Value
    ) -> Value? {
        checkedRoot(root, .reduce)
        let tree = Tree(root: 0, rank: rank, size: size)
        var result = value
        for child in tree.children {
            result = combine(result, PotluckKit.value(Value.self) { take($0, from: child.rank, .reduce) })
        }
        if let parent = tree.parent {
            withBytes(of: result) { pass($0, to: parent, .reduce) }
        } else if root != 0 {
            withBytes(of: result) { pass($0, to: root, .reduce) }
        }
        guard rank == root else { return nil }
        return root == 0 ? result : PotluckKit.value(Value.self) { take($0, from: 0, .reduce) }
    }

    /// Combines the values of all ranks, and returns the result on all ranks.
    public func allReduce<Value: BitwiseCopyable>(
        _ value: Value, _ combine: (Value, Value) -> Value
    ) -> Value {
        broadcast(reduce(value, combine) ?? value)
    }

    /// Whether the condition is true on all ranks.
    public func all(_ condition: Bool) -> Bool { allReduce(condition) { $0 && $1 } }

    /// Whether the condition is true on at least one rank.
    public func any(_ condition: Bool) -> Bool { allReduce(condition) { $0 || $1 } }
}
