import PotluckKit
import PotluckModel

/// What happens to a node.
public enum Event: Hashable, Sendable {
    /// In its session.
    case session(SessionEvent)
    /// Its user wants something of a job; `token` is for the answer.
    case wanted(JobRequest, token: UInt64)
    /// What was asked for by `Effect.prepare`.
    case prepared(JobID, Preparation)
    /// What was asked for by `Effect.readPart`; nothing where the blob is not here.
    case partRead(BlobHash, offset: Int, [UInt8], for: NodeID)
    /// What was asked for by `Effect.shelve`.
    case shelved(BlobHash, Shelved)
    /// What was asked for by `Effect.collect`.
    case collected(AttemptID, Collected)
    /// What was asked for by `Effect.seal`.
    case sealed(JobID, Sealed)
    /// What came of chunks that were computed here. One that was dropped need not come.
    case computed([ChunkOutcome])
    /// What was asked for by `Effect.read`.
    case read(ReadRequest, [Reading])
    /// It could not be read: why, in one line.
    case unreadable(JobID, String)
    /// So many cores compute here from now on.
    case cores(Int)
    /// What the journal had at the start: jobs that were under way when this node's last run ended.
    case found([KeptJob])
    /// Of the changes in `Effect.record`, counted from 1, all up to that one are safe.
    case durable(UInt64)
    /// Nothing can be written down just now, and why; nil where it can again.
    case journal(trouble: String?)
    /// How long a heartbeat took to a peer and back.
    case roundTrip(NodeID, Duration)
    /// The time that was asked for by `Effect.wake`; a stale one does no harm.
    case woke
}

/// What the user of this node, or a program that embeds it, wants of a job.
public enum JobRequest: Hashable, Sendable {
    case order(JobOrder, JobTicket)
    case command(JobCommand, JobID, ticket: JobTicket?)
    /// Go on with the jobs of coordinators that are gone, as far as this node holds replicas of them.
    case takeOver
    /// What a job that was ordered here wrote.
    case output(JobID, BlobReference)
}

/// What came of putting a blob together.
public enum Shelved: Hashable, Sendable {
    /// It is what was named, and is here now.
    case right
    case wrong
    /// It cannot be kept here: why, in one line.
    case trouble(String)
}

/// What came of a chunk's output.
public enum Collected: Hashable, Sendable {
    /// It is what the tally tells, and kept.
    case right
    /// The tally tells of other octets.
    case wrong
    /// It cannot be kept here: why, in one line.
    case trouble(String)
}

/// What came of joining a job's outputs.
public enum Sealed: Hashable, Sendable {
    case whole(BlobReference)
    /// They cannot be: why, in one line.
    case trouble(String)
}

/// What a node does about it.
public enum Effect: Hashable, Sendable {
    /// What its session wants done.
    case session(SessionEffect)
    /// The answer to `Event.wanted`.
    case answer(JobAnswer, token: UInt64)
    /// Find the simulation, or the module where it is not built in, and give it its parameters and tables.
    case prepare(JobID, JobRecipe)
    /// Read a part of a blob, for a node that lacks it.
    case readPart(BlobHash, offset: Int, for: NodeID)
    /// Put a part of a blob to the others; its last ones may come before its first.
    case keepPart(BlobReference, offset: Int, [UInt8])
    /// All its parts are there: look whether it is what it should be, and keep it.
    case shelve(BlobReference)
    /// Nobody needs what came of it from other nodes: whoever wanted it has taken it with the effects before, or goes without.
    case discard(BlobHash)
    /// The blob has what these blocks wrote: look whether it is what their tally tells, and keep it by block.
    case collect(AttemptID, Range<UInt64>, tally: [UInt64], BlobReference)
    /// Join what the job's blocks before that one wrote, as a blob.
    case seal(JobID, end: UInt64)
    /// Nobody wants that blob any more, which the job's outputs were joined as.
    case unseal(JobID, BlobHash)
    /// Compute a chunk on one core.
    case compute(Chunk, Experiment, trials: UInt64?, as: Duty)
    /// Let the job's chunks end at the next block, and bring back what they have.
    case interrupt(JobID)
    /// Nobody wants these any more.
    case drop([AttemptID])
    /// Nothing more is computed or read of this job.
    case forget(JobID)
    /// Turn a tally into readings; only the simulation's own code can.
    case read(ReadRequest)
    /// Write this down, all or nothing; `durable` comes when it is safe.
    case record([JournalChange])
    /// Send `woke` at that time. It replaces the time asked for before.
    case wake(at: Instant)
    /// Show this to the user.
    case publish(JobSnapshot)
    /// The job has ended, and this is what it came to.
    case finished(JobID, JobResult)
    /// It has ended, and nothing came of it: why, in one line.
    case failed(JobID, String)
    /// Nobody here knows any more what becomes of it: its coordinator is gone, or says nothing of it.
    case lost(JobID)
    /// What people should know.
    case news(JobNews)
}

