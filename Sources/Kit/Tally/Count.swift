/// The number of times that something happened.
@frozen public struct Count: Accumulator, Equatable {
    /// How many times it happened.
    public var value: UInt64 = 0

    /// Creates a count of 0.
    public init() {}

    /// Adds 1 if `happened` is true, without a branch. Stays at 2⁶⁴ − 1.
    @inlinable @inline(__always)
    public mutating func add(_ happened: Bool) {
        // A condition here might compile to a jump, which a coin's toss mispredicts half the time.
        value &+= UInt64(unsafeBitCast(happened, to: UInt8.self) & unsafeBitCast(value != .max, to: UInt8.self))
    }

    /// Adds `times`. Stays at 2⁶⁴ − 1 on overflow, as merging does.
    @inlinable @inline(__always)
    public mutating func add(_ times: UInt32 = 1) {
        let (sum, overflow) = value.addingReportingOverflow(UInt64(times))
        value = overflow ? .max : sum
    }

    /// Adds `times`, an integer of any type that must not be negative. Stays at 2⁶⁴ − 1 on overflow.
    @inlinable @inline(__always) @_disfavoredOverload
    public mutating func add(_ times: some FixedWidthInteger) {
        Misuse.stop(unless: times >= 0, "a count cannot go down")
        let (sum, overflow) = value.addingReportingOverflow(UInt64(times))
        value = overflow ? .max : sum
    }

    public static var kind: FieldKind { .count }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.count, 1) }

    @inlinable public func write(_ slots: inout SlotWriter) { slots.put(value) }
    @inlinable public mutating func read(_ slots: inout SlotReader) { value = slots.take() }
}
