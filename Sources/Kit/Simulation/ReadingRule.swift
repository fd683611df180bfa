/// How to compute one reading from a tally, as the simulation declares it.
public struct ReadingRule<S: Work>: Sendable {
    /// The name that people see.
    public let name: StaticString
    /// The kind of the reading.
    public let kind: ReadingKind
    let estimate: @Sendable (S, S.Tally, UInt64) -> Estimate
    let exact: (@Sendable (S) -> Double?)?
    /// The counts of a histogram: below the range, its bins, above the range. Three words for each time of a series. The words
    /// of `CellCounts`. Nil for other kinds.
    var bins: (@Sendable (S.Tally) -> [UInt64])?
}

/// The kind of a reading. The raw values are part of the ABI and of the wire protocol: append, never renumber.
public enum ReadingKind: UInt8, Sendable {
    /// The proportion of trials in which something happened.
    case proportion = 1
    /// The mean of numbers.
    case mean = 2
    /// The sample variance of numbers.
    case variance = 3
    /// A number computed from another reading or from the whole tally.
    case derived = 4
    /// The counts of a histogram.
    case histogram = 5
    /// The part that one of several categories has of all. The categories of one field follow each other.
    case category = 6
    /// The means of a series.
    case series = 7
    /// The counts of a histogram in two dimensions.
    case histogram2D = 8

    /// Whether such a reading is one number, and no picture of many.
    public var isNumber: Bool { self != .histogram && self != .series && self != .histogram2D }
    /// Whether it is a part of all, from 0 to 1.
    public var isShare: Bool { self == .proportion || self == .category }
}

/// The result of a reading rule for one tally.
public struct Estimate: Sendable {
    /// Nil if there is no value yet, if the tally is spoilt, or for a histogram.
    var value: Double?
    /// The 95 % interval; nil if the reading has none.
    var interval: ClosedRange<Double>?
    /// Whether the trials differed. If all were alike, the interval says nothing yet, and no run stops on it.
    var varies = false
    /// Whether the simulation added NaN or a number that is too large, or counted more hits than trials.
    var isSpoilt = false
    /// The range of a histogram's bins or columns, or of the times of a series; nil for other kinds.
    var range: ClosedRange<Double>?
}

/// Lets authors write `readings` as a list.
@resultBuilder public enum ReadingBuilder<S: Work> {
    /// Takes the readings of several categories.
    public static func buildExpression(_ rules: [ReadingRule<S>]) -> [ReadingRule<S>] { rules }
    /// Takes one line of the list.
    public static func buildExpression(_ rule: ReadingRule<S>) -> [ReadingRule<S>] { [rule] }
    /// Joins the lines of the list, in order.
    public static func buildBlock(_ rules: [ReadingRule<S>]...) -> [ReadingRule<S>] { rules.flatMap { $0 } }
    /// Joins the lines of all rounds of a loop.
    public static func buildArray(_ rounds: [[ReadingRule<S>]]) -> [ReadingRule<S>] { rounds.flatMap { $0 } }
}

extension Work {
    /// A reading of the proportion of trials that a count holds, with Wilson's interval.
    public static func proportion(
        _ name: StaticString, _ count: @escaping @Sendable (Tally) -> Count,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .proportion,
            estimate: { _, tally, trials in .proportion(of: count(tally).value, in: trials) }, exact: exact)
    }

    /// A reading of the mean of some numbers, with the interval of the central limit theorem.
    public static func mean(
        _ name: StaticString, _ moments: @escaping @Sendable (Tally) -> Moments,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(name: name, kind: .mean, estimate: { _, tally, _ in .mean(of: moments(tally)) }, exact: exact)
    }

    /// A reading of the sample variance of some numbers. It has no interval, which would need their fourth powers.
    public static func variance(
        _ name: StaticString, _ moments: @escaping @Sendable (Tally) -> Moments,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .variance,
            estimate: { _, tally, _ in .variance(of: moments(tally)) }, exact: exact)
    }

    /// A reading of a histogram's counts.
    public static func histogram<let bins: Int>(
        _ name: StaticString, _ histogram: @escaping @Sendable (Tally) -> Histogram<bins>
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .histogram,
            estimate: { _, tally, _ in
                let histogram = histogram(tally)
                return Estimate(isSpoilt: histogram.isSpoilt, range: histogram.lower...histogram.upper)
            }, exact: nil,
            bins: { tally in
                let histogram = histogram(tally)
                var counts = [histogram.below]
                for bin in 0..<bins { counts.append(histogram[bin]) }
                counts.append(histogram.above)
                return counts
            })
    }

    /// A reading computed from another reading by a monotone function, which also maps the ends of the interval. For
    /// example, pi is four times the proportion of points inside the circle.
    public static func derived(
        _ name: StaticString, from rule: ReadingRule<Self>, _ function: @escaping @Sendable (Self, Double) -> Double,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .derived,
            estimate: { simulation, tally, trials in
                rule.estimate(simulation, tally, trials).mapped { function(simulation, $0) }
            }, exact: exact)
    }

    /// A reading computed from the whole tally. It has no interval, and no value
    /// where the function's result is not finite.
    public static func derived(
        _ name: StaticString, _ function: @escaping @Sendable (Self, Tally, UInt64) -> Double?,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .derived,
            estimate: { simulation, tally, trials in
                .derived(function(simulation, tally, trials))
            }, exact: exact)
    }
}

