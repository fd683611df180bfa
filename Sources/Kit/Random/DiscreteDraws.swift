// Draws of counts that are made of other draws. Each result fits in 32 bits, as an `Int` of a module does.
extension RandomStream {
    /// Returns how many trials it takes until the first success, at least 1.
    public mutating func geometric(_ p: Double) -> Int {
        Misuse.stop(unless: p >= 1e-7 && p <= 1, "the probability of geometric must be from 1e-7 to 1")
        return 1 + Int(Maths.log(1 - unit()) / Maths.log1p(-p))
    }

    /// Returns a number of the Poisson distribution.
    public mutating func poisson(mean: Double) -> Int {
        Misuse.stop(unless: mean >= 0 && mean <= 1e9, "the mean of poisson must be from 0 to 1e9")
        if mean < 10 { return searched(Maths.exp(-mean), mean, 0, most: 110) }
        // Transformed rejection (Hörmann, 1993: PTRS).
        let b = 0.931 + 2.53 * mean.squareRoot()
        let a = 0.02483 * b - 0.059
        let inverse = 1.1239 + 1.1328 / (b - 3.4)
        let squeeze = 0.9277 - 3.6224 / (b - 2)
        let logarithm = Maths.log(mean)
        while true {
            let u = unit() - 0.5
            let v = 1 - unit()
            let left = 0.5 - u.magnitude
            guard left >= 0.013 || v <= left else { continue }
            let place = (2 * a / left + b) * u + mean + 0.43
            guard place >= 0, place < 0x1p31 else { continue }
            let k = Int(place)
            if left >= 0.07 && v <= squeeze { return k }
            let likelihood = Double(k) * logarithm - mean - Self.logFactorial(k)
            if Maths.log(v * inverse / (a / (left * left) + b)) <= likelihood { return k }
        }
    }

    /// Returns the number of successes in `n` trials. Takes a probability that rounding took beyond 0 or 1, as `chance`
    /// does.
    public mutating func binomial(_ n: Int, _ p: Double) -> Int {
        Misuse.stop(unless: n >= 0 && n <= 2_147_483_647, "the trials of binomial must be from 0 to 2147483647")
        Misuse.stop(unless: Self.isProbability(p), "the probability of binomial must be from 0 to 1")
        let k = rarerBinomial(n, max(p > 0.5 ? 1 - p : p, 0))
        return p > 0.5 ? n - k : k
    }

    /// Returns the number of failures before so many successes, which may be any number above 0.
    public mutating func negativeBinomial(_ successes: Double, _ p: Double) -> Int {
        Misuse.stop(
            unless: p >= 1e-7 && p <= 1 && successes > 0 && successes * (1 - p) / p <= 1e8,
            "negative binomial numbers need successes, a probability from 1e-7 to 1 and a mean of at most 1e8")
        return poisson(mean: gamma(shape: successes, scale: (1 - p) / p))
    }

    /// Returns a number of the binomial distribution for a `p` up to 1/2.
    private mutating func rarerBinomial(_ n: Int, _ p: Double) -> Int {
        let q = 1 - p
        let trials = Double(n)
        let mean = trials * p
        if mean < 10 {
            return searched(Maths.exp(trials * Maths.log1p(-p)), (trials + 1) * (p / q), p / q, most: min(n, 110))
        }
        // Transformed rejection (Hörmann, 1993: BTRS).
        let spread = (mean * q).squareRoot()
        let b = 1.15 + 2.53 * spread
        let a = 0.0248 * b - 0.0873 + 0.01 * p
        let inverse = (2.83 + 5.1 / b) * spread
        let squeeze = 0.92 - 4.2 / b
        let odds = Maths.log(p / q)
        let mode = Int((trials + 1) * p)
        let highest = Self.logFactorial(mode) + Self.logFactorial(n - mode)
        while true {
            let u = unit() - 0.5
            let v = 1 - unit()
            let left = 0.5 - u.magnitude
            guard left > 0 else { continue }
            let place = (2 * a / left + b) * u + (mean + 0.5)
            guard place >= 0, place < trials + 1 else { continue }
            let k = Int(place)
            if left >= 0.07 && v <= squeeze { return k }
            let rest = Self.logFactorial(k) + Self.logFactorial(n - k)
            let likelihood = highest - rest + Double(k - mode) * odds
            if Maths.log(v * inverse / (a / (left * left) + b)) <= likelihood { return k }
        }
    }

    /// Returns a number k whose probability is the one of k - 1, multiplied by a/k − s; that of 0 is `first`. A number above
    /// `most` has a probability below 10⁻⁶⁰, or none. If rounding leads there, it draws again.
    private mutating func searched(_ first: Double, _ a: Double, _ s: Double, most: Int) -> Int {
        while true {
            var left = unit()
            var p = first
            for k in 0...most {
                if left < p { return k }
                left -= p
                p *= a / Double(k + 1) - s
            }
        }
    }

    /// Returns log k!, by Stirling's series from 10 on, to within 10⁻¹³ of itself.
    private static func logFactorial(_ k: Int) -> Double {
        if k < 10 {
            var product = 1.0
            for factor in 1..<max(k + 1, 2) { product *= Double(factor) }
            return Maths.log(product)
        }
        let x = Double(k) + 1
        let inverse = 1 / (x * x)
        var series = 0.0007936507936507937 - inverse * 0.0005952380952380953
        series = (0.08333333333333333 - inverse * (0.002777777777777778 - inverse * series)) / x
        return (x - 0.5) * Maths.log(x) - x + (0.9189385332046727 + series)
    }
}
