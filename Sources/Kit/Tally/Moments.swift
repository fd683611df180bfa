/// Numbers of which the mean and the variance are wanted: how many, their exact sum and the exact sum of their squares.
@frozen public struct Moments: Accumulator, Equatable {
    public var count: UInt64 = 0
    public var sum = ExactSum()
    public var squares = ExactSum()

    public init() {}

    /// Adds a real number smaller than 3·10⁹ in magnitude (its square must be smaller than 2⁶³).
    @inlinable
    public mutating func add(_ x: Double) {
        count &+= 1
        sum.add(x)
        squares.addSquare(of: x)
    }

    /// Adds a whole number smaller than 3·10⁹ in magnitude. Faster than a real one.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int) {
        count &+= 1
        sum.add(n)
        squares.addSquare(of: n)
    }

    /// Whether something added was too large or not a number, so that there is neither mean nor variance.
    public var isSpoilt: Bool { sum.isSpoilt || squares.isSpoilt }

    /// Nil for nothing, or where spoilt.
    public var mean: Double? {
        guard count > 0, !isSpoilt, let total = sum.value else { return nil }
        return total / Double(count)
    }

    /// The sample variance: n − 1 below. Formed from the exact sums, so that nothing cancels. Nil for fewer than two
    /// numbers, or where spoilt.
    public var variance: Double? {
        guard count > 1, !isSpoilt else { return nil }
        // (n Σx² − (Σx)²) / (n (n − 1)); Σx² is in units of 2⁻¹²⁸, (Σx)² in units of 2⁻²⁵⁶.
        let n = WideInteger(count)
        let spread = (n * squares.wide).shiftedLeft(byWords: 4) - sum.wide * sum.wide
        // Squares cut at 2⁻¹²⁸ can fall short of the sum's square by a hair.
        return max(0, spread.double(scale: -256) / (Double(count) * Double(count - 1)))
    }

    public static var kind: FieldKind { .moments }

    public static func rules(_ add: (SlotRule, Int) -> Void) {
        add(.count, 1)
        add(.sum, 2)
    }

    @inlinable
    public func write(_ slots: inout SlotWriter) {
        slots.put(count)
        sum.write(&slots)
        squares.write(&slots)
    }

    @inlinable
    public mutating func read(_ slots: inout SlotReader) {
        count = slots.take()
        sum.read(&slots)
        squares.read(&slots)
    }
}