/// As what a node computes a chunk.
public enum Duty: Hashable, Sendable {
    /// It was lent the chunk.
    case worker
    /// Two nodes disagree about these blocks, and this one decides, also where it has no cores for anything else. `isFresh` asks for
    /// an instance that has computed nothing before.
    case referee(isFresh: Bool)

    public var isFresh: Bool { self == .referee(isFresh: true) }
}

/// What came of a request.
public enum JobAnswer: Hashable, Sendable {
    case taken(JobID)
    /// So many jobs are gone on with.
    case takenOver(Int)
    /// What the job wrote is here.
    case output(BlobReference)
    /// Why not, in one line.
    case refused(String)
}

/// What came of preparing a simulation.
public enum Preparation: Hashable, Sendable {
    case ready(JobFacts)
    /// Its module is not here, or its tables.
    case lacks(BlobReference)
    /// Why not, in one line.
    case impossible(String)
}

/// What a node knows of a job once it has its simulation ready.
public struct JobFacts: Hashable, Sendable {
    public let layout: TallyLayout
    public let blockSize: UInt64
    public let title: JobTitle
    /// Whether its blocks write anything.
    public let writes: Bool

    public init(layout: TallyLayout, blockSize: UInt64, title: JobTitle, writes: Bool = false) {
        self.layout = layout
        self.blockSize = blockSize
        self.title = title
        self.writes = writes
    }
}

/// What people should know about a job.
public enum JobNews: Hashable, Sendable {
    /// A node brought wrong results; all of its results are done again, and it is shut out with its address.
    case liar(JobID, NodeID, name: String)
    /// A node failed several times in a row, and is left alone for a while.
    case setAside(JobID, NodeID, name: String, why: String)
    /// A node cannot compute it.
    case unable(JobID, NodeID, name: String, why: String)
    /// The node that coordinated it is gone; it may come back, or another go on with the job.
    case orphaned(JobID, NodeID, name: String)
    /// That node goes on with it.
    case goesOn(JobID, NodeID, name: String)
    /// It is in the journal and cannot be gone on with: why.
    case stranded(JobID, why: String)
    /// Nothing can be written down, so all jobs here rest: why.
    case journalStuck(String)
    /// Everything is written down again.
    case journalWell
}

/// A tally to be read, and what for.
public struct ReadRequest: Sendable, Hashable {
    public enum Purpose: Sendable, Hashable {
        case picture
        /// A stop rule is to be judged.
        case checkpoint(Int)
        case result(Completion)
    }

    public let job: JobID
    public let tally: [UInt64]
    public let trials: UInt64
    public let purpose: Purpose
    /// Of the tally: raised when a share was taken out of it.
    public let edition: Int

    public init(job: JobID, tally: [UInt64], trials: UInt64, purpose: Purpose, edition: Int = 0) {
        self.job = job
        self.tally = tally
        self.trials = trials
        self.purpose = purpose
        self.edition = edition
    }
}
