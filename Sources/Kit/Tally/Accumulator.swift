/// How the 8-byte slots of a tally merge. Each rule is associative and commutative bit for bit, so no order can matter.
///
/// The raw values are in the ABI and on the wire: append, never renumber.
public enum SlotRule: UInt8, Sendable {
    /// An unsigned number that adds up, and stays at 2⁶⁴ − 1 once it would pass it.
    case count = 1
    /// Five slots: 256 bits of two's complement, least significant first, which add up, and a slot of flags, which join.
    case sum = 2
    /// An ordered key (see `OrderedKey`) of which the smallest is kept.
    case minimum = 3
    /// An ordered key of which the largest is kept.
    case maximum = 4

    public var slots: Int { self == .sum ? 5 : 1 }
}

/// What a tally's field may be: something of fixed size that merges exactly.
///
/// Nothing else can be one, so every tally merges exactly; that is why the kit's accumulators are the only ones.
public protocol Accumulator: Sendable {
    /// How views show it and JSON names it.
    static var kind: FieldKind { get }
    /// The rules of its slots, in order: what merges them where only the slots are at hand.
    static func rules(_ add: (SlotRule, Int) -> Void)
    /// Its slots, in order.
    func write(_ slots: inout SlotWriter)
    /// Takes its slots back, in the same order.
    mutating func read(_ slots: inout SlotReader)
    /// From where to where its bins go; nil for what has none.
    var range: ClosedRange<Double>? { get }
}

extension Accumulator {
    public var range: ClosedRange<Double>? { nil }
}

/// What kind of thing a field is. In the ABI and on the wire: append, never renumber.
public enum FieldKind: UInt8, Sendable {
    case count = 1
    case sum = 2
    case minimum = 3
    case maximum = 4
    case histogram = 5
    case moments = 6
    /// Of what a gathering wrote.
    case print = 7
}

/// Puts a tally's slots one after the other into memory that is large enough for them.
public struct SlotWriter {
    @usableFromInline var next: UnsafeMutablePointer<UInt64>

    @inlinable public init(_ memory: UnsafeMutablePointer<UInt64>) { next = memory }

    @inlinable
    public mutating func put(_ slot: UInt64) {
        next.pointee = slot
        next += 1
    }
}

/// Takes a tally's slots one after the other.
public struct SlotReader {
    @usableFromInline var next: UnsafePointer<UInt64>

    @inlinable public init(_ memory: UnsafePointer<UInt64>) { next = memory }

    @inlinable
    public mutating func take() -> UInt64 {
        let slot = next.pointee
        next += 1
        return slot
    }
}
