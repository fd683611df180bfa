// The operations on words that lanes use, each as one operation of the compiler's. Swift's library defines most of them
// element by element, and the optimiser combines only short sequences of these again.
import Builtin

extension SIMD16 where Scalar == UInt32 {
    @inlinable @inline(__always)
    init(raw: Builtin.Vec16xInt32) { self = unsafeBitCast(raw, to: Self.self) }

    @inlinable @inline(__always)
    var raw: Builtin.Vec16xInt32 { unsafeBitCast(self, to: Builtin.Vec16xInt32.self) }

    @inlinable @inline(__always)
    func and(_ other: Self) -> Self { Self(raw: Builtin.and_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func or(_ other: Self) -> Self { Self(raw: Builtin.or_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func xor(_ other: Self) -> Self { Self(raw: Builtin.xor_Vec16xInt32(raw, other.raw)) }

    /// Shifted to the left by fewer than 32 bits.
    @inlinable @inline(__always)
    func left(_ bits: UInt32) -> Self { Self(raw: Builtin.shl_Vec16xInt32(raw, Self(repeating: bits).raw)) }

    /// Shifted to the right by fewer than 32 bits.
    @inlinable @inline(__always)
    func right(_ bits: UInt32) -> Self { Self(raw: Builtin.lshr_Vec16xInt32(raw, Self(repeating: bits).raw)) }

    /// Rotated to the left by 1 to 31 bits.
    @inlinable @inline(__always)
    func rotated(_ bits: UInt32) -> Self { left(bits).or(right(32 &- bits)) }

    @inlinable @inline(__always)
    func plus(_ other: Self) -> Self { Self(raw: Builtin.add_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func minus(_ other: Self) -> Self { Self(raw: Builtin.sub_Vec16xInt32(raw, other.raw)) }

    @inlinable @inline(__always)
    func times(_ other: Self) -> Self { Self(raw: Builtin.mul_Vec16xInt32(raw, other.raw)) }

    /// Where a word is not greater than the other one, without signs.
    @inlinable @inline(__always)
    func notGreater(_ other: Self) -> LaneMask { LaneMask(raw: Builtin.cmp_ule_Vec16xInt32(raw, other.raw)) }

    /// The upper and the lower half of each product of 64 bits.
    @inlinable @inline(__always)
    func fullProduct(_ other: Self) -> (high: Self, low: Self) {
        let product = Builtin.mul_Vec16xInt64(
            Builtin.zext_Vec16xInt32_Vec16xInt64(raw), Builtin.zext_Vec16xInt32_Vec16xInt64(other.raw))
        let upper = Builtin.lshr_Vec16xInt64(product, SIMD16<UInt64>(repeating: 32).raw)
        return (
            Self(raw: Builtin.trunc_Vec16xInt64_Vec16xInt32(upper)),
            Self(raw: Builtin.trunc_Vec16xInt64_Vec16xInt32(product))
        )
    }
}

extension SIMD16 where Scalar == UInt64 {
    @inlinable @inline(__always)
    init(raw: Builtin.Vec16xInt64) { self = unsafeBitCast(raw, to: Self.self) }

    @inlinable @inline(__always)
    var raw: Builtin.Vec16xInt64 { unsafeBitCast(self, to: Builtin.Vec16xInt64.self) }
}
