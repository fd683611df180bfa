// `&+`, `&-` and `&*` do not check for overflow. A check would be a jump for each lane. They take lanes only: with an `Int` on
// one side the compiler would take them for `1 &+ n` in other code, too.
extension Lane where Scalar == Int32 {
    /// The number of one lane.
    @inlinable @inline(__always)
    public subscript(_ lane: Int) -> Int32 {
        get { values[lane] }
        set { values[lane] = newValue }
    }

    @inlinable @inline(__always)
    init(words: SIMD16<UInt32>) { values = unsafeBitCast(words, to: SIMD16<Int32>.self) }

    @inlinable @inline(__always)
    var words: SIMD16<UInt32> { unsafeBitCast(values, to: SIMD16<UInt32>.self) }

    /// Creates the same number in all lanes. It must be a number of 32 bits.
    @inlinable @inline(__always)
    public init(_ n: Int) { values = SIMD16(repeating: Int32(n)) }

    /// Creates the same number in all lanes.
    @inlinable @inline(__always)
    public init(_ n: Int32) { values = SIMD16(repeating: n) }

    /// Creates the number of each lane from the lane's index.
    @inlinable
    public init(_ number: (_ lane: Int) -> Int32) {
        values = .zero
        for lane in 0..<Self.count { values[lane] = number(lane) }
    }

    /// Creates integers from real numbers without their fractions, as `Int(x)` does. Their magnitudes must be less than
    /// 2³¹.
    @inlinable @inline(__always)
    public init(truncating x: Lane<Double>) {
        Misuse.stop(unless: all(x.magnitude < 0x1p31), "a lane's integer must be a number of 32 bits")
        self.init(words: x.values.whole)
    }

    /// Returns the sum without a check for overflow.
    @inlinable @inline(__always)
    public static func &+ (a: Self, b: Self) -> Self { Self(words: a.words.plus(b.words)) }

    /// Returns the difference without a check for overflow.
    @inlinable @inline(__always)
    public static func &- (a: Self, b: Self) -> Self { Self(words: a.words.minus(b.words)) }

    /// Returns the product without a check for overflow.
    @inlinable @inline(__always)
    public static func &* (a: Self, b: Self) -> Self { Self(words: a.words.times(b.words)) }

    /// Adds without a check for overflow.
    @inlinable @inline(__always)
    public static func &+= (a: inout Self, b: Self) { a = a &+ b }

    /// Subtracts without a check for overflow.
    @inlinable @inline(__always)
    public static func &-= (a: inout Self, b: Self) { a = a &- b }

    /// Where two numbers are equal.
    @inlinable @inline(__always)
    public static func == (a: Self, b: Self) -> LaneMask { LaneMask(words: a.words.equal(b.words)) }

    /// Where two numbers differ.
    @inlinable @inline(__always)
    public static func != (a: Self, b: Self) -> LaneMask { LaneMask(words: a.words.different(b.words)) }

    /// Where the first number is less.
    @inlinable @inline(__always)
    public static func < (a: Self, b: Self) -> LaneMask { LaneMask(words: a.words.less(b.words)) }

    /// Where the first number is not greater.
    @inlinable @inline(__always)
    public static func <= (a: Self, b: Self) -> LaneMask { LaneMask(words: a.words.lessOrEqual(b.words)) }

    /// Where the first number is greater.
    @inlinable @inline(__always)
    public static func > (a: Self, b: Self) -> LaneMask { b < a }

    /// Where the first number is not less.
    @inlinable @inline(__always)
    public static func >= (a: Self, b: Self) -> LaneMask { b <= a }

    /// Replaces the numbers of the lanes in which the condition holds.
    @inlinable @inline(__always)
    public mutating func replace(with other: Self, where mask: LaneMask) { self = choose(mask, other, self) }

    /// Adds `n` in the lanes in which the condition holds, without a check for overflow.
    @inlinable @inline(__always) @_disfavoredOverload
    public mutating func add(_ n: Int, where mask: LaneMask) { add(Self(n), where: mask) }

    /// Adds `n` in the lanes in which the condition holds, without a check for overflow.
    @inlinable @inline(__always)
    public mutating func add(_ n: Self, where mask: LaneMask) { self = self &+ Self(words: n.words.and(mask.words)) }
}

/// Returns the numbers of `a` where the condition holds, and those of `b` elsewhere.
@inlinable @inline(__always)
public func choose(_ mask: LaneMask, _ a: Lane<Int32>, _ b: Lane<Int32>) -> Lane<Int32> {
    Lane(words: mask.words.choose(a.words, b.words))
}

/// Returns the smaller of two numbers in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func min(_ a: Lane<Int32>, _ b: Lane<Int32>) -> Lane<Int32> { choose(b < a, b, a) }

/// Returns the larger of two numbers in each lane.
@inlinable @inline(__always) @_disfavoredOverload
public func max(_ a: Lane<Int32>, _ b: Lane<Int32>) -> Lane<Int32> { choose(a < b, b, a) }

/// Returns `a` where the condition holds, and `b` elsewhere.
@inlinable @inline(__always) @_disfavoredOverload
public func choose(_ mask: LaneMask, _ a: Int, _ b: Int) -> Lane<Int32> { choose(mask, Lane(a), Lane(b)) }
