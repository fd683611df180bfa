extension Communicator {
    /// Waits until all ranks have called it.
    public func barrier() {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        var step = 1
        while step < size {
            _ = swap(nothing, to: (rank + step) % size, from: (rank - step + size) % size, .barrier)
            step *= 2
        }
    }

    /// Returns the value of the root on all ranks. The values of the others do not matter.
    public func broadcast<Value: BitwiseCopyable>(_ value: Value, from root: Int = 0) -> Value {
        checkedRoot(root, .broadcast)
        let tree = Tree(root: root, rank: rank, size: size)
        let result =
            tree.parent.map { parent in
                PotluckKit.value(Value.self) { take($0, from: parent, .broadcast) }
            } ?? value
        withBytes(of: result) { bytes in
            for child in tree.children.reversed() { pass(bytes, to: child.rank, .broadcast) }
        }
        return result
    }

    /// Returns the array of the root on all ranks. The arrays of the others do not matter; they may be empty.
    public func broadcast<Value: BitwiseCopyable>(_ values: [Value], from root: Int = 0) -> [Value] {
        checkedRoot(root, .broadcast)
        let tree = Tree(root: root, rank: rank, size: size)
        let result = tree.parent.map { Parcel.values(take(from: $0, .broadcast)) } ?? values
        result.withUnsafeBytes { bytes in
            for child in tree.children.reversed() { pass(bytes, to: child.rank, .broadcast) }
        }
        return result
    }
}
