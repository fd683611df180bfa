// Values as the bytes of messages. A value has the bytes that it has in an array.

/// Calls `body` with the bytes of a value.
func withBytes<Value: BitwiseCopyable, Result>(of value: Value, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
        place.initialize(repeating: value)
        return body(UnsafeRawBufferPointer(place))
    }
}

/// Returns the value that `body` writes.
func value<Value: BitwiseCopyable>(_: Value.Type, _ body: (UnsafeMutableRawBufferPointer) -> Void) -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
        body(UnsafeMutableRawBufferPointer(place))
        return place[0]
    }
}

/// Returns the values that bytes are.
func values<Value: BitwiseCopyable>(_ bytes: UnsafeRawBufferPointer) -> [Value] {
    array(Value.self, count: bytes.count / MemoryLayout<Value>.stride) { place in
        place.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<place.count]))
    }
}

/// Returns the `count` values that `body` writes.
func array<Value: BitwiseCopyable>(
    _: Value.Type, count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void
) -> [Value] {
    // For an empty array, Swift would write to the one empty array that all threads share.
    if count == 0 {
        body(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        return []
    }
    return [Value](unsafeUninitializedCapacity: count) { place, used in
        body(
            UnsafeMutableRawBufferPointer(
                rebasing: UnsafeMutableRawBufferPointer(place)[..<(count * MemoryLayout<Value>.stride)]))
        used = count
    }
}

extension UnsafeRawBufferPointer {
    /// Returns the bytes of a range of the values that these bytes are.
    func part<Value: BitwiseCopyable>(of _: Value.Type, _ range: Range<Int>) -> Self {
        let size = MemoryLayout<Value>.stride
        return Self(rebasing: self[range.lowerBound * size..<range.upperBound * size])
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Returns the bytes of a range of the values that these bytes are.
    func part<Value: BitwiseCopyable>(of _: Value.Type, _ range: Range<Int>) -> Self {
        let size = MemoryLayout<Value>.stride
        return Self(rebasing: self[range.lowerBound * size..<range.upperBound * size])
    }
}
