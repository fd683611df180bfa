import PotluckKit

/// A job as views draw it.
@dynamicMemberLookup public struct JobSnapshot: Sendable, Hashable {
    public let spec: JobSpec
    /// The readings at the checkpoints passed, oldest first.
    public var course: [CoursePoint]
    /// What people guessed before it began, in the order in which it came.
    public var guesses: [Guess]
    public var picture: JobPicture

    public init(_ spec: JobSpec, course: [CoursePoint] = [], guesses: [Guess] = [], _ picture: JobPicture) {
        (self.spec, self.course, self.guesses, self.picture) = (spec, course, guesses, picture)
    }

    public subscript<Value>(dynamicMember part: WritableKeyPath<JobPicture, Value>) -> Value {
        get { picture[keyPath: part] }
        set { picture[keyPath: part] = newValue }
    }
}

/// What changes of a job from one moment to the next.
public struct JobPicture: Sendable, Hashable {
    public var id: JobID
    /// The display name of the node that ordered the job.
    public var submitter: String
    public var state: JobState
    /// The number of trials that the counts and the readings cover.
    public var trials: UInt64
    /// The tally's plain counts, in the order of the title.
    public var counts: [UInt64]
    public var readings: [Reading]
    public var elapsed: Duration
    /// Trials per second over the last few seconds; nil until it is known.
    public var rate: Double?
    public var remaining: Remaining
    public var nodes: [NodeRow]
    /// The simulation reads its tally slowly, so counts and readings are older than the rest.
    public var isReadSlowly: Bool
    /// The host hides the exact answers on every screen.
    public var hidesExact: Bool
    /// The best solution of a search so far; nil for other work, and while none is known.
    public var best: Best?
    /// How urgent it is beside other jobs.
    public var priority: Priority

    public init(
        id: JobID, submitter: String, state: JobState, trials: UInt64 = 0, counts: [UInt64] = [],
        readings: [Reading] = [], elapsed: Duration = .zero, rate: Double? = nil, remaining: Remaining = .unknown,
        nodes: [NodeRow] = [], isReadSlowly: Bool = false, hidesExact: Bool = false, best: Best? = nil,
        priority: Priority = .normal
    ) {
        self.id = id
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
        self.hidesExact = hidesExact
        self.best = best
        self.priority = priority
    }
}

/// The state of a job.
public enum JobState: Sendable, Hashable {
    case waiting(JobWait)
    case running
    case paused
    /// The job was asked to stop. The blocks in flight are being finished.
    case stopping
    case done(Completion)
    case failed(JobFailure)

    public var isOver: Bool {
        switch self {
        case .done, .failed: true
        case .waiting, .running, .paused, .stopping: false
        }
    }
}

extension JobState {
    /// Whether the job has a result.
    public var isDone: Bool { if case .done = self { true } else { false } }
}

/// The reason why a job has not started yet.
public enum JobWait: Sendable, Hashable {
    /// The simulation is being prepared.
    case simulation
    /// This many earlier jobs of the submitter come first. The first of them is named if the coordinator says it.
    case line(Int, behind: JobAhead? = nil)
    /// The job starts after this time.
    case start(Duration)
    /// Too few workers are ready: the number of them, and the number that the job needs. The names are those of the
    /// nodes that may compute it; there are none if all may.
    case workers(Int, of: Int, among: [String] = [])
}

extension JobWait {
    /// The most names that it has: more than a line of text shows.
    public static let mostNames = 8
}

/// A job that comes before another one.
public struct JobAhead: Sendable, Hashable {
    public let id: JobID
    /// Its simulation.
    public let name: String

    public init(id: JobID, name: String) { (self.id, self.name) = (id, name) }
}

/// Why a job ended.
public enum Completion: Sendable, Hashable, CaseIterable {
    /// All of its trials are done.
    case trials
    /// The precision was reached at a checkpoint.
    case precision
    /// The time of its goal is over.
    case duration
    /// A user stopped it.
    case stopped
}

/// The readings at a checkpoint or, for a search, when it had found a better solution.
public struct CoursePoint: Sendable, Hashable {
    public var trials: UInt64
    public var readings: [Reading]
    /// How long the search had run; nil at a checkpoint.
    public var elapsed: Duration?

    public init(trials: UInt64, readings: [Reading], elapsed: Duration? = nil) {
        self.trials = trials
        self.readings = readings
        self.elapsed = elapsed
    }
}

/// How long a job will still take. It is an honest estimate or absent.
public enum Remaining: Sendable, Hashable {
    /// The job runs until it is stopped.
    case endless
    /// Too little is known so far.
    case unknown
    case about(Duration)
}

