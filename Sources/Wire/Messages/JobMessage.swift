import PotluckKit
import PotluckModel

/// What nodes say to each other about jobs.
///
/// A *coordinator* announces a job to everybody; workers get it ready, say so, are lent chunks and bring back what came of
/// them; all are shown pictures of it and in the end what it came to. Whoever wants a job orders it from a coordinator.
public enum JobMessage: Hashable, Sendable {
    /// Somebody wants this computed. `token` is the sender's, for the answer.
    case order(JobOrder, ticket: JobTicket, token: UInt64)
    /// Somebody wants this done to a job.
    case command(JobCommand, JobID, ticket: JobTicket?, token: UInt64)
    /// The order or command of that token was carried out.
    case taken(JobID, token: UInt64)
    /// It was not: why, in one line.
    case refused(String, token: UInt64)

    /// There is this job here. Of two nodes that say so of one job the one of the higher epoch coordinates it. `known` is how many of
    /// its blocks are done as far as the sender knows, or `mostBlocks` where it knows how the job ends.
    case job(JobID, JobSpec, epoch: UInt64 = 0, known: UInt64 = 0)
    /// The receiver of `job` can compute it now.
    case ready(JobID)
    /// It cannot: why, in one line.
    case unable(JobID, String)
    /// So many cores compute for you from now on; before it is said, as many as the hello said.
    case cores(Int)

    /// Compute these.
    case lend(JobID, [LentChunk])
    /// Of these attempts nothing more is wanted.
    case drop(JobID, attempts: [UInt64])
    /// End those under way at the next block, and bring back what they have.
    case interrupt(JobID)
    /// What came of chunks.
    case results(JobID, [WorkResult])
    /// A chunk could not be computed.
    case failure(JobID, attempt: UInt64, block: UInt64, text: String)

    /// How the job stands. May be lost: the next one says it all again.
    case picture(JobPicture)
    /// The readings at a checkpoint, counted from 0.
    case course(JobID, index: Int, CoursePoint)
    /// What it came to.
    case result(JobID, JobResult)
    /// It is over, and here is nobody that computes or shows it any more.
    case over(JobID)

    /// What the sender has computed for this job, and does not know to have arrived: its coordinator was away, or is another.
    case offer(JobID, [OfferedWork])
    /// What the receiver is to know of the job, so that it can go on with it if it must.
    case replica(JobID, [JournalChange])

    /// Send the part of a blob that begins there.
    case fetch(BlobHash, offset: Int)
    /// Here it is.
    case part(BlobHash, offset: Int, octets: [UInt8])
    /// You cannot have it from here: why, in one line.
    case lacking(BlobHash, String)

    public var job: JobID? {
        switch self {
        case .order, .refused, .cores, .fetch, .part, .lacking: nil
        case .command(_, let id, _, _), .taken(let id, _), .job(let id, _, _, _), .ready(let id), .unable(let id, _),
            .lend(let id, _), .drop(let id, _), .interrupt(let id), .results(let id, _), .failure(let id, _, _, _),
            .course(let id, _, _), .result(let id, _), .over(let id), .offer(let id, _), .replica(let id, _):
            id
        case .picture(let picture): picture.job
        }
    }
}

/// A chunk as it is lent: its attempt's number and its blocks.
public struct LentChunk: Hashable, Sendable {
    /// The most in one message, and the most a coordinator lends one worker at a time.
    public static let most = 4096

    public let attempt: UInt64
    public let blocks: Range<UInt64>

    public init(attempt: UInt64, blocks: Range<UInt64>) {
        self.attempt = attempt
        self.blocks = blocks
    }
}

/// What came of a chunk: `ChunkResult` without the job.
public struct WorkResult: Hashable, Sendable {
    public let attempt: UInt64
    public let end: UInt64
    public let tally: [UInt64]
    public let busy: Duration
    public let output: BlobReference?

    public init(attempt: UInt64, end: UInt64, tally: [UInt64], busy: Duration, output: BlobReference? = nil) {
        self.attempt = attempt
        self.end = end
        self.tally = tally
        self.busy = busy
        self.output = output
    }
}

/// Blocks that are done, whoever wanted them done.
public struct OfferedWork: Hashable, Sendable {
    public let blocks: Range<UInt64>
    public let tally: [UInt64]
    public let busy: Duration

    public init(blocks: Range<UInt64>, tally: [UInt64], busy: Duration) {
        self.blocks = blocks
        self.tally = tally
        self.busy = busy
    }
}

/// A job's snapshot as it travels: without what the receiver has from `job` and `course`.
public struct JobPicture: Hashable, Sendable {
    public var job: JobID
    public var submitter: String
    public var state: JobState
    public var trials: UInt64
    public var counts: [UInt64]
    public var readings: [Reading]
    public var elapsed: Duration
    public var rate: Double?
    public var remaining: Remaining
    public var nodes: [NodeRow]
    public var isReadSlowly: Bool

    public init(
        job: JobID, submitter: String, state: JobState, trials: UInt64, counts: [UInt64], readings: [Reading],
        elapsed: Duration, rate: Double?, remaining: Remaining, nodes: [NodeRow], isReadSlowly: Bool = false
    ) {
        self.job = job
        self.submitter = submitter
        self.state = state
        self.trials = trials
        self.counts = counts
        self.readings = readings
        self.elapsed = elapsed
        self.rate = rate
        self.remaining = remaining
        self.nodes = nodes
        self.isReadSlowly = isReadSlowly
    }
}

extension JobPicture {
    public init(_ snapshot: JobSnapshot) {
        self.init(
            job: snapshot.id, submitter: snapshot.submitter, state: snapshot.state, trials: snapshot.trials,
            counts: snapshot.counts, readings: snapshot.readings, elapsed: snapshot.elapsed, rate: snapshot.rate,
            remaining: snapshot.remaining, nodes: snapshot.nodes, isReadSlowly: snapshot.isReadSlowly)
    }

    /// With what the receiver has from elsewhere.
    public func snapshot(_ spec: JobSpec, _ course: [CoursePoint]) -> JobSnapshot {
        JobSnapshot(
            id: job, spec: spec, submitter: submitter, state: state, trials: trials, counts: counts, readings: readings,
            course: course, elapsed: elapsed, rate: rate, remaining: remaining, nodes: nodes,
            isReadSlowly: isReadSlowly)
    }
}
