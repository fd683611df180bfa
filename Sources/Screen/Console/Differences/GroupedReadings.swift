import PotluckKit

/// The readings of one setting: those of all its trials, and those of the trials without each group. The groups have
/// equally many trials.
package struct GroupedReadings: Sendable {
    package let all: [Reading]
    /// The readings without the first group, without the second, and so on.
    let without: [[Reading]]

    /// Merges the groups' tallies. `trials` is the number of trials in each group.
    package init(
        _ groups: [[UInt64]], trials: UInt64, of prepared: PreparedSimulation
    ) throws(SimulationFailure) {
        let layout = prepared.layout
        // The tallies of the groups from each one on. With those before it, each is left out with two merges.
        var after = [layout.empty]
        for group in groups.reversed() {
            var tally = after[after.count - 1]
            layout.merge(group, into: &tally)
            after.append(tally)
        }
        after.reverse()
        let count = UInt64(groups.count)
        all = try prepared.readings(of: after[0], trials: trials * count)
        var before = layout.empty
        var without: [[Reading]] = []
        for (index, group) in groups.enumerated() {
            var rest = before
            layout.merge(after[index + 1], into: &rest)
            without.append(try prepared.readings(of: rest, trials: trials * (count - 1)))
            layout.merge(group, into: &before)
        }
        self.without = without
    }
}
