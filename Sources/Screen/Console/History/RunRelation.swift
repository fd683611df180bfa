import PotluckCore
import PotluckKit

/// What two runs have in common, which decides how their results may be compared. Random numbers depend on the seed
/// and on the size of a block, and the shorter of two runs with both equal has the first trials of the longer one.
package enum RunRelation: Equatable {
    /// The same result.
    case same
    /// The same run with different results, which cannot be.
    case contradictory
    /// Different versions of one simulation.
    case otherVersion
    /// The shorter run is the beginning of the longer one.
    case nested
    /// The runs use the same random numbers for different questions.
    case sharing
    /// The same search, of which one run or both ended before the whole tree was searched.
    case unfinished
    /// Searches of different trees.
    case otherSearch
    /// Different seeds.
    case independent

    package init(_ a: RunRecord, _ b: RunRecord) {
        if a.digest == b.digest {
            self = .same
        } else if a.simulation.name == b.simulation.name, a.simulation != b.simulation {
            self = .otherVersion
        } else if a.isSearch, b.isSearch {
            let isOne = a.simulation == b.simulation && a.slots == b.slots
            self = !isOne ? .otherSearch : a.canBeRepeated && b.canBeRepeated ? .contradictory : .unfinished
        } else if a.seed != b.seed {
            self = .independent
        } else if a.simulation == b.simulation, a.slots == b.slots, a.blockSize == b.blockSize {
            self = a.trials == b.trials ? .contradictory : .nested
        } else {
            self = .sharing
        }
    }

    /// The difference of two readings; nil if it cannot be told.
    package func distance(_ a: Reading, in first: RunRecord, _ b: Reading, in second: RunRecord) -> Distance? {
        guard let x = a.value, let y = b.value, let s = a.halfWidth, let t = b.halfWidth else { return nil }
        let error: Double
        switch self {
        case .independent: error = (s * s + t * t).squareRoot()
        case .nested:
            // The difference between a beginning and the whole is a fixed share of the difference between the beginning
            // and the rest, which are independent. So its variance is the beginning's variance less the whole's. The
            // beginning's variance follows from the whole's by the numbers of trials.
            let isFirstLonger = first.trials > second.trials
            let (whole, beginning) = (max(first.trials, second.trials), min(first.trials, second.trials))
            guard beginning > 0 else { return nil }
            let ratio = Double(whole) / Double(beginning)
            error = (isFirstLonger ? s : t) * (ratio - 1).squareRoot()
        case .same, .contradictory, .otherVersion, .sharing, .unfinished, .otherSearch: return nil
        }
        guard error > 0 else { return nil }
        return Distance((x - y).magnitude / (error / Reading.standardErrors))
    }
}

/// How much the results of several independent runs of one question differ.
package struct Spread {
    /// The mean of the values, each weighted by its precision.
    package let mean: Double
    /// How far each value is from the mean of the others; nil where it cannot be told.
    package let distances: [Distance?]
    /// How far the sum of the squared distances is above its expectation, in its standard deviations, by the cube root
    /// that makes a chi-square nearly normal (Wilson and Hilferty, 1931).
    package let excess: Double

    /// Returns nil for fewer than two values with an interval.
    package init?(_ readings: [Reading]) {
        let known = readings.map { reading -> (value: Double, weight: Double)? in
            guard let value = reading.value, let half = reading.halfWidth, half > 0, half.isFinite else { return nil }
            let error = half / Reading.standardErrors
            return (value, 1 / (error * error))
        }
        let used = known.compactMap { $0 }
        let weight = used.reduce(0) { $0 + $1.weight }
        guard used.count >= 2, weight.isFinite, weight > 0 else { return nil }
        let mean = used.reduce(0) { $0 + $1.value * ($1.weight / weight) }
        self.mean = mean
        distances = known.map { one in
            guard let one, weight > one.weight else { return nil }
            // The mean of the others, without adding them up again.
            let others = (mean * weight - one.value * one.weight) / (weight - one.weight)
            let error = (1 / one.weight + 1 / (weight - one.weight)).squareRoot()
            return Distance((one.value - others).magnitude / error)
        }
        let squares = used.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) * $1.weight }
        let freedom = Double(used.count - 1)
        let scale = 2 / (9 * freedom)
        excess = (Maths.pow(squares / freedom, 1.0 / 3) - (1 - scale)) / scale.squareRoot()
    }
}
