extension Maths {
    /// Returns the tangent. Error below 2 ulp.
    public static func tan(_ x: Double) -> Double { sin(x) / cos(x) }

    /// Returns the angle with this sine, from −π/2 to π/2; NaN outside -1 ... 1. Error below 3 ulp.
    public static func asin(_ x: Double) -> Double {
        x.magnitude <= 1 ? atan2(x, ((1 - x) * (1 + x)).squareRoot()) : .nan
    }

    /// Returns the angle with this cosine, from 0 to π; NaN outside -1 ... 1. Error below 3 ulp.
    public static func acos(_ x: Double) -> Double {
        x.magnitude <= 1 ? atan2(((1 - x) * (1 + x)).squareRoot(), x) : .nan
    }

    /// Returns the logarithm to base 2. Error below 2 ulp, except near 1, where it is the logarithm's divided by ln 2.
    public static func log2(_ x: Double) -> Double {
        guard x.bitPattern &- leastNormalBits < normalRange else {
            return x > 0 && x < .infinity ? log2(x * 0x1p52) - 52 : log(x)
        }
        let exponent = Double(Int(truncatingIfNeeded: x.bitPattern &>> 52) - 1023)
        let rest = Double(bitPattern: x.bitPattern & 0xf_ffff_ffff_ffff | 1023 &<< 52)
        // Near 1 from below the two parts would cancel.
        return exponent == -1 ? log(x) * 0x1.71547652b82fep0 : exponent + log(rest) * 0x1.71547652b82fep0
    }

    /// Returns the logarithm to base 10. Error below 2 ulp.
    public static func log10(_ x: Double) -> Double {
        let logarithm = log(x) * 0x1.bcb7b1526e50ep-2
        // Powers of ten are exact up to 10²².
        let nearest = (logarithm + integerShift) - integerShift
        guard nearest >= 0, nearest <= 22 else { return logarithm }
        var power = 1.0
        for _ in 0..<Int(nearest) { power *= 10 }
        return power == x ? nearest : logarithm
    }

    /// The least magnitude from which every number is an integer.
    private static var wholeFrom: Double { 0x1p52 }

    /// Returns the integer without its fraction.
    public static func trunc(_ x: Double) -> Double {
        guard x.magnitude < wholeFrom else { return x.isNaN ? .nan : x }
        let size = Double(Int64(x.magnitude))
        return x.sign == .minus ? -size : size
    }

    /// Returns the nearest integer that is not greater.
    public static func floor(_ x: Double) -> Double {
        let whole = trunc(x)
        return whole > x ? whole - 1 : whole
    }

    /// Returns the nearest integer, and of two the one with the greater magnitude.
    public static func round(_ x: Double) -> Double {
        let whole = trunc(x)
        let rest = x - whole
        return rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole
    }
}
