extension Maths {
    /// Returns e to the power `x`. Error at most 0.53 ulp (measured: 0.526).
    ///
    /// Overflows to infinity above 709.78. Below -708.39 the result is subnormal, and finally zero.
    @inlinable public static func exp(_ x: Double) -> Double {
        // Beyond 750 the result is infinity or zero. NaN fails the comparison too.
        guard x.magnitude < 750 else { return x > 0 ? .infinity : x < 0 ? 0 : .nan }
        return exponential(x, 0)
    }

    /// Returns e to the power `x + rest`, for |x| < 750 and |rest| < 2⁻²⁰ · |x|.
    ///
    /// e^x = 2^scale · 2^(step/32) · e^r with |r| ≤ ln 2 / 64.
    @inlinable @inline(__always) static func exponential(_ x: Double, _ rest: Double) -> Double {
        let shifted = x * 0x1.71547652b82fep5 + integerShift
        let n = shifted - integerShift
        let count = Int64(bitPattern: shifted.bitPattern &- integerShift.bitPattern)
        // ln 2 / 32 in two parts, the first of 37 bits: its product with n (16 bits) and the difference are exact.
        let r = (x - n * 0x1.62e42fefap-6) - (n * 0x1.cf79abc9e3b3ap-45 - rest)
        let step = 2 &* Int(truncatingIfNeeded: count & 31)
        let power = powersOfTwo[step]
        let error = powersOfTwo[step &+ 1]
        let growth = r + (r * r * exponentialCurve(r) + error)
        let scale = count &>> 5
        // Down to a scale of -960 the last bits of the small term are still normal numbers.
        guard scale > -960, scale < 1024 else { return scaled(power, power * growth, scale) }
        let large = Double(bitPattern: power.bitPattern &+ UInt64(bitPattern: scale &<< 52))
        return large + large * growth
    }

    /// Returns (e^r - 1 - r) / r².
    @inlinable @inline(__always) static func exponentialCurve(_ r: Double) -> Double {
        let square = r * r
        return (0.5 + r * 0x1.5555555548f87p-3)
            + square * (0x1.5555555545e84p-5 + r * 0x1.11115b78ab584p-7 + square * 0x1.6c172893266dcp-10)
    }

    /// Returns (large + small) · 2^scale, which may overflow or be subnormal, rounded once. Requires 1 ≤ large < 2.
    @usableFromInline static func scaled(_ large: Double, _ small: Double, _ scale: Int64) -> Double {
        let sum = large + small
        if scale > 1023 { return sum * 0x1p1023 * Double(bitPattern: UInt64(bitPattern: scale) << 52) }
        if scale >= (sum < 1 ? -1021 : -1022) {
            return Double(bitPattern: sum.bitPattern &+ UInt64(bitPattern: scale &<< 52))
        }
        // A subnormal number is a multiple of 2^-1074. Adding 2^52 such units rounds to a multiple. The remainder of
        // that rounding is added to the small term, so that a tie is decided by the bits beyond it.
        let unit = Double(bitPattern: UInt64(bitPattern: 1 - scale) << 52)
        let counted = unit + large
        let remainder = (unit - counted) + large
        return Double(bitPattern: (counted + (remainder + small)).bitPattern &- unit.bitPattern)
    }
}
