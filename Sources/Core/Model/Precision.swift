import PotluckKit

/// The most that half the width of a reading's 95 % interval may be.
public enum WidthLimit: Hashable, Sendable {
    case absolute(Double)
    /// Relative to the reading's value: 0.0001 is 0.01 %.
    case relative(Double)

    package var absolute: Double? { if case .absolute(let width) = self { width } else { nil } }
    package var relative: Double? { if case .relative(let part) = self { part } else { nil } }

    /// The most that half the width may be for this value.
    func width(at value: Double) -> Double {
        switch self {
        case .absolute(let limit): limit
        case .relative(let limit): limit * value.magnitude
        }
    }
}

/// A reading that a stop rule judges, with its limit.
public struct ReadingLimit: Hashable, Sendable {
    public var reading: String
    public var limit: WidthLimit

    public init(reading: String, limit: WidthLimit) { (self.reading, self.limit) = (reading, limit) }
}

/// The precision at which a run stops.
public enum Precision: Hashable, Sendable {
    /// The same for every reading that has an interval.
    case every(WidthLimit)
    /// For these readings only, each with a name of its own. There is at least one.
    case named([ReadingLimit])

    /// The same width for every reading that has an interval.
    public static func absolute(_ width: Double) -> Precision { .every(.absolute(width)) }
    /// The same part of its value for every reading that has an interval.
    public static func relative(_ part: Double) -> Precision { .every(.relative(part)) }

    /// The most readings that a precision names: more than anybody types.
    public static let mostNamed = 64

    /// The limit of every reading; nil if it names readings.
    package var every: WidthLimit? { if case .every(let limit) = self { limit } else { nil } }
    /// The limits of the readings that it names; empty if it judges all.
    package var names: [ReadingLimit] { if case .named(let limits) = self { limits } else { [] } }

    /// Whether the readings are this precise. Always false if some judged reading's trials were all alike, or if none
    /// has an interval.
    public func isReached(by readings: [Reading]) -> Bool {
        let judged = judged(readings)
        return !judged.isEmpty
            && judged.allSatisfy { reading, limit in
                guard let reading, reading.varies, let half = reading.halfWidth, let value = reading.value else {
                    return false
                }
                return half <= limit.width(at: value)
            }
    }

    /// The reading that is farthest from its limit, and how many times half its width is the limit. An interval's width
    /// is proportional to 1/√trials, so its square is the factor of the trials that are needed. Nil if some judged
    /// reading says nothing yet.
    public func widest(of readings: [Reading]) -> (reading: Reading, limit: WidthLimit, excess: Double)? {
        var widest: (reading: Reading, limit: WidthLimit, excess: Double)?
        for (reading, limit) in judged(readings) {
            guard let reading, reading.varies, let half = reading.halfWidth, let value = reading.value else {
                return nil
            }
            let excess = half / limit.width(at: value)
            guard excess.isFinite else { return nil }
            if excess >= widest?.excess ?? 0 { widest = (reading, limit, excess) }
        }
        return widest
    }

    /// The readings with the limits that hold for them; nil for one that is not there.
    private func judged(_ readings: [Reading]) -> [(reading: Reading?, limit: WidthLimit)] {
        switch self {
        case .every(let limit): readings.filter { $0.halfWidth != nil }.map { ($0, limit) }
        case .named(let limits):
            limits.flatMap { wanted -> [(reading: Reading?, limit: WidthLimit)] in
                // The differences of several settings have the same names.
                let found = readings.filter { $0.name == wanted.reading }
                return found.isEmpty ? [(nil, wanted.limit)] : found.map { ($0, wanted.limit) }
            }
        }
    }
}
