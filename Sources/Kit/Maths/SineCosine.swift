extension Maths {
    /// Returns the sine of `x` radians, for every magnitude of `x`. Error at most 0.85 ulp (measured: 0.783).
    ///
    /// NaN for the infinities.
    @inlinable public static func sin(_ x: Double) -> Double {
        // x - x³/6 rounds to x, and a zero keeps its sign.
        if x.magnitude < 0x1p-27 { return x }
        guard x.magnitude < .infinity else { return .nan }
        let angle = Angle(x)
        return signed(angle.quadrant & 1 == 0 ? angle.sine : angle.cosine, angle.quadrant)
    }

    /// Returns the cosine of `x` radians, for every magnitude of `x`. Error at most 0.85 ulp (measured: 0.784).
    ///
    /// NaN for the infinities.
    @inlinable public static func cos(_ x: Double) -> Double {
        guard x.magnitude < .infinity else { return .nan }
        let angle = Angle(x)
        return signed(angle.quadrant & 1 == 0 ? angle.cosine : angle.sine, angle.quadrant &+ (angle.quadrant & 1))
    }

    /// Returns `x`, negated if bit 1 of the quadrant is set.
    @inlinable @inline(__always) static func signed(_ x: Double, _ quadrant: Int64) -> Double {
        Double(bitPattern: x.bitPattern ^ UInt64(bitPattern: (quadrant & 2) &<< 62))
    }
}

/// An angle as quadrant · π/2 + remainder + error. The remainder is at most slightly more than π/4.
@usableFromInline struct Angle {
    @usableFromInline let quadrant: Int64
    @usableFromInline let remainder: Double
    @usableFromInline let error: Double

    @inlinable @inline(__always) init(quadrant: Int64, remainder: Double, error: Double) {
        self.quadrant = quadrant
        self.remainder = remainder
        self.error = error
    }

    /// Subtracts multiples of π/2, which is given in three parts. Up to 2²⁰ the products with the first two are exact.
    /// If the remainder is too small for this precision, `init(precisely:)` computes it again.
    @inlinable @inline(__always) init(_ x: Double) {
        guard x.magnitude < 0x1p20 else {
            self.init(precisely: x)
            return
        }
        let shifted = x * 0x1.45f306dc9c883p-1 + Maths.integerShift
        let n = shifted - Maths.integerShift
        let second = n * 0x1.0b4611a6p-34
        let third = n * 0x1.3198a2e037073p-69
        let first = x - n * 0x1.921fb544p0
        let rest = first - second
        guard rest.magnitude >= 0x1p-12 || n == 0 else {
            self.init(precisely: x)
            return
        }
        let lost = (first - rest) - second
        let remainder = rest - third
        self.init(
            quadrant: Int64(bitPattern: shifted.bitPattern &- Maths.integerShift.bitPattern),
            remainder: remainder, error: ((rest - remainder) - third) + lost)
    }

    /// The sine of the remainder.
    @inlinable @inline(__always) var sine: Double {
        let square = remainder * remainder
        let fourth = square * square
        let high = (0x1.71de357873985p-19 - square * 0x1.ae5e66d435711p-26) + fourth * 0x1.5d932f118dbd6p-33
        let curve = (0x1.111111110f881p-7 - square * 0x1.a01a019c126a4p-13) + fourth * high
        let cube = remainder * square
        return remainder + ((cube * (square * curve - 0x1.5555555555549p-3)) + error * (1 - 0.5 * square))
    }

    /// The cosine of the remainder. The square that is subtracted from 1 is split, so that its first half is exact.
    @inlinable @inline(__always) var cosine: Double {
        let square = remainder * remainder
        let fourth = square * square
        let high = (0x1.27e4f7eac38fp-22 - square * 0x1.1ee9d7b40c5bep-29) + fourth * 0x1.8fa49993f8eccp-37
        let curve =
            (0x1.555555555554bp-5 - square * 0x1.6c16c16c14f91p-10)
            + fourth * (0x1.a01a019c844ddp-16 - square * high)
        let a = Maths.upper(remainder)
        let b = (remainder - a) + error
        let half = 0.5 * a * a
        let sum = 1 - half
        return sum + (((1 - sum) - half) + (fourth * curve - b * (a + 0.5 * b)))
    }
}
