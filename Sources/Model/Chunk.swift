/// Names one attempt at a chunk within its job: a chunk that is handed out again has a new one.
public struct AttemptID: Hashable, Comparable, Sendable {
    public let job: JobID
    public let number: UInt64

    public init(job: JobID, number: UInt64) {
        self.job = job
        self.number = number
    }

    public static func < (a: AttemptID, b: AttemptID) -> Bool { (a.job, a.number) < (b.job, b.number) }
}

/// A contiguous range of blocks, handed out.
public struct Chunk: Hashable, Sendable {
    public let attempt: AttemptID
    public let blocks: Range<UInt64>

    public init(attempt: AttemptID, blocks: Range<UInt64>) {
        self.attempt = attempt
        self.blocks = blocks
    }
}

/// What a worker brings back: the tally of the chunk's first blocks, of all of them unless it was told to stop.
public struct ChunkResult: Hashable, Sendable {
    public let attempt: AttemptID
    /// The block after the last one computed.
    public let end: UInt64
    public let tally: [UInt64]
    /// How long a core computed.
    public let busy: Duration
    /// What its blocks wrote, where that is wanted.
    public let output: BlobReference?

    public init(
        attempt: AttemptID, end: UInt64, tally: [UInt64], busy: Duration, output: BlobReference? = nil
    ) {
        self.attempt = attempt
        self.end = end
        self.tally = tally
        self.busy = busy
        self.output = output
    }
}

/// A chunk that could not be computed: the simulation's fault, or this worker's.
public struct ChunkFailure: Hashable, Sendable {
    /// A line on a screen.
    public static let maximumText = 400

    public let attempt: AttemptID
    /// Where it happened.
    public let block: UInt64
    /// One line for people.
    public let text: String

    public init(attempt: AttemptID, block: UInt64, text: String) {
        self.attempt = attempt
        self.block = block
        self.text = text
    }
}

/// What came of a chunk.
public enum ChunkOutcome: Hashable, Sendable {
    case done(ChunkResult)
    case failed(ChunkFailure)

    public var attempt: AttemptID {
        switch self {
        case .done(let result): result.attempt
        case .failed(let failure): failure.attempt
        }
    }
}