/// A node's part in a job.
public struct NodeRow: Sendable, Hashable {
    public var node: NodeID
    /// The display name, unique in a session.
    public var name: String
    public var cores: Int
    /// The trials that it computed and that count.
    public var trials: UInt64
    /// Trials per second; nil if unknown.
    public var rate: Double?
    public var work: NodeWork
    /// The round trip from the coordinator to this node; nil for the coordinator itself and where it is unknown.
    public var roundTrip: Duration?
    /// How long the node has been in this job.
    public var since: Duration
    /// The nodes of a search's tree that it looked at.
    public var effort: SearchEffort
    /// The trials of a browser that another node computed, too. Nil for other nodes.
    public var recomputed: UInt64?

    public init(
        node: NodeID, name: String, cores: Int, trials: UInt64, rate: Double?, work: NodeWork = .computing,
        roundTrip: Duration? = nil, since: Duration = .zero, effort: SearchEffort = .none,
        recomputed: UInt64? = nil
    ) {
        self.node = node
        self.name = name
        self.cores = cores
        self.trials = trials
        self.rate = rate
        self.work = work
        self.roundTrip = roundTrip
        self.since = since
        self.effort = effort
        self.recomputed = recomputed
    }
}

extension Reading {
    /// The reading for a screen that hides the exact answer.
    public var withoutExact: Reading {
        Reading(
            name: name, kind: kind, value: value, interval: interval, varies: varies, isSpoilt: isSpoilt, bins: bins,
            range: range)
    }
}

extension CoursePoint {
    fileprivate var withoutExact: CoursePoint {
        CoursePoint(trials: trials, readings: readings.map(\.withoutExact), elapsed: elapsed)
    }
}

extension JobSnapshot {
    /// The snapshot as this node may show it: without the exact answers while the host hides them.
    public var shown: JobSnapshot {
        guard picture.hidesExact else { return self }
        var shown = self
        shown.picture.readings = picture.readings.map(\.withoutExact)
        shown.course = course.map(\.withoutExact)
        return shown
    }
}

extension JobResult {
    /// The result as this node may show it: without the exact answers while the host hides them.
    public var shown: JobResult {
        guard hidesExact else { return self }
        var shown = self
        shown.readings = readings.map(\.withoutExact)
        shown.course = course.map(\.withoutExact)
        return shown
    }
}

extension NodeRow {
    /// The name in the row for the trials of earlier coordinators.
    public static let earlierName = "before"

    /// Whether the row stands for work from before the job was resumed, and not for a node.
    public var isEarlier: Bool { node == .nobody && cores == 0 }
}

/// The current activity of a node in a job.
public enum NodeWork: Sendable, Hashable {
    case computing
    /// It has no chunk at the moment.
    case idle
    /// It is preparing the simulation.
    case preparing
    /// It computes nothing for now: it has no cores, or runs on battery.
    case resting
    /// Its link is lost, or it returns no results.
    case silent
    /// It failed several times and gets no chunks for a while.
    case setAside
    /// It cannot compute the job. The text says why.
    case unable(String)
    /// It left.
    case gone
    /// It returned wrong results, which do not count.
    case shutOut
}

/// The result of a job.
public struct JobResult: Sendable, Hashable {
    public var spec: JobSpec
    /// These trials of the experiment give this tally, whichever nodes compute them.
    public var trials: UInt64
    public var tally: [UInt64]
    public var readings: [Reading]
    public var course: [CoursePoint]
    public var completion: Completion
    public var elapsed: Duration
    public var nodes: [NodeRow]
    /// The output of all blocks, in order, if the job collected it.
    public var output: BlobReference?
    /// The host hides the exact answers on every screen.
    public var hidesExact: Bool

    public init(
        spec: JobSpec, trials: UInt64, tally: [UInt64], readings: [Reading], course: [CoursePoint] = [],
        completion: Completion, elapsed: Duration, nodes: [NodeRow], output: BlobReference? = nil,
        hidesExact: Bool = false
    ) {
        self.spec = spec
        self.trials = trials
        self.tally = tally
        self.readings = readings
        self.course = course
        self.completion = completion
        self.elapsed = elapsed
        self.nodes = nodes
        self.output = output
        self.hidesExact = hidesExact
    }

    public var experiment: Experiment { spec.experiment }

    /// The bytes whose SHA-256 is the digest: identity, parameters, seed, trials and tally.
    public var digestInput: [UInt8] {
        var input = DigestInput("potluck result 1")
        input.put(experiment.simulation)
        input.put(experiment.parameters)
        input.put(experiment.seed)
        input.put(experiment.blockSize)
        input.put(trials)
        input.put(tally)
        return input.bytes
    }
}
