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
    /// What was asked for by `Effect.readPart`; nothing where the module is not here.
    case partRead(ModuleHash, offset: Int, [UInt8], for: NodeID)
    /// What was asked for by `Effect.shelve`: whether it is the module that was named, and is here now.
    case shelved(ModuleHash, isRight: Bool)
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
}

/// What a node does about it.
public enum Effect: Hashable, Sendable {
    /// Of its session. `wake` is not among them.
    case session(SessionEffect)
    /// The answer to `Event.wanted`.
    case answer(JobAnswer, token: UInt64)
    /// Find the simulation, or the module where it is not built in, and give it its parameters.
    case prepare(JobID, Experiment, ModuleReference?)
    /// Read a part of a module, for a node that lacks it.
    case readPart(ModuleHash, offset: Int, for: NodeID)
    /// Put a part of a module to the others; its last ones may come before its first.
    case keepPart(ModuleReference, offset: Int, [UInt8])
    /// All its parts are there: look whether it is what it should be, and keep it.
    case shelve(ModuleReference)
    /// The rest of it will not come.
    case discard(ModuleHash)
    /// Compute a chunk on one core. One with `isFresh` by an instance that has computed nothing before.
    case compute(Chunk, Experiment, trials: UInt64?, isFresh: Bool)
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
    /// Nobody here knows any more what becomes of it: its coordinator is gone.
    case lost(JobID)
    /// What people should know.
    case news(JobNews)
}

/// What came of a request.
public enum JobAnswer: Hashable, Sendable {
    case taken(JobID)
    /// So many jobs are gone on with.
    case takenOver(Int)
    /// Why not, in one line.
    case refused(String)
}

/// What came of preparing a simulation.
public enum Preparation: Hashable, Sendable {
    case ready(JobFacts)
    /// It is not built in, and its module is not here.
    case lacksModule
    /// Why not, in one line.
    case impossible(String)
}

/// What a node knows of a job once it has its simulation ready.
public struct JobFacts: Hashable, Sendable {
    public let layout: TallyLayout
    public let blockSize: UInt64
    public let title: JobTitle

    public init(layout: TallyLayout, blockSize: UInt64, title: JobTitle) {
        self.layout = layout
        self.blockSize = blockSize
        self.title = title
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
