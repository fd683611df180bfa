import PotluckCore
import PotluckKit

/// An input of the engine. The shell creates events and passes them to `Engine.handle`.
public enum Event: Hashable, Sendable {
    /// An event of the session, such as a sighting, a message or a closed link.
    case session(SessionEvent)
    /// A request of this node's user. `Effect.answer` carries the same `token`.
    case wanted(JobRequest, token: UInt64)
    /// The reply to `JobEffect.prepare`.
    case prepared(JobID, Preparation)
    /// The reply to `JobEffect.readPart`. The bytes are empty if this node does not have the blob.
    case partRead(BlobHash, offset: Int, [UInt8], for: NodeID)
    /// The reply to `JobEffect.shelve`.
    case shelved(BlobHash, Checked)
    /// The reply to `JobEffect.collect`.
    case collected(AttemptID, Checked)
    /// The reply to `JobEffect.seal`.
    case sealed(JobID, Sealed)
    /// The outcomes of chunks that this node computed. A dropped chunk may have no outcome.
    case computed([ChunkOutcome])
    /// A chunk of a search, which is still being computed here, has found a better solution than this node knew.
    case improved(JobID, Best)
    /// The user of a page at this node guesses a job's reading.
    case guessed(JobID, Guess)
    /// The reply to `JobEffect.read`.
    case read(ReadRequest, [Reading])
    /// The reply to `JobEffect.read` if reading the tally failed. The text is the reason, in one line.
    case unreadable(JobID, String)
    /// The number of cores that compute on this node changed.
    case cores(Int)
    /// The jobs that the journal has at the start, left by the last run of this node.
    case found([KeptJob])
    /// The journal has written all changes up to this number. Changes in `JobEffect.record` are numbered from 1.
    case durable(UInt64)
    /// The journal cannot be written, and the reason. Nil when it can be written again.
    case journal(trouble: String?)
    /// The measured round-trip time of a heartbeat to a peer.
    case roundTrip(NodeID, Duration)
    /// The time requested by `Effect.wake` has come. A stale wake-up is harmless.
    case woke
}

/// A request about jobs from this node's user or from a program that embeds the node.
public enum JobRequest: Hashable, Sendable {
    case order(JobOrder, JobTicket)
    case command(JobCommand, JobID, ticket: JobTicket?)
    /// Cancel the latest order with that ticket, whose job may not be known yet.
    case withdraw(JobTicket)
    /// Continue the jobs whose coordinator is lost and of which this node holds a replica.
    case takeOver
    /// List all open jobs, once every connected coordinator has announced its own.
    case jobs
    /// Get the output of a job that was ordered at this node.
    case output(JobID, BlobReference)
}

/// The outcome of `JobEffect.shelve` and of `JobEffect.collect`: of checking bytes and storing them on this node.
public enum Checked: Hashable, Sendable {
    /// The blob matches its hash, or the output matches the tally, and is stored.
    case right
    case wrong
    /// It cannot be stored. The text is the reason, in one line.
    case trouble(String)
}

/// The outcome of `JobEffect.seal`: of joining a job's outputs.
public enum Sealed: Hashable, Sendable {
    case whole(BlobReference)
    /// The outputs cannot be joined. The text is the reason, in one line.
    case trouble(String)
}

/// An output of the engine: an action that the shell carries out.
public enum Effect: Hashable, Sendable {
    /// An action for the session, such as a dial or a message.
    case session(SessionEffect)
    /// An action for a job on this node, such as computing a chunk.
    case job(JobEffect)
    /// Tell this node's user about a job.
    case tell(JobEvent)
    /// The answer to the `Event.wanted` with the same token.
    case answer(JobAnswer, token: UInt64)
    /// Send `Event.woke` at this time. It replaces the time requested before.
    case wake(at: Instant)
}

