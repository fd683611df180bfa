// The operations of sixteen lanes, each as one operation of the compiler's. Swift's library defines most vector operations
// element by element, and the optimiser combines only short sequences of these again.
//
// The compiler's own vectors stay inside of this file, in transparent functions. A call that returned one would return
// nothing of use.
import Builtin

extension SIMD16 where Scalar == UInt32 {

    @usableFromInline @_transparent
    init(raw: Builtin.Vec16xInt32) { self = unsafeBitCast(raw, to: Self.self) }

    @usableFromInline @_transparent
    init(condition: Builtin.Vec16xInt1) { self.init(raw: Builtin.sext_Vec16xInt1_Vec16xInt32(condition)) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec16xInt32 { unsafeBitCast(self, to: Builtin.Vec16xInt32.self) }

    /// The condition that the words are: it holds where the top bit is set. This cancels `init(condition:)`.
    @usableFromInline @_transparent
    var condition: Builtin.Vec16xInt1 { Builtin.cmp_slt_Vec16xInt32(raw, Self.zero.raw) }

    @inlinable @inline(__always)
    func and(_ other: Self) -> Self { Self(raw: Builtin.and_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func or(_ other: Self) -> Self { Self(raw: Builtin.or_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func xor(_ other: Self) -> Self { Self(raw: Builtin.xor_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func plus(_ other: Self) -> Self { Self(raw: Builtin.add_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func minus(_ other: Self) -> Self { Self(raw: Builtin.sub_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func times(_ other: Self) -> Self { Self(raw: Builtin.mul_Vec16xInt32(raw, other.raw)) }

    /// Shifted to the left by fewer than 32 bits.
    @inlinable @inline(__always)
    func left(_ bits: UInt32) -> Self { Self(raw: Builtin.shl_Vec16xInt32(raw, Self(repeating: bits).raw)) }

    /// Shifted to the right by fewer than 32 bits.
    @inlinable @inline(__always)
    func right(_ bits: UInt32) -> Self { Self(raw: Builtin.lshr_Vec16xInt32(raw, Self(repeating: bits).raw)) }

    /// Rotated to the left by 1 to 31 bits.
    @inlinable @inline(__always)
    func rotated(_ bits: UInt32) -> Self { left(bits).or(right(32 &- bits)) }

    /// Where words are equal. Conditions have all bits set, or none.
    @inlinable @inline(__always)
    func equal(_ other: Self) -> Self { Self(condition: Builtin.cmp_eq_Vec16xInt32(raw, other.raw)) }

    /// Where words differ.
    @inlinable @inline(__always)
    func different(_ other: Self) -> Self { Self(condition: Builtin.cmp_ne_Vec16xInt32(raw, other.raw)) }

    /// Where a signed word is less.
    @inlinable @inline(__always)
    func less(_ other: Self) -> Self { Self(condition: Builtin.cmp_slt_Vec16xInt32(raw, other.raw)) }

    /// Where a signed word is not greater.
    @inlinable @inline(__always)
    func lessOrEqual(_ other: Self) -> Self { Self(condition: Builtin.cmp_sle_Vec16xInt32(raw, other.raw)) }

    /// Where a word without sign is not greater.
    @inlinable @inline(__always)
    func notGreater(_ other: Self) -> Self { Self(condition: Builtin.cmp_ule_Vec16xInt32(raw, other.raw)) }

    /// The words of `a` where this condition holds, and those of `b` elsewhere.
    @inlinable @inline(__always)
    func choose(_ a: Self, _ b: Self) -> Self {
        Self(raw: Builtin.select_Vec16xInt1_Vec16xInt32(condition, a.raw, b.raw))
    }

    /// The top bit of each word, that of the first lane last.
    @inlinable @inline(__always)
    var topBits: UInt16 { UInt16(Builtin.bitcast_Vec16xInt1_Int16(condition)) }

    /// The number of words whose top bit is set. AVX2 has an instruction for the top bits of eight words, but not of
    /// sixteen.
    @inlinable @inline(__always)
    var topBitCount: Int {
        #if POTLUCK_AVX2
            let halves = unsafeBitCast(self, to: (SIMD8<UInt32>, SIMD8<UInt32>).self)
            return Self.topBits(halves.0).nonzeroBitCount &+ Self.topBits(halves.1).nonzeroBitCount
        #else
            return topBits.nonzeroBitCount
        #endif
    }

    #if POTLUCK_AVX2
        @usableFromInline @_transparent
        static func topBits(_ half: SIMD8<UInt32>) -> UInt8 {
            let raw = unsafeBitCast(half, to: Builtin.Vec8xInt32.self)
            let zero = unsafeBitCast(SIMD8<UInt32>.zero, to: Builtin.Vec8xInt32.self)
            return UInt8(Builtin.bitcast_Vec8xInt1_Int8(Builtin.cmp_slt_Vec8xInt32(raw, zero)))
        }
    #endif

    /// The words as integers of 64 bits.
    @inlinable @inline(__always)
    var unsigned: SIMD16<UInt64> { SIMD16<UInt64>(raw: Builtin.zext_Vec16xInt32_Vec16xInt64(raw)) }

    /// The words as signed integers of 64 bits.
    @inlinable @inline(__always)
    var signed: SIMD16<UInt64> { SIMD16<UInt64>(raw: Builtin.sext_Vec16xInt32_Vec16xInt64(raw)) }

    /// The upper and the lower half of each product of 64 bits.
    @inlinable @inline(__always)
    func fullProduct(_ other: Self) -> (high: Self, low: Self) {
        let product = unsigned.times(other.unsigned)
        return (product.upper, product.lower)
    }

    /// The products of 64 bits of signed words.
    @inlinable @inline(__always)
    func signedProduct(_ other: Self) -> SIMD16<UInt64> { signed.times(other.signed) }
}

extension SIMD16 where Scalar == UInt64 {
    @usableFromInline @_transparent
    init(raw: Builtin.Vec16xInt64) { self = unsafeBitCast(raw, to: Self.self) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec16xInt64 { unsafeBitCast(self, to: Builtin.Vec16xInt64.self) }

    @inlinable @inline(__always)
    func plus(_ other: Self) -> Self { Self(raw: Builtin.add_Vec16xInt64(raw, other.raw)) }

    @inlinable @inline(__always)
    func times(_ other: Self) -> Self { Self(raw: Builtin.mul_Vec16xInt64(raw, other.raw)) }

    /// The lower halves.
    @inlinable @inline(__always)
    var lower: SIMD16<UInt32> { SIMD16<UInt32>(raw: Builtin.trunc_Vec16xInt64_Vec16xInt32(raw)) }

    /// The upper halves.
    @inlinable @inline(__always)
    var upper: SIMD16<UInt32> {
        SIMD16<UInt32>(
            raw: Builtin.trunc_Vec16xInt64_Vec16xInt32(Builtin.lshr_Vec16xInt64(raw, Self(repeating: 32).raw)))
    }

    /// The sum of all numbers, modulo 2⁶⁴.
    @inlinable @inline(__always)
    var total: Int64 { Int64(Builtin.int_vector_reduce_add_Vec16xInt64(raw)) }
}
