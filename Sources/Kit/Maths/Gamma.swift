extension Maths {
    /// Returns the gamma function: (n − 1)! for an integer n, exact up to 22!. Error at most 1.4 ulp (measured: 1.37).
    ///
    /// Infinite at both zeros, with their sign; NaN at -1, -2, -3 … and -∞.
    public static func gamma(_ x: Double) -> Double {
        let whole = floor(x)
        if x == whole {
            // At other negative integers it goes to both infinities.
            if x < 0 { return .nan }
            if x > 0, x <= lastExact { return factorial(below: Int(x)) }
        }
        if x.magnitude < tiny { return 1 / x }
        guard x > lowest, x < large else { return x > 0 ? .infinity : x.isNaN ? .nan : isOdd(whole) ? -0.0 : 0 }
        return raisedGamma(x)
    }

    /// Returns the logarithm of |Γ(x)|. Error at most 1.4 ulp (measured: 1.37); below 0 at most that or 2 · 10⁻¹⁸,
    /// whichever is more.
    ///
    /// Infinite at 0, -1, -2 … and at both infinities.
    public static func lgamma(_ x: Double) -> Double {
        guard x.magnitude < .infinity else { return x.isNaN ? .nan : .infinity }
        if x.magnitude < tiny { return -log(x.magnitude) }
        let (one, two) = (x - 1, x - 2)
        // Zero is positive.
        if one.magnitude < 0x1p-6 { return one * polynomial(nearOne, one) + 0 }
        if two.magnitude < 0x1p-6 { return two * polynomial(nearTwo, two) }
        if x >= 2.56e305 || x <= 0 && x == floor(x) { return .infinity }
        if x <= -30 {
            // Γ(x) · Γ(−x) = −π / (x · sin πx)
            let rest = x - floor(x + 0.5)
            return log(.pi / (-x * sin(.pi * rest).magnitude)) - lgamma(-x)
        }
        let raised = Raised(x)
        var sum = stirling(raised.place)
        for product in [raised.full, raised.product] {
            let logarithm = LogarithmParts(product.high.magnitude.bitPattern).doubled
            sum = sum + TwoPart(-logarithm.high, -logarithm.low - product.low / product.high)
        }
        return sum.high
    }

    /// Returns Γ of a number that is not an integer below 1, and neither very large nor very small.
    private static func raisedGamma(_ x: Double) -> Double {
        let raised = Raised(x)
        let logarithm = stirling(raised.place)
        let whole = exponential(logarithm.high, logarithm.low)
        if x >= enough { return whole }
        let part = TwoPart(whole) / raised.full
        let result = TwoPart(part.high + part.low) / raised.product
        return result.high + result.low
    }

    /// From here on Stirling's series is good enough.
    private static var enough: Double { 16 }
    /// Up to here factorials are exact.
    private static var lastExact: Double { 23 }
    /// From here on Γ is infinite.
    private static var large: Double { 172 }
    /// From here down Γ rounds to 0.
    private static var lowest: Double { -185 }

    private static func factorial(below n: Int) -> Double {
        var product = 1.0
        for factor in 1..<max(2, n) { product *= Double(factor) }
        return product
    }

    private static func isOdd(_ whole: Double) -> Bool { whole.magnitude < 0x1p53 && Int64(whole) & 1 == 1 }

    /// A number that is raised to where Stirling's series is good enough, by Γ(x + 1) = x · Γ(x).
    private struct Raised {
        /// x + n, from `enough` on.
        var place: TwoPart
        /// What Γ(x + n) is to be divided by: x · (x + 1) · … in one product, or in two if one would be too large.
        var product = TwoPart(1)
        var full = TwoPart(1)

        init(_ x: Double) {
            place = TwoPart(x)
            while place.high < Maths.enough {
                product = product * place
                if product.high.magnitude > 0x1p900 { (full, product) = (product, TwoPart(1)) }
                place = place + TwoPart(1)
            }
        }
    }

    /// Returns log Γ of a number from `enough` on: (x − 1/2) log x − x + log(2π)/2 + 1/(12x) − …
    private static func stirling(_ place: TwoPart) -> TwoPart {
        let x = place.high
        let logarithm = LogarithmParts(x.bitPattern).doubled
        // The slope of log Γ is nearly log x − 1/(2x).
        let lost = place.low * (logarithm.high - 0.5 / x)
        let main = logarithm * TwoPart.sum(x, -0.5) + TwoPart(-x, lost)
        let series = polynomial(corrections, 1 / (x * x)) / x
        return main + TwoPart(0x1.d67f1c864cp-1, -0x1.4b596d686dffdp-45) + TwoPart(series)
    }

    /// Stirling's corrections in powers of 1/x²: 1/12, −1/360, 1/1260, −1/1680, 1/1188, −691/360360 and 1/156. From 16 on
    /// the eighth would be below 2⁻⁶⁵.
    private static let corrections: InlineArray<7, Double> = [
        0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11,
        0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8,
    ]

    /// log Γ(1 + z) / z in powers of z, for |z| < 1/64.
    private static let nearOne: InlineArray<9, Double> = [
        -0x1.2788cfc6fb619p-1, 0x1.a51a6625307d3p-1, -0x1.9a4d55beab2d6p-2, 0x1.151322ac8085ap-2,
        -0x1.a8b9c17ab2d2fp-3, 0x1.5b40c9b5f5ea2p-3, -0x1.27039fe7fcee8p-3, 0x1.01280d1c84aa4p-3,
        -0x1.c8467fa7a5cd1p-4,
    ]

    /// log Γ(2 + z) / z in powers of z, for |z| < 1/64.
    private static let nearTwo: InlineArray<9, Double> = [
        0x1.b0ee6072093cep-2, 0x1.4a34cc4a60fa6p-2, -0x1.13e001a557607p-4, 0x1.51322ac7d8547p-6,
        -0x1.e404fc218f92ap-8, 0x1.7add6e97b6959p-9, -0x1.38ac5c0c4febbp-10, 0x1.0b3e04de0548dp-11,
        -0x1.d40d7ec0dcf96p-13,
    ]
}
