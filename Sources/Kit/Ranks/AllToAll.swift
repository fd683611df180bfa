extension Communicator {
    /// Sends an equal part of the values to each rank, in the order of ranks, and returns what all sent to this one. The
    /// number of ranks must divide the number of values.
    public func allToAll<Value: BitwiseCopyable>(_ values: [Value]) -> [Value] {
        guard values.count % size == 0 else {
            world.fail(
                "allToAll", "there are ", values.count, " values, which ", size,
                " ranks cannot share equally; use allToAll(parts:)")
        }
        let each = values.count / size * MemoryLayout<Value>.stride
        let received = values.withUnsafeBytes { bytes in
            exchange((0..<size).map { $0 * each..<($0 + 1) * each }, of: bytes, .allToAll)
        }
        for part in received where part.count != each {
            world.fail(
                "allToAll", "this rank expects ", each, " bytes and was sent ", part.count,
                "; all ranks must give as many values")
        }
        var joined: [UInt8] = []
        for part in received { joined.append(contentsOf: part) }
        return Parcel.values(joined)
    }

    /// Sends one array to each rank, and returns the arrays that all sent to this one, in the order of ranks. They may
    /// have different lengths.
    public func allToAll<Value: BitwiseCopyable>(parts: [[Value]]) -> [[Value]] {
        let parcel = parcel(parts, .allToAll)
        var end = 0
        let ranges = parcel.sizes.map { size in
            end += size
            return end - size..<end
        }
        let received = parcel.bytes.withUnsafeBytes { exchange(ranges, of: $0, .allToAll) }
        return received.map { Parcel.values($0) }
    }

    /// Sends a range of the bytes to each rank, and returns what each sent to this one.
    func exchange(_ ranges: [Range<Int>], of bytes: UnsafeRawBufferPointer, _ call: CollectiveCall) -> [[UInt8]] {
        var received = [[UInt8]](repeating: [], count: size)
        received[rank] = Array(bytes[ranges[rank]])
        for distance in 1..<size {
            let (next, previous) = ((rank + distance) % size, (rank - distance + size) % size)
            received[previous] = swap(
                UnsafeRawBufferPointer(rebasing: bytes[ranges[next]]), to: next, from: previous, call)
        }
        return received
    }
}
