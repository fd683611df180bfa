import PotluckKit
import PotluckModel

/// What happens to a node.
public enum Event: Sendable {
    /// The user wants a job done.
    case submitted(JobID, JobSpec)
    /// A worker brought a chunk back.
    case computed(ChunkResult)
    /// What was asked for by `Effect.read`.
    case read(ReadRequest, [Reading])
    /// The user wants a job to end, at the next block.
    case stopRequested(JobID)
    /// The time that was asked for by `Effect.wake`; a stale one does no harm.
    case woke
}

/// What a node does about it.
public enum Effect: Sendable {
    /// Compute a chunk on one core.
    case compute(Chunk, Experiment, trials: UInt64?)
    /// Let the job's chunks under way end at the next block, and bring back what they have.
    case interrupt(JobID)
    /// Turn a tally into readings; only the simulation's own code can.
    case read(ReadRequest)
    /// Send `woke` at that time. It replaces the time asked for before.
    case wake(at: Instant)
    /// Show this to everyone.
    case publish(JobSnapshot)
    /// The job has ended, and this is what it came to.
    case finished(JobID, JobResult)
}

/// A tally to be read, and what for.
public struct ReadRequest: Sendable, Equatable {
    public enum Purpose: Sendable, Equatable {
        case picture
        /// A stop rule is to be judged.
        case checkpoint
        case result(Completion)
    }

    public let job: JobID
    public let tally: [UInt64]
    public let trials: UInt64
    public let purpose: Purpose

    public init(job: JobID, tally: [UInt64], trials: UInt64, purpose: Purpose) {
        self.job = job
        self.tally = tally
        self.trials = trials
        self.purpose = purpose
    }
}
