// A checkpoint keeps a value, an array, or a value and an array. All ranks of the world must make the same number of
// checkpoints. One is complete when the last rank has made it; after that a start can continue from there.

extension Communicator {
    /// Keeps a value as the state of this rank.
    public func checkpoint<Value: BitwiseCopyable>(_ value: Value) {
        withBytes(of: value) { world.port.checkpoint($0) }
    }

    /// Keeps an array as the state of this rank.
    public func checkpoint<Value: BitwiseCopyable>(_ values: [Value]) {
        values.withUnsafeBytes { world.port.checkpoint($0) }
    }

    /// Keeps a value and an array as the state of this rank: for example a step and the numbers at that step.
    public func checkpoint<Head: BitwiseCopyable, Value: BitwiseCopyable>(_ head: Head, _ values: [Value]) {
        var parcel = Parcel([head])
        parcel.append(sizes: [values.count * MemoryLayout<Value>.stride]) { place in
            values.withUnsafeBytes { place.copyMemory(from: $0) }
        }
        parcel.bytes.withUnsafeBytes { world.port.checkpoint($0) }
    }

    /// Returns the value that this rank kept in the checkpoint from which this start continues; nil if there is none.
    public func restore<Value: BitwiseCopyable>(_: Value.Type = Value.self) -> Value? {
        guard let bytes = restoredBytes() else { return nil }
        let size = MemoryLayout<Value>.stride
        guard bytes.count == size else {
            world.fail("restore", "the state has ", bytes.count, " bytes, and the value has ", size)
        }
        let one: [Value] = bytes.withUnsafeBytes { values($0) }
        return one[0]
    }

    /// Returns the array that this rank kept in the checkpoint from which this start continues; nil if there is none.
    public func restore<Value: BitwiseCopyable>(_: [Value].Type = [Value].self) -> [Value]? {
        restoredBytes().map { restored($0[...]) }
    }

    /// Returns the value and the array that this rank kept in the checkpoint from which this start continues; nil if
    /// there is none.
    public func restore<Head: BitwiseCopyable, Value: BitwiseCopyable>(
        _: Head.Type = Head.self, _: [Value].Type = [Value].self
    ) -> (Head, [Value])? {
        guard let bytes = restoredBytes() else { return nil }
        let size = MemoryLayout<Head>.stride
        guard bytes.count >= size else {
            world.fail("restore", "the state has ", bytes.count, " bytes, and the value alone has ", size)
        }
        let head: [Head] = bytes[..<size].withUnsafeBytes { values($0) }
        return (head[0], restored(bytes[size...]))
    }

    private func restored<Value: BitwiseCopyable>(_ bytes: ArraySlice<UInt8>) -> [Value] {
        let size = MemoryLayout<Value>.stride
        guard bytes.count % size == 0 else {
            world.fail("restore", "the state has ", bytes.count, " bytes, and each value has ", size)
        }
        return bytes.withUnsafeBytes { values($0) }
    }

    private func restoredBytes() -> [UInt8]? {
        guard let size = world.port.restore(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) else {
            return nil
        }
        return array(UInt8.self, count: size) { _ = world.port.restore(into: $0) }
    }
}
