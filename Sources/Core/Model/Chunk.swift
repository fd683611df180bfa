import PotluckKit

/// Names one attempt to compute a chunk of a job. A chunk that is lent again gets a new attempt.
public struct AttemptID: Hashable, Comparable, Sendable {
    public var job: JobID
    public var number: UInt64

    public init(job: JobID, number: UInt64) {
        self.job = job
        self.number = number
    }

    public static func < (a: AttemptID, b: AttemptID) -> Bool { (a.job, a.number) < (b.job, b.number) }
}

/// A contiguous range of blocks that a worker computes at once.
public struct Chunk: Hashable, Sendable {
    public let attempt: AttemptID
    public let blocks: Range<UInt64>
    /// The bound with which a search begins; nil for other work.
    public let bound: SearchBound?

    public init(attempt: AttemptID, blocks: Range<UInt64>, bound: SearchBound? = nil) {
        self.attempt = attempt
        self.blocks = blocks
        self.bound = bound
    }
}

/// A worker's result: the tally of the chunk's first blocks. These are all of its
/// blocks unless the worker was interrupted.
public struct ChunkResult: Hashable, Sendable {
    public var attempt: AttemptID
    /// The block after the last one computed.
    public var end: UInt64
    public var tally: [UInt64]
    /// How long a core computed.
    public var busy: Duration
    /// The output of its blocks, if the job collects output.
    public var output: BlobReference?
    /// The nodes that a search looked at: for these blocks and, in vain, for chunks that ended before without a result.
    public var effort: SearchEffort

    public init(
        attempt: AttemptID, end: UInt64, tally: [UInt64], busy: Duration, output: BlobReference? = nil,
        effort: SearchEffort = .none
    ) {
        self.attempt = attempt
        self.end = end
        self.tally = tally
        self.busy = busy
        self.output = output
        self.effort = effort
    }
}

/// A chunk that could not be computed, because of the simulation or because of this worker.
public struct ChunkFailure: Hashable, Sendable {
    /// The most bytes of text: a line on a screen.
    static let maximumText = 400

    public var attempt: AttemptID
    /// The block that failed.
    public var block: UInt64
    /// The cause in one line, for users.
    public var text: String

    public init(attempt: AttemptID, block: UInt64, text: String) {
        self.attempt = attempt
        self.block = block
        self.text = text
    }
}

/// The result of a chunk, or why there is none.
public enum ChunkOutcome: Hashable, Sendable {
    case done(ChunkResult)
    case failed(ChunkFailure)

    public var attempt: AttemptID {
        switch self {
        case .done(let result): result.attempt
        case .failed(let failure): failure.attempt
        }
    }

    public var isFailure: Bool { if case .failed = self { true } else { false } }
}
