/// Quantiles of Student's t distribution.
enum StudentT {
    /// Returns the quantile that leaves 2.5 % on either side, for `freedom` degrees of freedom, at least 1. Its relative
    /// error is below 5·10⁻⁵ everywhere.
    static func quantile(freedom: UInt64) -> Double {
        switch freedom {
        // Here the series below is not good enough.
        case 0, 1: return 12.706204736174694
        case 2: return 4.302652729749462
        case 3: return 3.1824463052837078
        case 4: return 2.7764451051977925
        case 5: return 2.5705818356363146
        default: break
        }
        return series(Reading.standardErrors, Double(freedom))
    }

    /// Returns the expansion around the normal quantile z in powers of 1/n (Cornish and Fisher; Abramowitz and Stegun
    /// 26.7.5).
    fileprivate static func series(_ z: Double, _ n: Double) -> Double {
        let z2 = z * z
        let first = z * (z2 + 1) / 4
        let second = z * ((5 * z2 + 16) * z2 + 3) / 96
        let third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384
        let fourth = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160
        return z + (first + (second + (third + fourth / n) / n) / n) / n
    }
}

extension Moments {
    /// Half the width of Student's 95 % interval of the mean; nil for fewer than two numbers or if spoilt.
    public var halfWidth: Double? {
        variance.map { StudentT.quantile(freedom: count - 1) * ($0 / Double(count)).squareRoot() }
    }
}

extension Maths {
    /// Returns the number that one of Student's t distribution is below with this probability. Its error is below 5 · 10⁻¹⁴
    /// times the number (measured: 3.4 · 10⁻¹⁴); below 2 · 10⁻¹³ for probabilities under 10⁻¹² and less than 1 degree of freedom.
    ///
    /// `freedom` are the degrees of freedom, at least 1/2; a million are nearly a normal distribution. Infinite at 0 and 1,
    /// NaN beyond them. It takes microseconds, so it belongs into `prepare`.
    public static func studentQuantile(_ probability: Double, freedom: Double) -> Double {
        guard freedom >= leastFreedom else { return .nan }
        guard probability > 0, probability < 1 else { return normalQuantile(probability) }
        let offset = probability - 0.5
        let outside = offset < 0 ? probability : 1 - probability
        let z = -normalQuantile(outside)
        let size =
            freedom >= 1000 && z * z < 0.005 * freedom
            ? StudentT.series(z, freedom)
            : StudentTail(freedom).quantile(inside: offset.magnitude, outside: outside)
        return offset < 0 ? -size : size
    }

    /// With fewer, probabilities that people use would have numbers beyond 10³⁰.
    private static var leastFreedom: Double { 0.5 }
}

/// Student's t distribution of x = t / √n, for n degrees of freedom.
private struct StudentTail {
    let freedom: Double
    /// Half of them.
    let half: Double
    /// Γ(n/2 + 1/2) / (Γ(n/2) √π): the density at 0.
    let density: Double

    init(_ freedom: Double) {
        (self.freedom, half) = (freedom, 0.5 * freedom)
        density = Self.density(half)
    }

    private static func density(_ half: Double) -> Double {
        if half < 80 { return Maths.gamma(half + 0.5) / Maths.gamma(half) * 0.5641895835477563 }
        return Maths.polynomial(gammaRatio, 1 / half) * half.squareRoot() * 0.5641895835477563
    }

    /// Γ(a + 1/2) / (Γ(a) √a) in powers of 1/a. From 80 on the next one would be below 10⁻¹⁷.
    private static let gammaRatio: InlineArray<8, Double> = [
        1, -0.125, 0.0078125, 0.0048828125, -6.40869140625e-4, -0.001522064208984375, 2.071857452392578e-4,
        0.0011719763278961182,
    ]

    /// Returns the t that has the probability `inside` between 0 and it, and `outside` beyond it: Newton's method. Its steps
    /// shrink to their squares, so after one below 10⁻⁹ none is left.
    func quantile(inside: Double, outside: Double) -> Double {
        if outside >= 0.25 {
            var x = inside / density
            var step = x
            while step > 1e-9 * x {
                let slope = density * Maths.exp(-(half + 0.5) * Maths.log1p(x * x))
                step = (inside - x * slope * center(x)) / slope
                x += step
            }
            return x * freedom.squareRoot()
        }
        // In the far tail the probability is a power of x, and nearer it is less.
        let goal = Maths.log(outside)
        var x = Maths.exp((Maths.log(density / freedom) - goal) / freedom)
        if x > 1e9 { return x * freedom.squareRoot() }
        // The logarithm of the probability is a concave function of log x, so each step ends beyond the quantile.
        var step = 1.0
        while step.magnitude > 1e-9 {
            let logarithm = (half + 0.5) * Maths.log1p(x * x)
            if x * x < 1.5 / (half + 1) {
                let slope = density * x * Maths.exp(-logarithm)
                let beyond = 0.5 - slope * center(x)
                step = Maths.log(beyond / outside) * beyond / slope
            } else {
                let part = tail(1 / (1 + x * x)) / freedom
                step = (Maths.log(density * x * part) - logarithm - goal) * part
            }
            x *= Maths.exp(step)
        }
        return x * freedom.squareRoot()
    }

    /// Returns the probability between 0 and x, divided by x times the density: a power series.
    private func center(_ x: Double) -> Double {
        let part = x * x / (1 + x * x)
        var (term, sum, count) = (1.0, 1.0, 1.0)
        while term > 5e-17 * sum {
            term *= (half + count - 0.5) / (count + 0.5) * part
            sum += term
            count += 1
        }
        return sum
    }

    /// Returns the probability beyond a number, divided by x / n times the density: a continued fraction by Lentz's method.
    private func tail(_ x: Double) -> Double {
        var (over, under) = (1.0, 1 / (1 - (half + 0.5) * x / (half + 1)))
        var (product, factor, count) = (under, 0.0, 1.0)
        while (factor - 1).magnitude > 1e-15 {
            let place = half + 2 * count
            let even = count * (0.5 - count) * x / ((place - 1) * place)
            under = 1 / (1 + even * under)
            over = 1 + even / over
            product *= under * over
            let odd = -(half + count) * (half + 0.5 + count) * x / (place * (place + 1))
            under = 1 / (1 + odd * under)
            over = 1 + odd / over
            factor = under * over
            product *= factor
            count += 1
        }
        return product
    }
}
