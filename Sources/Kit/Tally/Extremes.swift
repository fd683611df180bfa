/// Maps real numbers to integers in the same order, and leaves two integers free to mark "no number yet" and "NaN".
@usableFromInline enum OrderedKey {
    /// Returns the key of a number. The keys from -∞ to +∞ are 2⁶⁴ − 2⁵³ + 2, so
    /// both ends of Int64 are free for the marks.
    @inlinable
    static func key(_ x: Double) -> Int64 {
        let bits = Int64(bitPattern: x.bitPattern)
        return bits >= 0 ? bits : bits ^ .max
    }

    /// Returns the number of a key; nil for the two marks and for the keys next to them, which belong to no number.
    @inlinable
    static func number(_ key: Int64) -> Double? {
        let number = Double(bitPattern: UInt64(bitPattern: key >= 0 ? key : key ^ .max))
        return number.isNaN ? nil : number
    }
}

/// The smallest number added. Minus zero is smaller than zero.
@frozen public struct Minimum: Accumulator, Equatable {
    /// Int64.max before the first number; Int64.min, smaller than every number, once NaN was added.
    @usableFromInline var key = Int64.max

    /// Creates the minimum of no numbers.
    public init() {}

    /// Adds a number. NaN spoils the minimum for good.
    @inlinable
    public mutating func add(_ x: Double) { key = min(key, x.isNaN ? .min : OrderedKey.key(x)) }

    /// Nil if nothing was added, or if NaN was.
    public var value: Double? { OrderedKey.number(key) }

    /// Whether NaN was added.
    public var isSpoilt: Bool { key == .min }

    public static var kind: FieldKind { .minimum }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.minimum, 1) }

    @inlinable public func write(_ slots: inout SlotWriter) { slots.put(UInt64(bitPattern: key)) }
    @inlinable public mutating func read(_ slots: inout SlotReader) { key = Int64(bitPattern: slots.take()) }
}

/// The largest number added. Zero is larger than minus zero.
@frozen public struct Maximum: Accumulator, Equatable {
    /// Int64.min before the first number; Int64.max, larger than every number, once NaN was added.
    @usableFromInline var key = Int64.min

    /// Creates the maximum of no numbers.
    public init() {}

    /// Adds a number. NaN spoils the maximum for good.
    @inlinable
    public mutating func add(_ x: Double) { key = max(key, x.isNaN ? .max : OrderedKey.key(x)) }

    /// Nil if nothing was added, or if NaN was.
    public var value: Double? { OrderedKey.number(key) }

    /// Whether NaN was added.
    public var isSpoilt: Bool { key == .max }

    public static var kind: FieldKind { .maximum }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.maximum, 1) }

    @inlinable public func write(_ slots: inout SlotWriter) { slots.put(UInt64(bitPattern: key)) }
    @inlinable public mutating func read(_ slots: inout SlotReader) { key = Int64(bitPattern: slots.take()) }
}