/// An action for a job: computing, reading, storing, and moving its blobs.
public enum JobEffect: Hashable, Sendable {
    /// Find the job's simulation, or load its module if it is not built in, and give it its parameters and tables.
    case prepare(JobID, JobRecipe)
    /// Read a part of a blob for a node that fetches it.
    case readPart(BlobHash, offset: Int, for: NodeID)
    /// Store a part of a blob that is being fetched. Parts may arrive in any order.
    case keepPart(BlobReference, offset: Int, [UInt8])
    /// All parts of the blob have arrived: join them, check the hash, and store the blob.
    case shelve(BlobReference)
    /// Discard the parts or the blob that this node fetched. Earlier effects have already handed the blob to all users
    /// that need it.
    case discard(BlobHash)
    /// The blob holds the output of these blocks: check it against their tally, and store it by block.
    case collect(AttemptID, Range<UInt64>, tally: [UInt64], BlobReference)
    /// Join the output of the job's blocks before `end` into one blob.
    case seal(JobID, end: UInt64)
    /// Release the blob that holds the job's joined outputs.
    case unseal(JobID, BlobHash)
    /// Compute a chunk on one core.
    case compute(Chunk, Experiment, trials: UInt64?, as: Duty)
    /// Tell the job's chunks of a solution: they need nothing that is no better.
    case bound(JobID, Best)
    /// Let the job's chunks end at the next block and return their results so far.
    case interrupt(JobID)
    /// Discard these attempts and their results.
    case drop([AttemptID])
    /// Release everything of this job: it is neither computed nor read here any more.
    case forget(JobID)
    /// Release everything of this job except its module and tables. This node no longer coordinates the job, but may
    /// compute it for the new coordinator. If that one leaves, other nodes may need the module and tables.
    case stepDown(JobID)
    /// Turn a tally into readings, which only the simulation's own code can do.
    case read(ReadRequest)
    /// Write these changes to the journal, all or none. `Event.durable` follows when they are on disk.
    case record([JournalChange])
}

/// The purpose for which a node computes a chunk.
public enum Duty: Hashable, Sendable {
    /// A coordinator lent it the chunk, as work or as an audit.
    case worker
    /// Two nodes disagree about these blocks, and this node, the coordinator, decides. It does so even if it lends no
    /// cores. `isFresh` requires an instance of the simulation that has computed nothing before.
    case referee(isFresh: Bool)

    public var isFresh: Bool { self == .referee(isFresh: true) }
}

/// The answer to a `JobRequest`.
public enum JobAnswer: Hashable, Sendable {
    case taken(JobID)
    /// The number of jobs that this node continues.
    case takenOver(Int)
    /// The open jobs, each with its simulation's name.
    case jobs([JobID: String])
    /// The job's output is stored on this node.
    case output(BlobReference)
    /// The request was refused. The text is the reason, in one line.
    case refused(String)
}

/// The outcome of `JobEffect.prepare`.
public enum Preparation: Hashable, Sendable {
    case ready(JobFacts)
    /// This node lacks the module or a table.
    case lacks(BlobReference)
    /// The simulation cannot run on this node. The text is the reason, in one line.
    case impossible(String)
}

/// The facts that a prepared simulation tells about its job.
public struct JobFacts: Hashable, Sendable {
    public let layout: TallyLayout
    public let blockSize: UInt64
    let title: JobTitle
    /// Whether the job's blocks write output.
    let writes: Bool

    public init(layout: TallyLayout, blockSize: UInt64, title: JobTitle, writes: Bool = false) {
        self.layout = layout
        self.blockSize = blockSize
        self.title = title
        self.writes = writes
    }
}

/// A tally to turn into readings, and the purpose of the readings.
public struct ReadRequest: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        case picture
        /// Of the empty tally of a job that waits for guesses: what the question is about. It changes nothing but the picture.
        case question
        /// Of the first trials of a job, which whoever reads them computes first: the request has an empty tally, and its answer
        /// the tally of these trials. Without readings a trial failed.
        case opening
        /// To judge the stop rule at the checkpoint of this number.
        case checkpoint(Int)
        case result(Completion)
    }

    public let job: JobID
    public let tally: [UInt64]
    public let trials: UInt64
    public let purpose: Purpose
    /// The number of times that wrong results had been taken out of the job's tally when this request was made.
    let edition: Int

    public init(job: JobID, tally: [UInt64], trials: UInt64, purpose: Purpose, edition: Int = 0) {
        self.job = job
        self.tally = tally
        self.trials = trials
        self.purpose = purpose
        self.edition = edition
    }
}
