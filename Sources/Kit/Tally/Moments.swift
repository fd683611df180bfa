/// Accumulates numbers for their mean and variance: how many, their exact sum and the exact sum of their squares.
@frozen public struct Moments: Accumulator, Equatable {
    @usableFromInline var added: UInt64 = 0
    /// The sum of the numbers and the sum of their squares. Numbers that were added since `added` was last a multiple
    /// of 256 are pending and not counted there.
    @usableFromInline var numbers = ExactSum()
    @usableFromInline var powers = ExactSum()

    /// Creates the moments of no numbers.
    public init() {}

    /// How many numbers were added.
    @inlinable public var count: UInt64 {
        get { added }
        set {
            settle()
            added = newValue
        }
    }

    /// The sum of the numbers.
    @inlinable public var sum: ExactSum {
        get { numbers.folded }
        set { numbers = newValue.folded }
    }

    /// The sum of their squares.
    @inlinable public var squares: ExactSum {
        get { powers.folded }
        set { powers = newValue.folded }
    }

    /// Adds a real number. Its magnitude must be less than 3·10⁹, because its square must be less than 2⁶³.
    @inlinable @inline(__always)
    public mutating func add(_ x: Double) {
        let number = Significand(x)
        // The usual numbers of `addSquare`, which are usual for `ExactSum.add`, too.
        let place = number.place(ofOne: 12)
        guard place < 43 else { return addRare(x) }
        numbers.pending.add(number.signed, at: place &+ 64)
        powers.pending.addSquare(of: number.magnitude, at: place &<< 1)
        next()
    }

    /// Adds a number that may be small or too large.
    @inlinable @inline(never)
    mutating func addRare(_ x: Double) {
        numbers.add(x)
        powers.addAnyProduct(of: x, and: x)
        next()
    }

    /// Counts a number that was just added. One count for both sums is faster than one for each.
    @inlinable @inline(__always)
    mutating func next() {
        added &+= 1
        if _slowPath(added & (PendingSum.most &- 1) == 0) { settle() }
    }

    @inlinable @inline(never)
    mutating func settle() {
        numbers.fold()
        powers.fold()
    }

    /// Adds an integer with a magnitude of less than 3·10⁹. Faster than adding a real number.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int) { add(Int64(n)) }

    /// Adds an integer with a magnitude of less than 3·10⁹.
    @inlinable @inline(__always)
    public mutating func add(_ n: Int64) {
        numbers.add(n)
        powers.addSquare(of: n)
        next()
    }

    /// Whether a number that was added was too large or NaN. There is then neither mean nor variance.
    public var isSpoilt: Bool { numbers.isSpoilt || powers.isSpoilt }

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
        slots.put(added)
        sum.write(&slots)
        squares.write(&slots)
    }

    @inlinable
    public mutating func read(_ slots: inout SlotReader) {
        added = slots.take()
        numbers.read(&slots)
        powers.read(&slots)
    }

    /// Whether two moments are of as many numbers and have equal sums.
    public static func == (a: Moments, b: Moments) -> Bool {
        a.count == b.count && a.sum == b.sum && a.squares == b.squares
    }
}
