// The operations of `Double` give the same bits in each lane.
extension Lane where Scalar == Double {
    /// The number of one lane.
    @inlinable @inline(__always)
    public subscript(_ lane: Int) -> Double {
        get { values[SIMD16<Double>.place(lane)] }
        set { values[SIMD16<Double>.place(lane)] = newValue }
    }

    @inlinable @inline(__always)
    init(_ values: SIMD16<Double>) { self.values = values }

    /// Creates the same number in all lanes.
    @inlinable @inline(__always)
    public init(_ x: Double) { values = SIMD16(repeating: x) }

    /// Creates real numbers from integers.
    @inlinable @inline(__always)
    public init(_ n: Lane<Int32>) { values = SIMD16(n.words) }

    /// Creates the number of each lane from the lane's index.
    @inlinable
    public init(_ number: (_ lane: Int) -> Double) {
        values = .zero
        for lane in 0..<Self.count { self[lane] = number(lane) }
    }

    /// The sum in each lane.
    @inlinable @inline(__always)
    public static func + (a: Self, b: Self) -> Self { Self(values: a.values.plus(b.values)) }

    /// The difference in each lane.
    @inlinable @inline(__always)
    public static func - (a: Self, b: Self) -> Self { Self(values: a.values.minus(b.values)) }

    /// The product in each lane.
    @inlinable @inline(__always)
    public static func * (a: Self, b: Self) -> Self { Self(values: a.values.times(b.values)) }

    /// The quotient in each lane.
    @inlinable @inline(__always)
    public static func / (a: Self, b: Self) -> Self { Self(values: a.values.over(b.values)) }

    /// The number of each lane with the other sign.
    @inlinable @inline(__always)
    public static prefix func - (a: Self) -> Self {
        Self(values: a.values.negated)
    }

    /// The sum of each lane's number and `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func + (a: Self, b: Double) -> Self { a + Self(b) }

    /// The sum of `a` and each lane's number.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func + (a: Double, b: Self) -> Self { Self(a) + b }

    /// Each lane's number less `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func - (a: Self, b: Double) -> Self { a - Self(b) }

    /// `a` less each lane's number.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func - (a: Double, b: Self) -> Self { Self(a) - b }

    /// The product of each lane's number and `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func * (a: Self, b: Double) -> Self { a * Self(b) }

    /// The product of `a` and each lane's number.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func * (a: Double, b: Self) -> Self { Self(a) * b }

    /// Each lane's number divided by `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func / (a: Self, b: Double) -> Self { a / Self(b) }

    /// `a` divided by each lane's number.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func / (a: Double, b: Self) -> Self { Self(a) / b }

    /// Adds in each lane.
    @inlinable @inline(__always)
    public static func += (a: inout Self, b: Self) { a = a + b }

    /// Subtracts in each lane.
    @inlinable @inline(__always)
    public static func -= (a: inout Self, b: Self) { a = a - b }

    /// Multiplies in each lane.
    @inlinable @inline(__always)
    public static func *= (a: inout Self, b: Self) { a = a * b }

    /// Replaces the numbers of the lanes in which the condition holds.
    @inlinable @inline(__always)
    public mutating func replace(with other: Self, where mask: LaneMask) { self = choose(mask, other, self) }
}

extension Lane where Scalar == Double {
    /// Where two numbers are equal.
    @inlinable @inline(__always)
    public static func == (a: Self, b: Self) -> LaneMask { LaneMask(words: a.values.equal(b.values)) }

    /// Where two numbers differ.
    @inlinable @inline(__always)
    public static func != (a: Self, b: Self) -> LaneMask { LaneMask(words: a.values.different(b.values)) }

    /// Where the first number is less.
    @inlinable @inline(__always)
    public static func < (a: Self, b: Self) -> LaneMask { LaneMask(words: a.values.less(b.values)) }

    /// Where the first number is not greater.
    @inlinable @inline(__always)
    public static func <= (a: Self, b: Self) -> LaneMask { LaneMask(words: a.values.lessOrEqual(b.values)) }

    /// Where the first number is greater.
    @inlinable @inline(__always)
    public static func > (a: Self, b: Self) -> LaneMask { b < a }

    /// Where the first number is not less.
    @inlinable @inline(__always)
    public static func >= (a: Self, b: Self) -> LaneMask { b <= a }

    /// Where each lane's number is equal to `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func == (a: Self, b: Double) -> LaneMask { a == Self(b) }

    /// Where each lane's number differs from `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func != (a: Self, b: Double) -> LaneMask { a != Self(b) }

    /// Where each lane's number is less than `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func < (a: Self, b: Double) -> LaneMask { a < Self(b) }

    /// Where each lane's number is not greater than `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func <= (a: Self, b: Double) -> LaneMask { a <= Self(b) }

    /// Where each lane's number is greater than `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func > (a: Self, b: Double) -> LaneMask { a > Self(b) }

    /// Where each lane's number is not less than `b`.
    @inlinable @inline(__always) @_disfavoredOverload
    public static func >= (a: Self, b: Double) -> LaneMask { a >= Self(b) }

    /// The magnitude of each lane's number.
    @inlinable @inline(__always)
    public var magnitude: Self { Self(values: values.size) }
}

/// Returns the numbers of `a` where the condition holds, and those of `b` elsewhere.
@inlinable @inline(__always)
public func choose(_ mask: LaneMask, _ a: Lane<Double>, _ b: Lane<Double>) -> Lane<Double> {
    Lane(values: b.values.replaced(by: a.values, where: mask.words))
}

/// Returns `a` where the condition holds, and `b` elsewhere.
@inlinable @inline(__always) @_disfavoredOverload
public func choose(_ mask: LaneMask, _ a: Double, _ b: Double) -> Lane<Double> { choose(mask, Lane(a), Lane(b)) }

/// Returns the magnitude of each lane's number.
@inlinable @inline(__always) @_disfavoredOverload
public func abs(_ x: Lane<Double>) -> Lane<Double> { x.magnitude }

/// Returns the smaller of two numbers in each lane, as Swift's `min` does.
@inlinable @inline(__always) @_disfavoredOverload
public func min(_ a: Lane<Double>, _ b: Lane<Double>) -> Lane<Double> { choose(b < a, b, a) }

/// Returns the larger of two numbers in each lane, as Swift's `max` does.
@inlinable @inline(__always) @_disfavoredOverload
public func max(_ a: Lane<Double>, _ b: Lane<Double>) -> Lane<Double> { choose(b >= a, b, a) }

extension Lane: ExpressibleByFloatLiteral where Scalar == Double {
    @inlinable @inline(__always)
    public init(floatLiteral x: Double) { values = SIMD16(repeating: x) }
}
