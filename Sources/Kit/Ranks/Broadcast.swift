extension Communicator {
    /// Waits until all ranks have called it.
    public func barrier() {
        // Up the tree and down again. This takes twice as many steps as when each rank hears from others in every step,
        // but far fewer messages, and ranks that share cores pay for messages.
        let tree = Tree(root: 0, rank: rank, size: size)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let nowhere = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        for child in tree.children { take(nowhere, from: child.rank, .barrier) }
        if let parent = tree.parent {
            pass(nothing, to: parent, .barrier, .buffered)
            take(nowhere, from: parent, .barrier)
        }
        for child in tree.children.reversed() { pass(nothing, to: child.rank, .barrier, .buffered) }
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
    @inline(never)
    public func broadcast<Value: BitwiseCopyable>(_ values: [Value], from root: Int = 0) -> [Value] {
        checkedRoot(root, .broadcast)
        let tree = Tree(root: root, rank: rank, size: size)
        let result = tree.parent.map { takeValues(from: $0, .broadcast) } ?? values
        result.withUnsafeBytes { bytes in
            for child in tree.children.reversed() { pass(bytes, to: child.rank, .broadcast) }
        }
        return result
    }
}
