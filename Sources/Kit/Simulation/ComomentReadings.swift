extension Work {
    /// A reading of the covariance of pairs of numbers, with an interval.
    public static func covariance(
        _ name: StaticString, _ pairs: @escaping @Sendable (Tally) -> Pairs,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { of(.covariance, name, pairs, exact) }

    /// A reading of the correlation of pairs of numbers, with an interval.
    public static func correlation(
        _ name: StaticString, _ pairs: @escaping @Sendable (Tally) -> Pairs,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { of(.correlation, name, pairs, exact) }

    /// A reading of the slope of the line through pairs that fits y best: by how much y rises if x rises by 1.
    public static func slope(
        _ name: StaticString, _ pairs: @escaping @Sendable (Tally) -> Pairs,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { of(.slope, name, pairs, exact) }

    /// A reading of what y is on that line where x is 0.
    public static func intercept(
        _ name: StaticString, _ pairs: @escaping @Sendable (Tally) -> Pairs,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { of(.intercept, name, pairs, exact) }

    private static func of(
        _ rule: PairRule, _ name: StaticString, _ pairs: @escaping @Sendable (Tally) -> Pairs,
        _ exact: (@Sendable (Self) -> Double?)?
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .derived,
            estimate: { _, tally, _ in
                let all = pairs(tally).all
                return all.read { .pairs(rule, $0, all.count) }
            }, exact: exact)
    }

    /// A reading of the mean of number `i` divided by the mean of number `j`, with an interval.
    public static func ratio<let size: Int>(
        _ name: StaticString, _ numbers: @escaping @Sendable (Tally) -> Comoments<size>, _ i: Int = 0, to j: Int = 1,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { derived(name, of: numbers, { _, means in means[i] / means[j] }, exact: exact) }

    /// A reading computed from the means of several numbers by any smooth function, with an interval.
    public static func derived<let size: Int>(
        _ name: StaticString, of numbers: @escaping @Sendable (Tally) -> Comoments<size>,
        _ function: @escaping @Sendable (Self, [size of Double]) -> Double, exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .derived,
            estimate: { simulation, tally, _ in
                let all = numbers(tally)
                return all.read { sums in
                    .derived(from: sums, all.count) { means in function(simulation, [size of Double] { means[$0] }) }
                }
            }, exact: exact)
    }
}
