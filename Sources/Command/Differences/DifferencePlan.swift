import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// One of the settings that `potluck difference` compares.
struct ComparedSetting {
    /// The parameters that distinguish it, as the user typed them.
    let name: String
    let parameters: [UInt64]
    let prepared: PreparedSimulation
}

/// The arguments of `potluck difference`, checked.
struct DifferencePlan {
    let chosen: ChosenSimulation
    let settings: [ComparedSetting]
    let files: RunPlan.Files
    let seed: UInt64
    /// The trials of each setting, and the precision of the differences.
    let goal: Goal
    /// The places of the readings to show.
    let places: [Int]

    var simulation: AnySimulation { chosen.simulation }

    /// The number of a group's trials in the next round, when it has `trials`; nil if it has enough. The rounds do not depend
    /// on the precision, so that `--trials` repeats what `--until` computed.
    func trials(after trials: UInt64) -> UInt64? {
        let groups = UInt64(SettingTallies.groups)
        // Rounded up, because all groups have equally many.
        let most = ((goal.trials ?? Goal.mostTrials - groups) - 1) / groups + 1
        guard trials < most else { return nil }
        // A sixteenth of a block is a trial in each lane or more. Each later round adds half of what is there, so judging
        // costs little, and a run overshoots by little.
        let first = settings.map { UInt64($0.prepared.blockSize) / 16 }.max() ?? 1
        return min(most - trials, max(first, trials / 2))
    }

    /// The seed of a group's trials in a round. It is the same for every setting, which is all that pairs them.
    func seed(ofGroup group: Int, inRound round: Int) -> UInt64 {
        SweepPoint.seed(from: seed, [UInt64(round), UInt64(group)])
    }
}

/// The tallies of a setting's groups of trials.
struct SettingTallies {
    /// The number of groups. The interval is Student's with one degree of freedom less: 4 % wider than with the most
    /// groups. More of them would be shorter jobs.
    static let groups = 32

    private let prepared: PreparedSimulation
    private(set) var groups: [[UInt64]]

    init(_ prepared: PreparedSimulation) {
        self.prepared = prepared
        groups = Array(repeating: prepared.layout.empty, count: Self.groups)
    }

    mutating func add(_ tally: [UInt64], to group: Int) { prepared.layout.merge(tally, into: &groups[group]) }

    /// The readings of all groups, each of which has this many trials.
    func readings(trials: UInt64) throws(Failure) -> GroupedReadings {
        do throws(SimulationFailure) {
            return try GroupedReadings(groups, trials: trials, of: prepared)
        } catch {
            throw Failure(message: error.reason)
        }
    }
}
