/// Accumulates pairs of numbers for their covariance, their correlation and a line through them. Their intervals depend on
/// fourth powers, so these are comoments of x, y, x · y, x · x and y · y, with the products rounded.
@frozen public struct Pairs: Accumulator, Equatable {
    @usableFromInline var all = Comoments<5>()

    /// Creates the comoments of no pairs.
    public init() {}

    /// How many pairs were added.
    public var count: UInt64 { all.count }

    /// Adds a pair. The magnitude of each number must be less than 55 000, because its fourth power must be less than 2⁶³.
    @inlinable @inline(__always)
    public mutating func add(_ x: Double, _ y: Double) { all.add([x, y, x * y, x * x, y * y]) }

    /// Whether a number that was added was too large or NaN.
    public var isSpoilt: Bool { all.isSpoilt }

    /// The sample covariance of x and y; nil for fewer than two pairs or if spoilt.
    public var covariance: Double? { all.covariance(0, 1) }

    public static var kind: FieldKind { .comoments }
    public static var parts: Int { Comoments<5>.parts }
    public static func rules(_ add: (SlotRule, Int) -> Void) { Comoments<5>.rules(add) }
    public func write(_ slots: inout SlotWriter) { all.write(&slots) }
    public mutating func read(_ slots: inout SlotReader) { all.read(&slots) }
}
