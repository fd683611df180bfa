/// A job as it was accepted: what is needed to go on with it after a crash.
public struct JobRecord: Hashable, Sendable {
    /// No job comes near it: a take-over every second for a hundred years adds up to less than 2⁴⁸.
    public static let lastEpoch: UInt64 = 1 << 48

    public let id: JobID
    /// The job's specification in whatever form its coordinator reads it back; a journal does not look inside.
    public var spec: [UInt8]
    /// For people, who look at a journal and want to know what is in it.
    public var simulation: String
    public let submitter: String
    /// Milliseconds since 1970, by the coordinator's wall clock. For people; nothing is decided by it.
    public var acceptedAt: Int64
    /// Which of its coordinators this is: of two, the one of the higher number goes on with it.
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

/// Blocks that one node computed, with their tally.
public struct JobPiece: Hashable, Sendable {
    public let blocks: Range<UInt64>
    public let node: NodeID
    public let tally: [UInt64]

    public init(blocks: Range<UInt64>, node: NodeID, tally: [UInt64]) {
        self.blocks = blocks
        self.node = node
        self.tally = tally
    }
}

/// The exact tally of the blocks 0 ..< blocks.
public struct SettledTally: Hashable, Sendable {
    public let blocks: UInt64
    public let tally: [UInt64]

    public init(blocks: UInt64, tally: [UInt64]) {
        self.blocks = blocks
        self.tally = tally
    }
}

/// How a kept job stands. The numbers are in files: they are never used for anything else.
public enum JobStanding: UInt8, CaseIterable, Hashable, Sendable {
    case running = 1
    case paused = 2
    /// Those three are over: such a job is not given back at the next start.
    case finished = 3
    case cancelled = 4
    case failed = 5
    /// What it came to was told here. It is given back, so that others hear it who were away.
    case told = 6

    public var isOver: Bool {
        switch self {
        case .running, .paused, .told: false
        case .finished, .cancelled, .failed: true
        }
    }
}

/// One change to what is known of a job: what the ledger says to its journal, in the order in which it happened.
///
/// Every change is harmless where it comes twice, so that a ledger may say again what it is not sure to have said. A change
/// to a job that was never accepted, or is over, is nothing.
public enum JournalChange: Hashable, Sendable {
    /// A job was taken. Where it is known already this changes its epoch, if that is higher, and nothing else.
    case accepted(JobRecord)
    /// A node brought blocks. Nothing where any of them are settled or in a piece already.
    case done(JobID, JobPiece)
    /// All blocks before `blocks` are done and this is their tally: it takes the place of the pieces that lie before.
    /// Nothing where as much is settled already.
    case settled(JobID, SettledTally)
    /// A checkpoint was passed, with this tally: kept for stop rules and for drawing how the job went.
    case passed(JobID, SettledTally)
    /// The job's progress anew, whatever was known: a liar was found, or this is the first that a replica hears. The pieces
    /// that are left follow as `done`.
    case rewritten(JobID, SettledTally)
    /// The stop rule was judged: the job ends with the blocks before `end`.
    case judged(JobID, end: UInt64)
    /// How long the job has been computed so far, over all its coordinators.
    case ran(JobID, Duration)
    case stands(JobID, JobStanding)
    /// Everything about the job goes: its result is recorded elsewhere, or nobody wants it.
    case forgotten(JobID)

    public var job: JobID {
        switch self {
        case .accepted(let record): record.id
        case .done(let id, _), .settled(let id, _), .passed(let id, _), .rewritten(let id, _),
            .judged(let id, _), .ran(let id, _), .stands(let id, _), .forgotten(let id):
            id
        }
    }
}
