/// The result of a shard: the exact tally of a slice of a job's blocks.
public struct PartialRun: Hashable, Sendable {
    /// The job that it is a part of.
    public struct Job: Hashable, Sendable {
        public let experiment: Experiment
        /// The goal of the whole job, without a slice and without a time.
        public let goal: Goal
        /// The simulation as the user typed it: its name or the path of its file.
        public let typed: String
        public let inputs: [RecordedInput]

        public init(experiment: Experiment, goal: Goal, typed: String, inputs: [RecordedInput] = []) {
            precondition(goal.slice == nil && goal.duration == nil, "a whole job has no slice, and no shard has a time")
            (self.experiment, self.goal, self.typed, self.inputs) = (experiment, goal, typed, inputs)
        }
    }

    /// How it was computed.
    public struct Origin: Hashable, Sendable {
        /// The name of the machine.
        public let host: String
        public let cores: Int
        /// Milliseconds since 1970, by the wall clock.
        public let startedAt: Int64
        public let elapsed: Duration
        public let effort: SearchEffort

        public init(host: String, cores: Int, startedAt: Int64, elapsed: Duration, effort: SearchEffort = .none) {
            (self.host, self.cores, self.startedAt) = (host, cores, startedAt)
            (self.elapsed, self.effort) = (elapsed, effort)
        }
    }

    public let job: Job
    public let number: ShardNumber
    public let slice: Range<UInt64>
    public let tally: [UInt64]
    /// For each checkpoint strictly inside the slice: the tally of the slice's blocks before it. Judges `--until`, and
    /// is the course of the result. A search has none, because its best is not that of its first points.
    public let checkpoints: [SettledTally]
    public let origin: Origin
    /// The length of the output in bytes; nil if it was not kept.
    public let output: Int?

    /// Returns nil unless there is a tally for every checkpoint inside the slice, and for no other.
    public init?(
        job: Job, number: ShardNumber, slice: Range<UInt64>, tally: [UInt64], checkpoints: [SettledTally],
        origin: Origin, output: Int? = nil
    ) {
        let isSearch = job.goal.isOfSearch(blockSize: job.experiment.blockSize)
        let expected = isSearch ? [] : Checkpoint.inside(slice)
        guard checkpoints.map(\.blocks) == expected, checkpoints.allSatisfy({ $0.tally.count == tally.count }) else {
            return nil
        }
        (self.job, self.number, self.slice, self.tally) = (job, number, slice, tally)
        (self.checkpoints, self.origin, self.output) = (checkpoints, origin, output)
    }

    public var trials: UInt64 { job.experiment.trials(in: slice, of: job.goal.trials) }
}
