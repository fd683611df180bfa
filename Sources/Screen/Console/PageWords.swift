import PotluckCore
import PotluckKit

/// The words about a job that pages in browsers show: those of the screens.
package enum PageWords {
    /// What the job waits for, how it ended, or why it failed; nil while it runs.
    package static func detail(_ state: JobState) -> String? {
        switch state {
        case .waiting(let wait): wait.words
        case .done(let completion): completion.words
        case .failed(let why): why.brief
        case .running, .paused, .stopping: nil
        }
    }

    /// Whose return a job waits for. The words do not change with time, because pages get a picture only when it changes.
    package static func detail(_ lost: LostContact) -> String {
        (["no contact with \(lost.coordinator)"] + [lost.lastTally.map { "last tally at \($0)" }].compactMap(\.self)
            + ["no node is known to compute"]).joined(separator: ", ")
    }

    /// What the job runs for.
    package static func goal(of snapshot: JobSnapshot) -> String {
        [goal(of: snapshot.spec), snapshot.priority.words].compactMap(\.self).joined(separator: ", ")
    }

    /// What a job with this specification runs for.
    package static func goal(of spec: JobSpec) -> String {
        if spec.isSearch { return "the whole tree" }
        let goal = spec.goal
        let limits = [
            goal.trials.map { "\(Figures.grouped($0)) \(spec.unit.plural)" },
            goal.precision?.words, goal.duration.map(Figures.time),
        ].compactMap(\.self)
        return limits.isEmpty ? Remaining.endless.words : limits.joined(separator: " or ")
    }

    /// How much is done, from 0 to 1; nil where nobody can say.
    package static func fraction(_ snapshot: JobSnapshot) -> Double? { Advance(snapshot, columns: 80).part }

    /// The value of a reading.
    package static func value(_ reading: Reading) -> String {
        if reading.isSpoilt { return "invalid" }
        if !reading.kind.isNumber { return "" }
        return reading.value.map(ReadingFigures(reading).text) ?? ReadingTable.notYet
    }

    /// What a reader must know about a reading; nil if there is nothing.
    package static func note(_ reading: Reading, trials: UInt64) -> String? {
        trials > 0 ? IntervalWords.undecided(reading, trials: trials) : nil
    }

    /// The command that repeats a finished run on another laptop; nil if this program's simulations cannot.
    package static func command(of outcome: ClusterPicture.Outcome) -> String? {
        outcome.isBuiltIn ? outcome.result.command()?.joined(separator: " ") : nil
    }

    /// What a node does, without the reason.
    package static func work(_ work: NodeWork) -> String { work.word }
}
