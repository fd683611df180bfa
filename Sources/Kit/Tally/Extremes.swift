/// Real numbers as integers in the same order, with a place outside it for "nothing yet" and "not a number".
@usableFromInline enum OrderedKey {
    /// Between -∞ and +∞ lie 2⁶⁴ − 2⁵³ + 2 keys; the ends of the range are free for the two marks.
    @inlinable
    static func key(_ x: Double) -> Int64 {
        let bits = Int64(bitPattern: x.bitPattern)
        return bits >= 0 ? bits : bits ^ .max
    }

    /// Nil for the two marks, and for the keys next to them, which no number has.
    @inlinable
    static func number(_ key: Int64) -> Double? {
        let number = Double(bitPattern: UInt64(bitPattern: key >= 0 ? key : key ^ .max))
        return number.isNaN ? nil : number
    }
}

/// The smallest number seen. Minus zero is smaller than zero.
@frozen public struct Minimum: Accumulator, Equatable {
    /// Int64.max for nothing yet; Int64.min, smaller than every number, once something was not a number.
    @usableFromInline var key = Int64.max

    public init() {}

    @inlinable
    public mutating func add(_ x: Double) { key = min(key, x.isNaN ? .min : OrderedKey.key(x)) }

    /// Nil where there is none, or where something added was not a number.
    public var value: Double? { OrderedKey.number(key) }

    /// Whether something added was not a number.
    public var isSpoilt: Bool { key == .min }

    public static var kind: FieldKind { .minimum }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.minimum, 1) }

    @inlinable public func write(_ slots: inout SlotWriter) { slots.put(UInt64(bitPattern: key)) }
    @inlinable public mutating func read(_ slots: inout SlotReader) { key = Int64(bitPattern: slots.take()) }
}

/// The largest number seen. Zero is larger than minus zero.
@frozen public struct Maximum: Accumulator, Equatable {
    /// Int64.min for nothing yet; Int64.max, larger than every number, once something was not a number.
    @usableFromInline var key = Int64.min

    public init() {}

    @inlinable
    public mutating func add(_ x: Double) { key = max(key, x.isNaN ? .max : OrderedKey.key(x)) }

    /// Nil where there is none, or where something added was not a number.
    public var value: Double? { OrderedKey.number(key) }

    /// Whether something added was not a number.
    public var isSpoilt: Bool { key == .max }

    public static var kind: FieldKind { .maximum }
    public static func rules(_ add: (SlotRule, Int) -> Void) { add(.maximum, 1) }

    @inlinable public func write(_ slots: inout SlotWriter) { slots.put(UInt64(bitPattern: key)) }
    @inlinable public mutating func read(_ slots: inout SlotReader) { key = Int64(bitPattern: slots.take()) }
}
