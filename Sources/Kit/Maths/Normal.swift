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
