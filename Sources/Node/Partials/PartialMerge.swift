import PotluckCore
import PotluckEngine
import PotluckKit

/// The partial runs of one job, as they are put together.
public struct PartialMerge: Sendable {
    /// Why a partial run does not fit the others.
    public enum MergeError: Error, Hashable {
        /// It is of another job than the first one: the text says what differs.
        case foreign(String)
        /// These blocks are in another partial run, too.
        case doubled(with: Int)
        /// Its tally is not one of this simulation.
        case wrongTally
    }

    public let job: PartialRun.Job
    private let layout: TallyLayout
    /// The partial runs in the order in which they were added.
    public private(set) var runs: [PartialRun] = []
    /// Their indices, in order of their blocks. Empty slices are left out.
    private var order: [Int] = []

    /// Begins a merge. `layout` is that of the job's simulation.
    public init(_ job: PartialRun.Job, layout: TallyLayout) { (self.job, self.layout) = (job, layout) }

    /// Adds a partial run; throws if it does not fit.
    public mutating func add(_ run: PartialRun) throws(MergeError) {
        if let difference = job.difference(from: run.job) { throw .foreign(difference) }
        guard ([run.tally] + run.checkpoints.map(\.tally)).allSatisfy({ layout.misfit($0) == nil }) else {
            throw .wrongTally
        }
        guard !run.slice.isEmpty else {
            guard run.tally == layout.empty, run.output ?? 0 == 0 else { throw .wrongTally }
            return runs.append(run)
        }
        if let best = layout.best(in: run.tally), !best.isEmpty, !run.slice.contains(best.point) { throw .wrongTally }
        if let output = run.output, layout.print(in: run.tally).map({ $0.octets }) ?? 0 != UInt64(output) {
            throw .wrongTally
        }
        let place = place(of: run.slice.lowerBound)
        for neighbour in [place - 1, place] where order.indices.contains(neighbour) {
            if runs[order[neighbour]].slice.overlaps(run.slice) { throw .doubled(with: order[neighbour]) }
        }
        order.insert(runs.count, at: place)
        runs.append(run)
    }

    /// Returns the number of slices that begin before `block`.
    private func place(of block: UInt64) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if runs[order[middle]].slice.lowerBound < block { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The partial runs in order of their blocks, without those that have none.
    public var inOrder: [PartialRun] { order.map { runs[$0] } }

    /// Returns the blocks below `end` that no partial run has, in order.
    public func missing(below end: UInt64) -> [Range<UInt64>] {
        var missing: [Range<UInt64>] = []
        var next: UInt64 = 0
        for index in order {
            let slice = runs[index].slice
            if slice.lowerBound > next, next < end { missing.append(next..<min(slice.lowerBound, end)) }
            next = slice.upperBound
        }
        if next < end { missing.append(next..<end) }
        return missing
    }

    /// The blocks of the whole job; nil if only a precision ends it.
    public var blocks: UInt64? { job.goal.trials.map(job.experiment.blocks) }

    /// The tally of all added partial runs, gaps or not, and its number of trials.
    public var total: (trials: UInt64, tally: [UInt64]) {
        var tally = layout.empty
        for run in runs { layout.merge(run.tally, into: &tally) }
        return (runs.reduce(0) { $0 + $1.trials }, tally)
    }

    /// Returns the tallies of all blocks before each checkpoint and each end of a slice that has no gap before it.
    public var passed: [SettledTally] {
        var passed: [SettledTally] = []
        var before = layout.empty
        var next: UInt64 = 0
        for run in inOrder {
            guard run.slice.lowerBound == next else { break }
            for checkpoint in run.checkpoints {
                var tally = before
                layout.merge(checkpoint.tally, into: &tally)
                passed.append(SettledTally(blocks: checkpoint.blocks, tally: tally))
            }
            layout.merge(run.tally, into: &before)
            next = run.slice.upperBound
            passed.append(SettledTally(blocks: next, tally: before))
        }
        return passed
    }
}

extension PartialRun.Job {
    /// Returns what distinguishes another job from this one, in words; nil if they are the same. The path of the
    /// simulation's file does not matter.
    public func difference(from other: PartialRun.Job) -> String? {
        let (mine, theirs) = (experiment, other.experiment)
        if mine.simulation.name != theirs.simulation.name {
            return "it is of \(theirs.simulation.name), not of \(mine.simulation.name)"
        }
        if mine.simulation != theirs.simulation { return "it is of another version of \(mine.simulation.name)" }
        if mine.parameters != theirs.parameters {
            return inputs.isEmpty ? "its parameters differ" : "its parameters or input files differ"
        }
        if mine.seed != theirs.seed { return "its seed is \(theirs.seed), not \(mine.seed)" }
        if mine.blockSize != theirs.blockSize { return "its block size differs" }
        if goal.trials != other.goal.trials {
            let words = [other.goal.trials, goal.trials].map { $0.map { "\($0)" } ?? "no number of" }
            return "it is of a run of \(words[0]) trials, not of \(words[1])"
        }
        if goal != other.goal { return "its precision differs" }
        return nil
    }
}
