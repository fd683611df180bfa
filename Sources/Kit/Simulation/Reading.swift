/// A finished reading, which every view draws without knowing the simulation.
public struct Reading: Sendable, Hashable {
    /// How often the interval of a reading holds the truth.
    public static let confidence = 0.95

    public let name: String
    public let kind: ReadingKind
    /// Nil where there is nothing to read yet, or where the tally is spoilt.
    public let value: Double?
    public let interval: ClosedRange<Double>?
    /// What mathematics says, where it does.
    public let exact: Double?
    public let varies: Bool
    /// Whether the simulation added something that is not a number, or too large: an error of its author's.
    public let isSpoilt: Bool
    /// The counts of a histogram: below, its bins, above. Empty for the others.
    public let bins: [UInt64]
    public let range: ClosedRange<Double>?

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

    /// Half the interval's width.
    public var halfWidth: Double? { interval.map { ($0.upperBound - $0.lowerBound) / 2 } }
}

extension ReadingRule {
    func read(_ simulation: S, _ tally: S.Tally, trials: UInt64) -> Reading {
        let estimate = estimate(simulation, tally, trials)
        return Reading(
            name: name.description, kind: kind, value: estimate.value, interval: estimate.interval,
            exact: exact?(simulation), varies: estimate.varies, isSpoilt: estimate.isSpoilt, bins: estimate.bins,
            range: estimate.range)
    }
}
