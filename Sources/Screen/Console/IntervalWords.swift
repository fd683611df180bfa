import PotluckCore
import PotluckKit

/// Remarks about the intervals of some readings, in sentences.
package enum IntervalWords {
    /// Says which readings have trials that were all alike, with a bound for the truth, which are far off their exact
    /// answers, and whether intervals are Student's.
    package static func remarks(_ readings: [Reading], trials: UInt64) -> [String] {
        guard trials > 0 else { return [] }
        let hasMean = readings.contains { $0.kind == .mean && $0.shownInterval != nil }
        return readings.compactMap { undecided($0, trials: trials) ?? off($0) }
            + (hasMean && trials < Reading.fewTrials ? [student] : [])
    }

    private static let student =
        "With fewer than \(Reading.fewTrials) trials, the intervals of means are Student's t intervals."

    /// The remark about a reading that is farther off its exact answer than chance explains; nil for other readings.
    private static func off(_ reading: Reading) -> String? {
        guard let distance = Distance(reading), distance.isImpossible else { return nil }
        return "\(reading.name) is \(distance.text("standard errors")) off its exact answer. Chance does that once in "
            + "two million runs, so the simulation or the exact answer is wrong."
    }

    /// The remark about a reading whose trials were all alike; nil for other readings.
    package static func undecided(_ reading: Reading, trials: UInt64) -> String? {
        guard !reading.varies, !reading.isSpoilt, let value = reading.value, reading.interval != nil else { return nil }
        switch reading.kind {
        case .proportion where value == 0:
            return "\(reading.name) never happened, so it is at most \(Figures.significant(bound(trials), 2)) "
                + "(95 %, rule of three)."
        case .proportion where value == 1:
            return "\(reading.name) happened in every trial, so it is at least "
                + "1 − \(Figures.significant(bound(trials), 2)) (95 %, rule of three)."
        case .mean:
            return "All values of \(reading.name) are the same so far, so nothing shows how precise its mean is."
        default: return nil
        }
    }

    /// The largest proportion that stays unseen in this many trials with a probability of 5 %: 3/n, nearly.
    package static func bound(_ trials: UInt64) -> Double {
        trials < 4 ? 1 - root(of: 0.05, trials) : 3 / Double(trials)
    }

    private static func root(of base: Double, _ trials: UInt64) -> Double { Maths.pow(base, 1 / Double(trials)) }
}
