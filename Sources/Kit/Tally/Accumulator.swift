/// How the 8-byte slots of a tally merge. Each rule is associative and commutative
/// bit for bit, so the order never matters.
///
/// The raw values are part of the ABI and of the wire protocol: append, never renumber.
public enum SlotRule: UInt8, Sendable {
    /// An unsigned number. Slots add up, and stay at 2⁶⁴ − 1 on overflow.
    case count = 1
    /// Five slots. The first four are a 256-bit two's complement number, least significant first,
    /// and add up. The fifth holds flags, which merge by OR.
    case sum = 2
    /// An ordered key (see `OrderedKey`). The smallest is kept.
    case minimum = 3
    /// An ordered key. The largest is kept.
    case maximum = 4
    /// Two slots: a key and a point (see `Best`). The pair with the smallest key is kept, and of those with the same
    /// key the one with the lowest point.
    case best = 5

    /// The number of slots that one value of this rule takes.
    public var slots: Int {
        switch self {
        case .count, .minimum, .maximum: 1
        case .best: 2
        case .sum: 5
        }
    }
}

/// The type of a tally's field: a value of fixed size that merges exactly.
///
/// Only the kit's accumulators conform to it, because every tally must merge exactly.
public protocol Accumulator: Sendable {
    /// The field's kind, which decides how views show it and how JSON names it.
    static var kind: FieldKind { get }
    /// Reports the rules of its slots, in order: a rule and how many times it applies.
    static func rules(_ add: (SlotRule, Int) -> Void)
    /// Writes its slots, in order.
    func write(_ slots: inout SlotWriter)
    /// Reads its slots, in the same order.
    mutating func read(_ slots: inout SlotReader)
    /// The number of a histogram's bins or cells, of the numbers of comoments, of categories or of times; 0 for other accumulators.
    static var parts: Int { get }
    /// The range of a histogram's bins; nil for other accumulators.
    var range: ClosedRange<Double>? { get }
}

extension Accumulator {
    /// No parts.
    public static var parts: Int { 0 }
    /// No range.
    public var range: ClosedRange<Double>? { nil }
}

/// The kind of a tally's field. The raw values are part of the ABI and of the wire protocol: append, never renumber.
public enum FieldKind: UInt8, Sendable {
    /// A `Count`.
    case count = 1
    /// An `ExactSum`.
    case sum = 2
    /// A `Minimum`.
    case minimum = 3
    /// A `Maximum`.
    case maximum = 4
    /// A `Histogram`, or the cells of a `Histogram2D`.
    case histogram = 5
    /// The `Moments` of numbers.
    case moments = 6
    /// The print of a gathering's output.
    case print = 7
    /// The best solution of a search.
    case best = 8
    /// The `Comoments` of several numbers, or `Pairs`.
    case comoments = 9
    /// `Quantiles`.
    case quantiles = 10
    /// The `Counts` of categories.
    case counts = 11
    /// The moments of a `Series`.
    case series = 12
}

/// Writes a tally's slots, one after the other, to memory that is large enough for them.
public struct SlotWriter {
    @usableFromInline var next: UnsafeMutablePointer<UInt64>

    /// Creates a writer whose first slot goes to `memory`.
    @inlinable public init(_ memory: UnsafeMutablePointer<UInt64>) { next = memory }

    /// Writes the next slot.
    @inlinable
    public mutating func put(_ slot: UInt64) {
        next.pointee = slot
        next += 1
    }
}

/// Reads a tally's slots, one after the other.
public struct SlotReader {
    @usableFromInline var next: UnsafePointer<UInt64>

    /// Creates a reader whose first slot comes from `memory`.
    @inlinable public init(_ memory: UnsafePointer<UInt64>) { next = memory }

    /// Returns the next slot.
    @inlinable
    public mutating func take() -> UInt64 {
        let slot = next.pointee
        next += 1
        return slot
    }
}
