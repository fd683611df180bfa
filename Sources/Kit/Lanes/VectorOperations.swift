// The operations of `Vector` and `Bits`, each as one operation of the compiler's.
import Builtin

extension Vector {
    @usableFromInline @_transparent
    init(raw: Builtin.Vec8xFPIEEE64) { values = unsafeBitCast(raw, to: VectorReals.self) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec8xFPIEEE64 { unsafeBitCast(values, to: Builtin.Vec8xFPIEEE64.self) }

    @inlinable @inline(__always)
    static func + (a: Vector, b: Vector) -> Vector { Vector(raw: Builtin.fadd_Vec8xFPIEEE64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func - (a: Vector, b: Vector) -> Vector { Vector(raw: Builtin.fsub_Vec8xFPIEEE64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func * (a: Vector, b: Vector) -> Vector { Vector(raw: Builtin.fmul_Vec8xFPIEEE64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func / (a: Vector, b: Vector) -> Vector { Vector(raw: Builtin.fdiv_Vec8xFPIEEE64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    func squareRoot() -> Vector { Vector(raw: Builtin.int_sqrt_Vec8xFPIEEE64(raw)) }

    /// All bits where the first number is less, and none elsewhere.
    @inlinable @inline(__always)
    static func < (a: Vector, b: Vector) -> Bits {
        Bits(raw: Builtin.sext_Vec8xInt1_Vec8xInt64(Builtin.fcmp_olt_Vec8xFPIEEE64(a.raw, b.raw)))
    }

    /// All bits where the numbers are equal, and none elsewhere.
    @inlinable @inline(__always)
    static func == (a: Vector, b: Vector) -> Bits {
        Bits(raw: Builtin.sext_Vec8xInt1_Vec8xInt64(Builtin.fcmp_oeq_Vec8xFPIEEE64(a.raw, b.raw)))
    }
}

extension Bits {
    @usableFromInline @_transparent
    init(raw: Builtin.Vec8xInt64) { values = unsafeBitCast(raw, to: VectorBits.self) }

    @usableFromInline @_transparent
    var raw: Builtin.Vec8xInt64 { unsafeBitCast(values, to: Builtin.Vec8xInt64.self) }

    @inlinable @inline(__always)
    static func &+ (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.add_Vec8xInt64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func &- (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.sub_Vec8xInt64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func & (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.and_Vec8xInt64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func | (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.or_Vec8xInt64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func ^ (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.xor_Vec8xInt64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func &<< (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.shl_Vec8xInt64(a.raw, b.raw)) }

    @inlinable @inline(__always)
    static func &>> (a: Bits, b: Bits) -> Bits { Bits(raw: Builtin.lshr_Vec8xInt64(a.raw, b.raw)) }

    /// Returns `a` where all bits are set, and `b` where none is.
    @inlinable @inline(__always)
    func choose(_ a: Vector, _ b: Vector) -> Vector {
        let condition = Builtin.cmp_slt_Vec8xInt64(raw, (0 as Bits).raw)
        return Vector(raw: Builtin.select_Vec8xInt1_Vec8xFPIEEE64(condition, a.raw, b.raw))
    }

    /// All bits where the first integer without sign is less, and none elsewhere.
    @inlinable @inline(__always)
    static func < (a: Bits, b: Bits) -> Bits {
        Bits(raw: Builtin.sext_Vec8xInt1_Vec8xInt64(Builtin.cmp_ult_Vec8xInt64(a.raw, b.raw)))
    }

    /// Whether the top bit is set everywhere.
    @inlinable @inline(__always)
    var isEverywhere: Bool {
        UInt8(Builtin.bitcast_Vec8xInt1_Int8(Builtin.cmp_slt_Vec8xInt64(raw, (0 as Bits).raw))) == 0xff
    }
}
