extension Maths {
    /// Returns `x` to the power `y`. Error at most 0.6 ulp (measured: 0.556).
    ///
    /// The special cases are those of IEEE 754: any number to the power 0 is 1, and 1 to any power is 1, even for NaN.
    /// A negative `x` needs an integer `y`; otherwise the result is NaN.
    @inlinable public static func pow(_ x: Double, _ y: Double) -> Double {
        // A positive normal x, and a y that is small enough for `power`. NaN fails one of the comparisons.
        guard x.bitPattern &- leastNormalBits < normalRange, y.magnitude < 0x1p64 else { return unusualPower(x, y) }
        return power(x.bitPattern, y)
    }

    /// Returns a power of a positive finite number given by its bits, as `LogarithmParts` takes them.
    @inlinable @inline(__always) static func power(_ bits: UInt64, _ y: Double) -> Double {
        let logarithm = LogarithmParts(bits).doubled
        // The product with y as an exact double and a small remainder.
        let yUpper = upper(y)
        let product = yUpper * logarithm.high
        guard product.magnitude < 750 else { return product > 0 ? .infinity : 0 }
        return exponential(product, (y - yUpper) * logarithm.high + y * logarithm.low)
    }

    /// Returns the power if `x` is not positive and normal, or if `y` is huge or NaN.
    @usableFromInline static func unusualPower(_ x: Double, _ y: Double) -> Double {
        if y == 0 || x == 1 { return 1 }
        if x.isNaN || y.isNaN { return .nan }
        let size = x.magnitude
        let kind = wholeness(y)
        let sign: Double = x.sign == .minus && kind == .odd ? -1 : 1
        if size == 0 || size == .infinity { return (size == 0) == (y < 0) ? sign * .infinity : sign * 0 }
        if x < 0, kind == .fraction { return .nan }
        // From 2^64 on, y is even or infinite, and even the neighbours of 1 become infinity or 0.
        if y.magnitude >= 0x1p64 { return size == 1 ? 1 : (size > 1) == (y > 0) ? .infinity : 0 }
        return sign * power(size.bitPattern < leastNormalBits ? subnormalBits(size) : size.bitPattern, y)
    }

    enum Wholeness {
        case fraction, odd, even
    }

    /// Returns whether a number, which must not be zero or NaN, is odd, even or a fraction. Infinity counts as even.
    static func wholeness(_ y: Double) -> Wholeness {
        let size = y.magnitude
        guard size < 0x1p53 else { return .even }
        let whole = Int64(size)
        guard Double(whole) == size else { return .fraction }
        return whole & 1 == 1 ? .odd : .even
    }
}

extension LogarithmParts {
    /// The logarithm to 67 bits: its first 26, and the rest. A power needs as many, because it multiplies the error by up
    /// to 745. So everything that matters is kept in two doubles.
    @inlinable @inline(__always) var doubled: TwoPart {
        let r = remainder
        let a = Maths.upper(r)
        let b = (r - a) + remainderError
        // base + a - a²/2, each term exact, as high + low. Then what is missing from log(1 + a + b).
        let sum = base + a
        let half = 0.5 * a * a
        let high = sum - half
        let low = ((base - sum) + a) + ((sum - high) - half)
        let small = (b - b * (a + 0.5 * b)) + (r * r * r * Self.curve(r) + baseError)
        let correction = low + small
        let logarithm = high + correction
        let first = Maths.upper(logarithm)
        return TwoPart(first, (logarithm - first) + ((high - logarithm) + correction))
    }
}
