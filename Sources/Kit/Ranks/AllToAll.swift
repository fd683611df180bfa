extension Communicator {
    /// Sends an equal part of the values to each rank, in the order of ranks, and returns the parts that all sent to
    /// this one. The number of ranks must divide the number of values.
    public func allToAll<Value: BitwiseCopyable>(_ values: [Value]) -> [Value] {
        guard values.count % size == 0 else {
            world.fail(
                "allToAll", "there are ", values.count, " values, which ", size,
                " ranks cannot share equally; use allToAll(parts:)")
        }
        let each = values.count / size
        return values.withUnsafeBytes { bytes in
            array(Value.self, count: values.count) { place in
                place.part(of: Value.self, rank * each..<(rank + 1) * each).copyMemory(
                    from: bytes.part(of: Value.self, rank * each..<(rank + 1) * each))
                exchange(.allToAll) {
                    bytes.part(of: Value.self, $0 * each..<($0 + 1) * each)
                } receive: {
                    take(place.part(of: Value.self, $0 * each..<($0 + 1) * each), from: $0, .allToAll)
                }
            }
        }
    }

    /// Sends one array to each rank, and returns the arrays that all sent to this one, in the order of ranks. They may
    /// have different lengths.
    public func allToAll<Value: BitwiseCopyable>(parts: [[Value]]) -> [[Value]] {
        checkParts(parts, .allToAll)
        let parcel = Parcel(parts: parts)
        var received = [[Value]](repeating: [], count: size)
        received[rank] = parts[rank]
        parcel.bytes.withUnsafeBytes { bytes in
            exchange(.allToAll) {
                UnsafeRawBufferPointer(rebasing: bytes[parcel.place($0..<$0 + 1)])
            } receive: {
                received[$0] = takeValues(from: $0, .allToAll)
            }
        }
        return received
    }
}
