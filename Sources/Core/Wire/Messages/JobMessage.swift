import PotluckKit

/// The messages about jobs.
///
/// A *coordinator* announces a job to all nodes. Workers prepare it, report that they are ready, receive
/// chunks and send back the results. All nodes receive pictures of the job, and its result at the end. A node
/// that wants a job computed sends an order to a coordinator.
public enum JobMessage: Hashable, Sendable {
    /// A request to start a job. The sender chooses `token`, which the answer repeats.
    case order(JobOrder, ticket: JobTicket, token: UInt64)
    /// A request to pause, resume or cancel a job, or to show or hide its exact answers.
    case command(JobCommand, JobID, ticket: JobTicket?, token: UInt64)
    /// A request to cancel the latest order with this ticket, whose job the sender may not know yet.
    case withdraw(JobTicket, token: UInt64)
    /// The order, command or withdrawal with this token was accepted.
    case taken(JobID, token: UInt64)
    /// The order, command or withdrawal with this token was refused. The text says why, in one line.
    case refused(String, token: UInt64)
    /// Asks for a `listed`, to know of all open jobs.
    case list(token: UInt64)
    /// The sender has announced all its jobs. `token` is that of the question.
    case listed(token: UInt64)

    /// Announces a job. If two nodes announce the same job, the one with the higher epoch coordinates it. `known` is the
    /// number of its blocks that the sender knows to be done, or `mostBlocks` if it knows how the job ends.
    case job(JobID, JobSpec, epoch: UInt64 = 0, known: UInt64 = 0)
    /// The sender of `ready` is prepared to compute the job.
    case ready(JobID)
    /// The sender cannot compute the job. The text says why, in one line.
    case unable(JobID, String)
    /// The number of cores that compute for the receiver from now on. Until the
    /// first such message, the number in the hello holds.
    case cores(Int)

    /// Lends chunks to a worker.
    case lend(JobID, [LentChunk])
    /// The results of these attempts are not needed any more.
    case drop(JobID, attempts: [UInt64])
    /// Workers should end their chunks at the next block and send back what they have.
    case interrupt(JobID)
    /// The results of chunks.
    case results(JobID, [WorkResult])
    /// The sender has found a solution of a search. The coordinator searches its point before other nodes rely on it.
    case improved(JobID, Best)
    /// The best solution of a search that the coordinator has checked. Chunks under way need nothing that is no better.
    case bound(JobID, Best)
    /// A chunk could not be computed.
    case failure(JobID, attempt: UInt64, block: UInt64, text: String)

    /// The current picture of a job. It may be lost, because the next one repeats everything.
    case picture(JobPicture)
    /// The readings at a checkpoint, counted from 0.
    case course(JobID, index: Int, CoursePoint)
    /// What people guessed of a job before it began. Sent to its coordinator, and by it to all nodes.
    case guesses(JobID, [Guess])
    /// The result of a job.
    case result(JobID, JobResult)
    /// The job is over. The sender neither computes nor shows it any more.
    case over(JobID)
    /// The sender does not know how these jobs ended, if they have: it asks a coordinator that it reached again.
    case unresolved([JobID])
    /// The sender has none of these jobs, and does not know any more how they ended.
    case forgotten([JobID])

    /// Results for this job that may not have arrived, because the coordinator was
    /// unreachable or has changed.
    case offer(JobID, [OfferedWork])
    /// Changes that the receiver stores, so that it can continue the job if it has to.
    case replica(JobID, [JournalChange])

    /// Asks for the part of a blob that starts at `offset`.
    case fetch(BlobHash, offset: Int)
    /// A part of a blob.
    case part(BlobHash, offset: Int, octets: [UInt8])
    /// The sender cannot supply this blob. The text says why, in one line.
    case lacking(BlobHash, String)

    public var job: JobID? {
        switch self {
        case .order, .withdraw, .refused, .list, .listed, .cores, .unresolved, .forgotten, .fetch, .part, .lacking: nil
        case .command(_, let id, _, _), .taken(let id, _), .job(let id, _, _, _), .ready(let id), .unable(let id, _),
            .lend(let id, _), .drop(let id, _), .interrupt(let id), .results(let id, _), .improved(let id, _),
            .bound(let id, _), .failure(let id, _, _, _), .course(let id, _, _), .result(let id, _), .over(let id),
            .offer(let id, _), .replica(let id, _), .guesses(let id, _):
            id
        case .picture(let picture): picture.id
        }
    }
}

/// A lent chunk: the number of its attempt and its blocks.
public struct LentChunk: Hashable, Sendable {
    /// The most chunks in one message, and the most that a coordinator lends to one worker at a time.
    public static let most = 4096

    public var attempt: UInt64
    public var blocks: Range<UInt64>
    /// What a search begins with; nil for other work.
    public var bound: SearchBound?

    public init(attempt: UInt64, blocks: Range<UInt64>, bound: SearchBound? = nil) {
        self.attempt = attempt
        self.blocks = blocks
        self.bound = bound
    }
}

/// The result of a chunk: a `ChunkResult` without its job.
public struct WorkResult: Hashable, Sendable {
    public var attempt: UInt64
    public var end: UInt64
    public var tally: [UInt64]
    public var busy: Duration
    public var output: BlobReference?
    public var effort: SearchEffort

    public init(
        attempt: UInt64, end: UInt64, tally: [UInt64], busy: Duration, output: BlobReference? = nil,
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

extension WorkResult {
    public init(_ result: ChunkResult) {
        self.init(
            attempt: result.attempt.number, end: result.end, tally: result.tally, busy: result.busy,
            output: result.output, effort: result.effort)
    }
}

extension ChunkResult {
    public init(_ work: WorkResult, of job: JobID) {
        self.init(
            attempt: AttemptID(job: job, number: work.attempt), end: work.end, tally: work.tally, busy: work.busy,
            output: work.output, effort: work.effort)
    }
}

/// Blocks that a worker has computed and offers to a job's coordinator.
public struct OfferedWork: Hashable, Sendable {
    public var blocks: Range<UInt64>
    public var tally: [UInt64]
    public var busy: Duration

    public init(blocks: Range<UInt64>, tally: [UInt64], busy: Duration) {
        self.blocks = blocks
        self.tally = tally
        self.busy = busy
    }
}
