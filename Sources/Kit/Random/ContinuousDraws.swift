// Draws of real numbers that are made of other draws.
extension RandomStream {
    /// Returns e to a normally distributed number with this mean and deviation.
    public mutating func logNormal(mean: Double = 0, deviation: Double = 1) -> Double {
        Maths.exp(normal(mean: mean, deviation: deviation))
    }

    /// Returns a number of the Weibull distribution.
    public mutating func weibull(shape: Double, scale: Double = 1) -> Double {
        Self.check(shape: shape)
        return scale * Maths.exp(Maths.log(-Maths.log(1 - unit())) / shape)
    }

    /// Returns a number from `low` to `high`. Those near the mode are the most likely.
    public mutating func triangular(from low: Double, mode: Double, to high: Double) -> Double {
        Self.check(mode, from: low, to: high)
        let u = unit()
        let width = high - low
        if u * width < mode - low { return low + (u * width * (mode - low)).squareRoot() }
        return high - ((1 - u) * width * (high - mode)).squareRoot()
    }

    /// Returns a number of the gamma distribution, whose mean is shape · scale.
    public mutating func gamma(shape: Double, scale: Double = 1) -> Double {
        Self.check(shape: shape)
        var whole = raisedGamma(shape)
        if shape < 1 { whole *= Maths.exp(Maths.log(1 - unit()) / shape) }
        return scale * whole
    }

    /// Returns a number of the beta distribution, from 0 to 1.
    public mutating func beta(_ a: Double, _ b: Double) -> Double {
        // By their logarithms, because the numbers themselves may round to 0 for small shapes.
        let first = logGamma(a)
        let second = logGamma(b)
        if first >= second { return 1 / (1 + Maths.exp(second - first)) }
        let ratio = Maths.exp(first - second)
        return ratio / (1 + ratio)
    }

    /// Returns a number of the chi-squared distribution.
    public mutating func chiSquared(freedom: Double) -> Double {
        Self.check(freedom: freedom)
        return gamma(shape: 0.5 * freedom, scale: 2)
    }

    /// Returns a number of Student's t distribution.
    public mutating func studentT(freedom: Double) -> Double {
        Self.check(freedom: freedom)
        let x = normal()
        return x * Maths.exp(0.5 * (Maths.log(0.5 * freedom) - logGamma(0.5 * freedom)))
    }

    /// Beyond these limits logarithms of draws could be infinite.
    @usableFromInline static func check(shape: Double) {
        Misuse.stop(unless: shape >= 1e-300 && shape <= 1e300, "a shape must be from 1e-300 to 1e300")
    }

    @usableFromInline static func check(_ mode: Double, from low: Double, to high: Double) {
        Misuse.stop(unless: low <= mode && mode <= high, "the mode of triangular must be between its ends")
    }

    private static func check(freedom: Double) {
        Misuse.stop(
            unless: freedom >= 1e-299 && freedom <= 1e300, "the degrees of freedom must be from 1e-299 to 1e300")
    }

    /// Returns the logarithm of a number of the gamma distribution.
    mutating func logGamma(_ shape: Double) -> Double {
        Self.check(shape: shape)
        var whole = Maths.log(raisedGamma(shape))
        if shape < 1 { whole += Maths.log(1 - unit()) / shape }
        return whole
    }

    /// Returns a number of the gamma distribution of this shape, or of a shape below 1 and one more (Marsaglia and Tsang,
    /// 2000).
    private mutating func raisedGamma(_ shape: Double) -> Double {
        let d = (shape >= 1 ? shape : shape + 1) - 0.3333333333333333
        let c = 1 / (9 * d).squareRoot()
        while true {
            let x = normal()
            let u = 1 - unit()
            let t = 1 + c * x
            guard t > 0 else { continue }
            let v = t * t * t
            let square = x * x
            if u < 1 - 0.0331 * square * square || Maths.log(u) < 0.5 * square + d * (1 - v + Maths.log(v)) {
                return d * v
            }
        }
    }
}
