extension Maths {
    /// Returns the probability that a standard normal number is below `x`, to within 10⁻¹⁵.
    public static func normal(below x: Double) -> Double {
        let size = x.magnitude
        let density = exp(-x * x / 2) / 2.5066282746310002  // √(2π)
        if size < 3 {
            // The probability of a number between 0 and x is φ(x) · (x + x³/3 + x⁵/(3·5) + …).
            var term = size
            var sum = size
            for odd in stride(from: 3, to: 100, by: 2) {
                term *= x * x / Double(odd)
                sum += term
            }
            return x < 0 ? 0.5 - density * sum : 0.5 + density * sum
        }
        // The probability of a number beyond x is φ(x) / (x + 1/(x + 2/(x + 3/(x + …)))).
        var fraction = size
        for k in stride(from: 60, to: 0, by: -1) { fraction = size + Double(k) / fraction }
        return x < 0 ? density / fraction : 1 - density / fraction
    }
}

extension Maths {
    /// Returns the number that a standard normal one is below with this probability, by method AS 241 (Wichura, 1988). Its
    /// error is below 10⁻¹⁵ times the number. Infinite at 0 and 1, NaN beyond them.
    public static func normalQuantile(_ probability: Double) -> Double {
        guard probability > 0, probability < 1 else {
            return probability == 0 ? -.infinity : probability == 1 ? .infinity : .nan
        }
        let offset = probability - 0.5
        if offset.magnitude <= 0.425 {
            let x = 0.180625 - offset * offset
            return offset * polynomial(middleAbove, x) / polynomial(middleBelow, x)
        }
        let root = (-log(offset < 0 ? probability : 1 - probability)).squareRoot()
        let size =
            root <= 5
            ? polynomial(tailAbove, root - 1.6) / polynomial(tailBelow, root - 1.6)
            : polynomial(farAbove, root - 5) / polynomial(farBelow, root - 5)
        return offset < 0 ? -size : size
    }

    /// A ratio of polynomials for probabilities from 0.075 to 0.925, one for those outside, and one beyond e⁻²⁵.
    private static let middleAbove: InlineArray<8, Double> = [
        3.387132872796366608, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
        45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727,
    ]
    private static let middleBelow: InlineArray<8, Double> = [
        1, 42.313330701600911252, 687.1870074920579083, 5394.1960214247511077,
        21213.794301586595867, 39307.89580009271061, 28729.085735721942674, 5226.495278852854561,
    ]
    private static let tailAbove: InlineArray<8, Double> = [
        1.42343711074968357734, 4.6303378461565452959, 5.7694972214606914055, 3.64784832476320460504,
        1.27045825245236838258, 0.24178072517745061177, 0.0227238449892691845833, 7.7454501427834140764e-4,
    ]
    private static let tailBelow: InlineArray<8, Double> = [
        1, 2.05319162663775882187, 1.6763848301838038494, 0.68976733498510000455,
        0.14810397642748007459, 0.0151986665636164571966, 5.475938084995344946e-4, 1.05075007164441684324e-9,
    ]
    private static let farAbove: InlineArray<8, Double> = [
        6.6579046435011037772, 5.4637849111641143699, 1.7848265399172913358, 0.29656057182850489123,
        0.026532189526576123093, 0.0012426609473880784386, 2.71155556874348757815e-5, 2.01033439929228813265e-7,
    ]
    private static let farBelow: InlineArray<8, Double> = [
        1, 0.59983220655588793769, 0.13692988092273580531, 0.0148753612908506148525,
        7.868691311456132591e-4, 1.8463183175100546818e-5, 1.4215117583164458887e-7, 2.04426310338993978564e-15,
    ]
}
