/// A number, a histogram or a curve computed from a tally. Views draw it without knowing the simulation.
public struct Reading: Sendable, Hashable {
    /// The probability that an interval contains the true value.
    public static let confidence = 0.95

    /// The name that people see.
    public let name: String
    /// The kind, which decides how views show it.
    public let kind: ReadingKind
    /// Nil if there is no value yet, if the tally is spoilt, or for a histogram.
    public let value: Double?
    /// The 95 % interval of the value; nil if it has none.
    public let interval: ClosedRange<Double>?
    /// The exact value according to theory, if the simulation gives one.
    public let exact: Double?
    /// Whether the trials differed. If all were alike, the interval says nothing yet.
    public let varies: Bool
    /// Whether the simulation added NaN or a number that is too large, which is an error in the simulation.
    public let isSpoilt: Bool
    /// The counts of a histogram: below the range, its bins, above the range. The words of a series, see `curve`, or of a
    /// histogram in two dimensions, see `cells`. Empty for other kinds.
    public let bins: [UInt64]
    /// The range of a histogram's bins or columns, or of the times of a series; nil for other kinds.
    public let range: ClosedRange<Double>?

    /// Creates a reading, which lacks the parts that are not given.
    public init(
        name: String, kind: ReadingKind, value: Double?, interval: ClosedRange<Double>? = nil, exact: Double? = nil,
        varies: Bool = true, isSpoilt: Bool = false, bins: [UInt64] = [], range: ClosedRange<Double>? = nil
    ) {
        self.name = name
        self.kind = kind
        self.value = value
        self.interval = interval
        self.exact = exact
        self.varies = varies
        self.isSpoilt = isSpoilt
        self.bins = bins
        self.range = range
    }

    /// Half a 95 % interval in standard errors: the quantile of the standard normal distribution that leaves 2.5 % on
    /// either side.
    public static var standardErrors: Double { 1.959963984540054 }

    /// Half the interval's width.
    public var halfWidth: Double? { interval.map { ($0.upperBound - $0.lowerBound) / 2 } }

    /// With fewer trials, the intervals of a simulation's means are Student's. From here on they are half a percent
    /// wider at most, and no stop rule looks earlier: the first checkpoint of a run is after 16 blocks of at least 16
    /// trials. So a run stops where it did before there were such intervals.
    public static let fewTrials: UInt64 = 256

    /// The interval if it says something: the interval of numbers that were all alike has no width, whatever the truth
    /// is. Stop rules use `interval` and `varies`.
    public var shownInterval: ClosedRange<Double>? {
        interval.flatMap { !varies && $0.lowerBound == $0.upperBound ? nil : $0 }
    }

    /// Half the width of `shownInterval`.
    public var shownHalfWidth: Double? { shownInterval == nil ? nil : halfWidth }
}

extension ReadingRule {
    func read(_ simulation: S, _ tally: S.Tally, trials: UInt64) -> Reading {
        let estimate = estimate(simulation, tally, trials)
        return Reading(
            name: name.description, kind: kind, value: estimate.value, interval: estimate.interval,
            exact: exact?(simulation), varies: estimate.varies, isSpoilt: estimate.isSpoilt,
            bins: bins?(tally) ?? [], range: estimate.range)
    }
}
