// Eight real numbers, which a function computes at once.

@usableFromInline typealias VectorReals = SIMD8<Double>
@usableFromInline typealias VectorBits = SIMD8<UInt64>

/// Some real numbers with the operations of a `Double`, from which the functions of `Maths` are made.
@frozen @usableFromInline struct Vector {
    @usableFromInline let values: VectorReals

    @inlinable @inline(__always)
    init(_ values: VectorReals) { self.values = values }

    @inlinable @inline(__always)
    init(bits: Bits) { values = unsafeBitCast(bits.values, to: VectorReals.self) }

    @inlinable @inline(__always)
    var bits: Bits { Bits(unsafeBitCast(values, to: VectorBits.self)) }

    /// The magnitudes.
    @inlinable @inline(__always)
    var size: Vector { Vector(bits: bits & 0x7fff_ffff_ffff_ffff) }

    /// Computes a function number by number, for rare arguments.
    @inlinable @inline(never)
    func each(_ function: (Double) -> Double) -> Vector {
        var result = values
        for index in 0..<VectorReals.scalarCount { result[index] = function(values[index]) }
        return Vector(result)
    }
}

extension Vector: ExpressibleByFloatLiteral {
    @inlinable @inline(__always)
    init(floatLiteral value: Double) { values = VectorReals(repeating: value) }
}

/// The bits of real numbers, or signed integers.
@frozen @usableFromInline struct Bits {
    @usableFromInline let values: VectorBits

    @inlinable @inline(__always)
    init(_ values: VectorBits) { self.values = values }
}

extension Bits: ExpressibleByIntegerLiteral {
    @inlinable @inline(__always)
    init(integerLiteral value: UInt64) { values = VectorBits(repeating: value) }
}

extension SIMD16 where Scalar == Double {
    /// Applies a function to all numbers, eight at once.
    @inlinable @inline(__always)
    func mapped(_ function: (Vector) -> Vector) -> Self {
        Self(lowHalf: function(Vector(lowHalf)).values, highHalf: function(Vector(highHalf)).values)
    }
}