extension Simulation {
    /// A reading of the mean of some numbers. Its interval is Student's for fewer than `Reading.fewTrials` trials, and
    /// that of the central limit theorem otherwise.
    public static func mean(
        _ name: StaticString, _ moments: @escaping @Sendable (Tally) -> Moments,
        exact: (@Sendable (Self) -> Double?)? = nil
    ) -> ReadingRule<Self> {
        ReadingRule(
            name: name, kind: .mean,
            estimate: { _, tally, trials in .mean(of: moments(tally), in: trials) }, exact: exact)
    }
}

extension Estimate {
    /// Returns the estimate of a proportion with Wilson's interval, which is right
    /// also near 0 and 1 and for few trials.
    static func proportion(
        of hits: UInt64, in trials: UInt64, standardErrors quantile: Double = Reading.standardErrors
    ) -> Estimate {
        // More hits than trials: the simulation counted some trial twice.
        guard hits <= trials else { return Estimate(isSpoilt: true) }
        guard trials > 0 else { return Estimate() }
        let n = Double(trials)
        let share = Double(hits) / n
        let z2 = quantile * quantile
        let scale = 1 + z2 / n
        let middle = (share + z2 / (2 * n)) / scale
        let half = quantile / scale * (share * (1 - share) / n + z2 / (4 * n * n)).squareRoot()
        // At the ends the formula gives exactly 0 and 1, except for rounding.
        let low = hits == 0 ? 0 : max(0, middle - half)
        let high = hits == trials ? 1 : min(1, middle + half)
        return Estimate(value: share, interval: low...high, varies: hits != 0 && hits < trials)
    }

    /// Returns the estimate of a mean. Its interval has `factor` standard errors to each side.
    static func mean(of moments: Moments, factor: Double = Reading.standardErrors) -> Estimate {
        guard let mean = moments.mean else { return Estimate(isSpoilt: moments.isSpoilt) }
        guard let variance = moments.variance else { return Estimate(value: mean) }
        let half = factor * (variance / Double(moments.count)).squareRoot()
        return Estimate(value: mean, interval: (mean - half)...(mean + half), varies: variance > 0)
    }

    /// Returns the estimate of the mean of a simulation's numbers. Its interval is Student's for few trials.
    static func mean(of moments: Moments, in trials: UInt64) -> Estimate {
        guard trials < Reading.fewTrials, moments.count > 1 else { return .mean(of: moments) }
        return .mean(of: moments, factor: StudentT.quantile(freedom: moments.count - 1))
    }

    /// Returns the estimate of a sample variance, which has no interval.
    static func variance(of moments: Moments) -> Estimate {
        Estimate(value: moments.variance, isSpoilt: moments.isSpoilt)
    }

    /// Returns the estimate that an author's function of the tally gives: no value where it is not finite.
    static func derived(_ value: Double?) -> Estimate { Estimate(value: value.flatMap { $0.isFinite ? $0 : nil }) }

    /// Applies a monotone function to the value and the interval. Where the result
    /// is not finite there is no value, or no interval.
    func mapped(_ function: (Double) -> Double) -> Estimate {
        var mapped = self
        mapped.value = value.map(function).flatMap { $0.isFinite ? $0 : nil }
        mapped.interval = interval.flatMap { interval in
            let (a, b) = (function(interval.lowerBound), function(interval.upperBound))
            return a.isFinite && b.isFinite ? min(a, b)...max(a, b) : nil
        }
        return mapped
    }
}
