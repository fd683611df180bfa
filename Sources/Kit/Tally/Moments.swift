/// Accumulates numbers for their mean and variance: how many, their exact sum and the exact sum of their squares.
@frozen public struct Moments: Accumulator, Equatable {
    /// How many numbers were added.
    public var count: UInt64 = 0
    /// The sum of the numbers.
    public var sum = ExactSum()
    /// The sum of their squares.
    public var squares = ExactSum()

    /// Creates the moments of no numbers.
    public init() {}

    /// Adds a real number. Its magnitude must be less than 3·10⁹, because its square must be less than 2⁶³.
    @inlinable
    public mutating func add(_ x: Double) {
        count &+= 1
        sum.add(x)
        squares.addSquare(of: x)
    }

    /// Adds an integer with a magnitude of less than 3·10⁹. Faster than adding a real number.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int) {
        count &+= 1
        sum.add(n)
        squares.addSquare(of: n)
    }

    /// Adds an integer with a magnitude of less than 3·10⁹.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int64) {
        count &+= 1
        sum.add(n)
        squares.addSquare(of: n)
    }

    /// Whether a number that was added was too large or NaN. There is then neither mean nor variance.
    public var isSpoilt: Bool { sum.isSpoilt || squares.isSpoilt }

    /// The mean; nil if nothing was added or if spoilt.
    public var mean: Double? {
        guard count > 0, !isSpoilt, let total = sum.value else { return nil }
        return total / Double(count)
    }

    /// The sample variance, with divisor n − 1. It is computed from the exact sums, so nothing
    /// cancels. Nil for fewer than two numbers or if spoilt.
    public var variance: Double? {
        guard count > 1, !isSpoilt else { return nil }
        // (n Σx² − (Σx)²) / (n (n − 1)); Σx² is in units of 2⁻¹²⁸, (Σx)² in units of 2⁻²⁵⁶.
        let n = WideInteger(count)
        let spread = (n * squares.wide).shiftedLeft(byWords: 4) - sum.wide * sum.wide
        // Squares truncated at 2⁻¹²⁸ can fall slightly short of the square of the sum.
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
