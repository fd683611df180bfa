/// A job as it was accepted, with what a coordinator needs to continue it after a crash.
public struct JobRecord: Hashable, Sendable {
    /// The highest valid epoch, which no job comes near: a takeover every second for
    /// a hundred years adds up to less than 2⁴⁸.
    public static let lastEpoch: UInt64 = 1 << 48

    public var id: JobID
    /// The job's specification, in a form that its coordinator can decode. The journal does not interpret it.
    public var spec: [UInt8]
    /// The simulation's name, for users who look into a journal.
    public var simulation: String
    public var submitter: String
    /// Milliseconds since 1970, by the coordinator's wall clock. For users only; no decision depends on it.
    public var acceptedAt: Int64
    /// The number of the job's coordinator. Of two coordinators, the one with the higher epoch continues the job.
    public var epoch: UInt64

    public init(
        id: JobID, spec: [UInt8], simulation: String, submitter: String, acceptedAt: Int64, epoch: UInt64 = 0
    ) {
        self.id = id
        self.spec = spec
        self.simulation = simulation
        self.submitter = submitter
        self.acceptedAt = acceptedAt
        self.epoch = epoch
    }
}

/// The exact tally of the blocks 0 ..< blocks.
public struct SettledTally: Hashable, Sendable {
    public var blocks: UInt64
    public var tally: [UInt64]

    public init(blocks: UInt64, tally: [UInt64]) {
        self.blocks = blocks
        self.tally = tally
    }
}

/// The standing of a job in a journal. The numbers are stored in files: never reuse one.
public enum JobStanding: UInt8, CaseIterable, Hashable, Sendable {
    case running = 1
    case paused = 2
    /// The job is over in these states: the journal does not return it at the next start.
    case finished = 3
    case cancelled = 4
    case failed = 5
    /// The end was told on this node. The journal still returns the job, so that nodes that were away also hear it.
    case told = 6

    var isOver: Bool {
        switch self {
        case .running, .paused, .told: false
        case .finished, .cancelled, .failed: true
        }
    }
}

/// One change to the state of a job. The ledger sends its changes to the journal, in the order in which they happened.
///
/// Applying a change twice is harmless, so a ledger may repeat one that it may not have sent. A change to a job
/// that was never accepted, or that is over, has no effect.
public enum JournalChange: Hashable, Sendable {
    /// The job was accepted. If the job is already known, another coordinator raises its epoch, or its priority changed.
    case accepted(JobRecord)
    /// A node computed blocks. No effect if any of them is settled or in a piece already.
    case done(JobID, BlockTally)
    /// All blocks before `blocks` are done and have this tally, which replaces the pieces
    /// before `blocks`. No effect if as much is settled already.
    case settled(JobID, SettledTally)
    /// A checkpoint was passed, with this tally. It is kept for stop rules and for drawing the job's course.
    case passed(JobID, SettledTally)
    /// Replaces the job's progress: a node was shut out, or a replica hears of the job for
    /// the first time. The remaining pieces follow as `done`.
    case rewritten(JobID, SettledTally)
    /// The stop rule was judged: the job ends with the blocks before `end`.
    case judged(JobID, end: UInt64)
    /// How long the job has been computed so far, by all of its coordinators.
    case ran(JobID, Duration)
    /// The trials of each node so far. Replaces earlier credits.
    case credited(JobID, [Credit])
    case stands(JobID, JobStanding)
    /// Removes everything about the job: its result is recorded elsewhere, or nobody needs it.
    case forgotten(JobID)

    public var job: JobID {
        switch self {
        case .accepted(let record): record.id
        case .done(let id, _), .settled(let id, _), .passed(let id, _), .rewritten(let id, _),
            .judged(let id, _), .ran(let id, _), .credited(let id, _), .stands(let id, _), .forgotten(let id):
            id
        }
    }
}
