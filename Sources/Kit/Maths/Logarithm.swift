extension Maths {
    /// Returns the natural logarithm. Error at most 0.52 ulp (measured: 0.510).
    ///
    /// Minus infinity for both zeros, NaN for negative numbers.
    @inlinable public static func log(_ x: Double) -> Double {
        var bits = x.bitPattern
        if bits &- leastNormalBits >= normalRange {
            guard x > 0 else { return x == 0 ? -.infinity : .nan }
            guard x < .infinity else { return x }
            bits = subnormalBits(x)
        }
        let part = LogarithmParts(bits)
        let r = part.remainder
        let sum = part.base + r
        let lost = (part.base - sum) + r
        return sum + (lost + (part.baseError + (part.remainderError + r * r * (r * LogarithmParts.curve(r) - 0.5))))
    }

    @inlinable @inline(__always) static var leastNormalBits: UInt64 { 0x0010_0000_0000_0000 }

    /// The number of bit patterns from `leastNormalBits` on that are positive, finite and normal.
    @inlinable @inline(__always) static var normalRange: UInt64 { 0x7fe0_0000_0000_0000 }

    /// Returns the bits that `x` would have if exponents continued below the least
    /// normal one. They wrap round, which is harmless.
    @inlinable @inline(__always) static func subnormalBits(_ x: Double) -> UInt64 {
        (x * 0x1p52).bitPattern &- (52 << 52)
    }
}

/// A logarithm as a sum: log x = base + baseError + log(1 + remainder + remainderError), |remainder| < 0.0081.
///
/// x = 2^n · z with z from 0.706 to 1.411. Each of 64 intervals of z has a short number `inverse` near 1/z, and
/// 1 + remainder is z · inverse. The interval around 1 has inverse 1 and base 0, so nothing cancels there.
@usableFromInline struct LogarithmParts {
    /// A multiple of 2⁻⁴², so that adding up its parts is exact. It is 0 or its
    /// magnitude is greater than the remainder's.
    @usableFromInline let base: Double
    @usableFromInline let baseError: Double
    @usableFromInline let remainder: Double
    @usableFromInline let remainderError: Double

    /// Takes the bits of a positive number. Its exponent may be below the least normal one.
    @inlinable @inline(__always) init(_ bits: UInt64) {
        let offset = bits &- 0x3fe6_9555_0000_0000
        let n = Double(Int64(bitPattern: offset) &>> 52)
        let z = bits &- (offset & 0xfff0_0000_0000_0000)
        let interval = 3 &* Int(truncatingIfNeeded: (offset &>> 46) & 63)
        let inverse = Maths.logarithms[interval]
        let value = Maths.logarithms[interval &+ 1]
        let valueError = Maths.logarithms[interval &+ 2]
        // Two halves of z, short enough for exact products with the inverse, which has 11 bits.
        let upper = Double(bitPattern: z & 0xffff_ffff_0000_0000)
        let lower = Double(bitPattern: z) - upper
        let near = upper * inverse - 1
        let far = lower * inverse
        remainder = near + far
        remainderError = (near - remainder) + far
        base = n * 0x1.62e42fefa38p-1 + value
        baseError = n * 0x1.ef35793c7673p-45 + valueError
    }

    /// Returns (log(1 + r) - r + r²/2) / r³.
    @inlinable @inline(__always) static func curve(_ r: Double) -> Double {
        let square = r * r
        let low = (0x1.5555555555555p-2 - r * 0x1.000000000007dp-2)
        let middle = (0x1.9999999999c7ap-3 - r * 0x1.5555554239cc1p-3)
        let high = (0x1.24924905b93cap-3 - r * 0x1.0007034988fc7p-3) + square * 0x1.c72c948dba414p-4
        return low + square * (middle + square * high)
    }
}
