// The operations on sixteen real numbers, each as one operation of the compiler's.
//
// The numbers of the even lanes come first, then those of the odd lanes. So the words of two neighbours, which are one
// integer of 64 bits, become real numbers without moving from one part of a vector to another.
import Builtin

extension SIMD8 where Scalar == UInt64 {

    @usableFromInline @_transparent
    init(raw: Builtin.Vec8xInt64) { self = unsafeBitCast(raw, to: Self.self) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec8xInt64 { unsafeBitCast(self, to: Builtin.Vec8xInt64.self) }

    /// The words of the even lanes.
    @inlinable @inline(__always)
    var even: Self { Self(raw: Builtin.and_Vec8xInt64(raw, Self(repeating: 0xffff_ffff).raw)) }

    /// The words of the odd lanes, where they are.
    @inlinable @inline(__always)
    var withoutEven: Self { Self(raw: Builtin.and_Vec8xInt64(raw, Self(repeating: 0xffff_ffff &<< 32).raw)) }

    /// The words of the odd lanes.
    @inlinable @inline(__always)
    var odd: Self { Self(raw: Builtin.lshr_Vec8xInt64(raw, Self(repeating: 32).raw)) }

    @inlinable @inline(__always)
    func or(_ other: Self) -> Self { Self(raw: Builtin.or_Vec8xInt64(raw, other.raw)) }

    @inlinable @inline(__always)
    func left(_ bits: UInt64) -> Self { Self(raw: Builtin.shl_Vec8xInt64(raw, Self(repeating: bits).raw)) }

    /// The condition that the top bit is set.
    @usableFromInline @_transparent
    var condition: Builtin.Vec8xInt1 { Builtin.cmp_slt_Vec8xInt64(raw, Self.zero.raw) }

    @usableFromInline @_transparent
    init(condition: Builtin.Vec8xInt1) { self.init(raw: Builtin.sext_Vec8xInt1_Vec8xInt64(condition)) }
}

extension SIMD8 where Scalar == Double {

    @usableFromInline @_transparent
    init(raw: Builtin.Vec8xFPIEEE64) { self = unsafeBitCast(raw, to: Self.self) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec8xFPIEEE64 { unsafeBitCast(self, to: Builtin.Vec8xFPIEEE64.self) }

    /// Where numbers are equal.
    @inlinable @inline(__always)
    func equal(_ other: Self) -> SIMD8<UInt64> {
        SIMD8<UInt64>(condition: Builtin.fcmp_oeq_Vec8xFPIEEE64(raw, other.raw))
    }

    /// Where numbers differ.
    @inlinable @inline(__always)
    func different(_ other: Self) -> SIMD8<UInt64> {
        SIMD8<UInt64>(condition: Builtin.fcmp_une_Vec8xFPIEEE64(raw, other.raw))
    }

    /// Where a number is less.
    @inlinable @inline(__always)
    func less(_ other: Self) -> SIMD8<UInt64> {
        SIMD8<UInt64>(condition: Builtin.fcmp_olt_Vec8xFPIEEE64(raw, other.raw))
    }

    /// Where a number is less or equal.
    @inlinable @inline(__always)
    func lessOrEqual(_ other: Self) -> SIMD8<UInt64> {
        SIMD8<UInt64>(condition: Builtin.fcmp_ole_Vec8xFPIEEE64(raw, other.raw))
    }

    /// The numbers, with those of `other` where the top bit of a condition is set.
    @inlinable @inline(__always)
    func replaced(by other: Self, where condition: SIMD8<UInt64>) -> Self {
        Self(raw: Builtin.select_Vec8xInt1_Vec8xFPIEEE64(condition.condition, other.raw, raw))
    }

    /// The integers without the fractions, extended to 64 bits without signs.
    @inlinable @inline(__always)
    var whole: SIMD8<UInt64> {
        SIMD8<UInt64>(raw: Builtin.zext_Vec8xInt32_Vec8xInt64(Builtin.fptosi_Vec8xFPIEEE64_Vec8xInt32(raw)))
    }
}

extension SIMD16 where Scalar == Double {

