extension Work {
    /// A reading of the number that a part `p` of all numbers is below, such as 0.99, with an interval.
    public static func quantile(
        _ name: StaticString, _ quantiles: @escaping @Sendable (Tally) -> Quantiles, _ p: Double,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { of(name, quantiles, p, Estimate.quantile, exact) }

    /// A reading of the number in the middle, with an interval.
    public static func median(
        _ name: StaticString, _ quantiles: @escaping @Sendable (Tally) -> Quantiles,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { quantile(name, quantiles, 0.5, exact: exact) }

    /// A reading of the mean of the numbers beyond a quantile, with an interval: of those above it, or of those below it if
    /// `p` is less than a half.
    public static func expectedShortfall(
        _ name: StaticString, _ quantiles: @escaping @Sendable (Tally) -> Quantiles, _ p: Double,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> { of(name, quantiles, p, Estimate.shortfall, exact) }

    private static func of(
        _ name: StaticString, _ quantiles: @escaping @Sendable (Tally) -> Quantiles, _ p: Double,
        _ estimate: @escaping @Sendable (QuantileCounts, Double) -> Estimate, _ exact: (@Sendable (Self) -> Double?)?
    ) -> ReadingRule<Self> {
        Misuse.stop(unless: p > 0 && p < 1, "a quantile is of a part above 0 and below 1")
        return ReadingRule(
            name: name, kind: .derived, estimate: { _, tally, _ in quantiles(tally).read { estimate($0, p) } },
            exact: exact)
    }
}

extension Estimate {
    /// Returns the estimate of a quantile. The ends of its interval are the numbers whose ranks the true quantile has in 95 of
    /// 100 samples, and further out where their buckets may be uneven. There is no interval while one of these ranks is beyond
    /// all numbers.
    static func quantile(_ counts: QuantileCounts, _ p: Double) -> Estimate {
        guard let value = counts.quantile(p) else { return Estimate(isSpoilt: counts.isSpoilt) }
        // Ranks are binomial. This is the expansion of their quantiles around the normal ones (Cornish and Fisher).
        let n = counts.total
        let deviation = (n * p * (1 - p)).squareRoot()
        let z = Reading.standardErrors
        let skew = 1 - 2 * p
        let middle = n * p + skew * (z * z - 1) / 6 + 0.5
        let curve = (1 - 6 * p * (1 - p)) * (z * z - 3) / 24 - skew * skew * (2 * z * z - 5) / 36
        let reach = z * (deviation + curve / deviation)
        let ranks = (low: middle - reach, high: middle + reach)
        // The expansion is of no use for so few numbers that a rank deviates by less than 1.
        guard deviation >= 1, ranks.low >= 1, ranks.high <= n,
            let low = counts.bound(ranks.low, isUpper: false), let high = counts.bound(ranks.high, isUpper: true)
        else { return Estimate(value: value) }
        return Estimate(value: value, interval: min(low, value)...max(high, value), varies: low < high || counts.vary)
    }

    /// Returns the estimate of the mean beyond a quantile. The numbers in a bucket are taken to be equally far from each
    /// other. Where they may not be, the interval is wider by as much as that can move the mean.
    static func shortfall(_ counts: QuantileCounts, _ p: Double) -> Estimate {
        guard let edge = counts.quantile(p) else { return Estimate(isSpoilt: counts.isSpoilt) }
        let isAbove = p >= 0.5
        let part = isAbove ? 1 - p : p
        let wanted = counts.total * part
        var (taken, sum, squares, doubt) = (0.0, 0.0, 0.0, 0.0)
        let last = QuantileCounts.count - 1
        for step in 0...last where taken < wanted {
            let place = isAbove ? last - step : step
            guard counts.counts[place] > 0 else { continue }
            guard let ends = counts.ends(place) else { return Estimate() }
            let count = min(Double(counts.counts[place]), wanted - taken)
            // Of the last bucket only the part beyond the quantile counts.
            let half = (ends.high - ends.low) * (count / Double(counts.counts[place])) / 2
            // From the quantile, so that squares keep their digits.
            let middle = (isAbove ? ends.high - half : ends.low + half) - edge
            taken += count
            sum += count * middle
            squares += count * middle * middle
            doubt += count * counts.unevenness(place) * (ends.high - ends.low) / 2
        }
        let beyond = sum / taken
        let value = edge + beyond
        guard taken >= 2 else { return Estimate(value: value) }
        let variance = (max(0, squares / taken - beyond * beyond) + (1 - part) * beyond * beyond) / taken
        let few = taken < Double(Reading.fewTrials)
        let half =
            (few ? StudentT.quantile(freedom: UInt64(taken) - 1) : Reading.standardErrors) * variance.squareRoot()
            + doubt / taken
        return Estimate(value: value, interval: (value - half)...(value + half), varies: half > 0)
    }
}
