import PotluckKit

/// Independent runs of one question, merged into one result.
public struct PooledRuns: Sendable {
    /// Why runs cannot be pooled. The sentence begins with the numbers of the runs.
    public struct PoolError: Error, Equatable {
        public let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// In the order of their seeds, so that the order in which they are named does not matter.
    public let runs: [(id: Int64, run: RunRecord)]
    public let trials: UInt64
    public let tally: [UInt64]

    /// Merges the runs' tallies. Throws if they ask different questions, or if two of them share trials.
    public init(_ given: [(id: Int64, run: RunRecord)], _ layout: TallyLayout) throws(PoolError) {
        guard let (first, question) = given.first else { throw PoolError("no runs") }
        let runs = given.sorted { ($0.run.seed, $0.id) < ($1.run.seed, $1.id) }
        var (trials, tally) = (0 as UInt64, layout.empty)
        for (place, (id, run)) in runs.enumerated() {
            guard run.simulation == question.simulation else {
                throw PoolError("runs \(first) and \(id) are of different simulations or of different versions of one")
            }
            guard run.slots == question.slots else {
                throw PoolError("runs \(first) and \(id) have different parameters")
            }
            if place > 0, runs[place - 1].run.seed == run.seed {
                throw PoolError(
                    "runs \(runs[place - 1].id) and \(id) have the same seed, so they share trials; pool runs of "
                        + "different seeds")
            }
            guard run.tally.count == layout.empty.count else { throw PoolError("run \(id) has no whole tally") }
            let (sum, overflow) = trials.addingReportingOverflow(run.trials)
            guard !overflow, sum <= Goal.mostTrials else {
                throw PoolError("runs \(first) to \(id) have more than 1e18 trials together")
            }
            trials = sum
            layout.merge(run.tally, into: &tally)
        }
        (self.runs, self.trials, self.tally) = (runs, trials, tally)
    }

    /// The bytes that the digest of the pooled result hashes: the question, each run's seed and trials in the order of
    /// the seeds, and the merged tally. Anyone who pools the same runs gets the same bytes.
    public var digestInput: [UInt8] {
        var input = DigestInput("potluck pool 1")
        guard let question = runs.first?.run else { return input.bytes }
        input.put(question.simulation)
        input.put(question.slots)
        input.put(UInt64(runs.count))
        for (_, run) in runs {
            input.put(run.seed)
            input.put(run.blockSize)
            input.put(run.trials)
        }
        input.put(tally)
        return input.bytes
    }
}