    @usableFromInline @_transparent
    init(raw: Builtin.Vec16xFPIEEE64) { self = unsafeBitCast(raw, to: Self.self) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec16xFPIEEE64 { unsafeBitCast(self, to: Builtin.Vec16xFPIEEE64.self) }

    /// The numbers of the even and of the odd lanes.
    @inlinable @inline(__always)
    var halves: (even: SIMD8<Double>, odd: SIMD8<Double>) {
        unsafeBitCast(self, to: (even: SIMD8<Double>, odd: SIMD8<Double>).self)
    }

    @inlinable @inline(__always)
    init(even: SIMD8<Double>, odd: SIMD8<Double>) { self = unsafeBitCast((even, odd), to: Self.self) }

    /// Where the number of a lane is.
    @inlinable @inline(__always)
    static func place(_ lane: Int) -> Int { lane &>> 1 | (lane & 1) &<< 3 }

    /// The words as the last bits of a power of two.
    @inlinable @inline(__always)
    init(_ words: SIMD16<UInt32>, under power: Double) {
        let pairs = unsafeBitCast(words, to: SIMD8<UInt64>.self)
        let large = SIMD8<UInt64>(repeating: power.bitPattern)
        self.init(
            even: unsafeBitCast(pairs.even.or(large), to: SIMD8<Double>.self),
            odd: unsafeBitCast(pairs.odd.or(large), to: SIMD8<Double>.self))
    }

    /// The numbers of signed words.
    @inlinable @inline(__always)
    init(_ words: SIMD16<UInt32>) {
        let raised = words.xor(SIMD16<UInt32>(repeating: 1 &<< 31))
        self = Self(raised, under: 0x1p52).minus(Self(repeating: 0x1p52 + 0x1p31))
    }

    /// The integers without the fractions. The magnitudes must be less than 2³¹.
    @inlinable @inline(__always)
    var whole: SIMD16<UInt32> {
        let halves = halves
        return unsafeBitCast(halves.even.whole.or(halves.odd.whole.left(32)), to: SIMD16<UInt32>.self)
    }

    /// The condition of each lane.
    @inlinable @inline(__always)
    static func condition(even: SIMD8<UInt64>, odd: SIMD8<UInt64>) -> SIMD16<UInt32> {
        unsafeBitCast(even.even.or(odd.withoutEven), to: SIMD16<UInt32>.self)
    }

    /// The numbers, with those of `other` where a condition holds.
    @inlinable @inline(__always)
    func replaced(by other: Self, where words: SIMD16<UInt32>) -> Self {
        let condition = unsafeBitCast(words, to: SIMD8<UInt64>.self)
        let (mine, theirs) = (halves, other.halves)
        return Self(
            even: mine.even.replaced(by: theirs.even, where: condition.left(32)),
            odd: mine.odd.replaced(by: theirs.odd, where: condition))
    }

    @inlinable @inline(__always)
    func plus(_ other: Self) -> Self { Self(raw: Builtin.fadd_Vec16xFPIEEE64(raw, other.raw)) }

    @inlinable @inline(__always)
    func minus(_ other: Self) -> Self { Self(raw: Builtin.fsub_Vec16xFPIEEE64(raw, other.raw)) }

    @inlinable @inline(__always)
    func times(_ other: Self) -> Self { Self(raw: Builtin.fmul_Vec16xFPIEEE64(raw, other.raw)) }

    @inlinable @inline(__always)
    func over(_ other: Self) -> Self { Self(raw: Builtin.fdiv_Vec16xFPIEEE64(raw, other.raw)) }

    @inlinable @inline(__always)
    var negated: Self { Self(raw: Builtin.fneg_Vec16xFPIEEE64(raw)) }

    /// The magnitudes.
    @inlinable @inline(__always)
    var size: Self { Self(raw: Builtin.int_fabs_Vec16xFPIEEE64(raw)) }

    /// Where numbers are equal.
    @inlinable @inline(__always)
    func equal(_ other: Self) -> SIMD16<UInt32> {
        let (mine, theirs) = (halves, other.halves)
        return Self.condition(even: mine.even.equal(theirs.even), odd: mine.odd.equal(theirs.odd))
    }

    /// Where numbers differ.
    @inlinable @inline(__always)
    func different(_ other: Self) -> SIMD16<UInt32> {
        let (mine, theirs) = (halves, other.halves)
        return Self.condition(even: mine.even.different(theirs.even), odd: mine.odd.different(theirs.odd))
    }

    /// Where a number is less.
    @inlinable @inline(__always)
    func less(_ other: Self) -> SIMD16<UInt32> {
        let (mine, theirs) = (halves, other.halves)
        return Self.condition(even: mine.even.less(theirs.even), odd: mine.odd.less(theirs.odd))
    }

    /// Where a number is less or equal.
    @inlinable @inline(__always)
    func lessOrEqual(_ other: Self) -> SIMD16<UInt32> {
        let (mine, theirs) = (halves, other.halves)
        return Self.condition(even: mine.even.lessOrEqual(theirs.even), odd: mine.odd.lessOrEqual(theirs.odd))
    }
}
