extension Work {
    /// Readings of the parts that categories have of all that were counted, one for each category in order. All of their
    /// intervals together contain the truth in at least about 95 of 100 runs.
    ///
    ///     proportions(["high card", "pair", "better"]) { $0.hand }
    public static func proportions<let size: Int>(
        _ names: [size of StaticString], _ counts: @escaping @Sendable (Tally) -> Counts<size>,
        exact: (@Sendable (Self) -> [size of Double]?)? = nil
    ) -> [ReadingRule<Self>] {
        (0..<size).map { place in
            var known: (@Sendable (Self) -> Double?)?
            if let exact { known = { simulation in exact(simulation).flatMap { Estimate.finite($0[place]) } } }
            return ReadingRule(
                name: names[place], kind: .category,
                estimate: { _, tally, _ in counts(tally).read { .category(place, $0) } }, exact: known)
        }
    }
}

extension Estimate {
    /// Returns the estimate of a category's part of all. The interval is Wilson's for so many standard errors that a normal
    /// number is beyond them with a probability of 5 % divided by the number of categories (Goodman). So the intervals of all
    /// categories miss their truth together with at most 5 %, by Bonferroni's inequality.
    static func category(_ place: Int, _ counts: CategoryCounts) -> Estimate {
        let total = counts.total
        var estimate = proportion(
            of: counts.counts[place], in: total, standardErrors: -Maths.normalQuantile(0.025 / Double(counts.size)))
        // A category that never came says something as long as others did.
        estimate.varies = total > 0 && !(0..<counts.size).contains { counts.counts[$0] == total }
        return estimate
    }
}
