import PotluckKit

/// An immutable picture of a job, which every view draws.
public struct JobSnapshot: Sendable, Hashable {
    public let id: JobID
    public let spec: JobSpec
    /// The display name of the node that ordered it.
    public let submitter: String
    public var state: JobState
    /// The trials that the counts and the readings are of.
    public let trials: UInt64
    /// The tally's plain counts, in the order of the title.
    public let counts: [UInt64]
    public let readings: [Reading]
    /// How the readings went at the checkpoints passed, oldest first.
    public let course: [CoursePoint]
    public let elapsed: Duration
    /// Trials a second over the last few seconds; nil before anything is known.
    public let rate: Double?
    public let remaining: Remaining
    public var nodes: [NodeRow]
    /// The simulation takes long to read its tally, so that counts and readings are older than the rest.
    public var isReadSlowly: Bool

    public init(
        id: JobID, spec: JobSpec, submitter: String, state: JobState, trials: UInt64, counts: [UInt64],
        readings: [Reading], course: [CoursePoint], elapsed: Duration, rate: Double?, remaining: Remaining,
        nodes: [NodeRow], isReadSlowly: Bool = false
    ) {
        self.id = id
        self.spec = spec
        self.submitter = submitter
        self.state = state
        self.trials = trials
        self.counts = counts
        self.readings = readings
        self.course = course
        self.elapsed = elapsed
        self.rate = rate
        self.remaining = remaining
        self.nodes = nodes
        self.isReadSlowly = isReadSlowly
    }
}

/// How a job stands.
public enum JobState: Sendable, Hashable {
    case waiting(JobWait)
    case running
    case paused
    /// Asked to stop; the blocks under way are being finished.
    case stopping
    case done(Completion)
    /// One line for people: why it came to nothing.
    case failed(String)

    public var isOver: Bool {
        switch self {
        case .done, .failed: true
        case .waiting, .running, .paused, .stopping: false
        }
    }
}

/// What a job that has not begun waits for.
public enum JobWait: Sendable, Hashable {
    /// For the simulation to be made ready.
    case simulation
    /// For the submitter's earlier jobs, so many of them.
    case line(Int)
    /// For its time to come.
    case start(Duration)
    /// For so many workers; so many are there.
    case workers(Int, of: Int)
}

/// Why a job ended.
public enum Completion: Sendable, Hashable {
    /// All of its trials.
    case trials
    /// Precise enough, at a checkpoint.
    case precision
    /// Its time was up.
    case duration
    /// Somebody stopped it.
    case stopped
}

/// The readings at a checkpoint.
public struct CoursePoint: Sendable, Hashable {
    public let trials: UInt64
    public let readings: [Reading]

    public init(trials: UInt64, readings: [Reading]) {
        self.trials = trials
        self.readings = readings
    }
}

/// How long a job will still take. Never invented.
public enum Remaining: Sendable, Hashable {
    /// It runs until it is stopped.
    case endless
    /// Too little is known so far.
    case unknown
    case about(Duration)
}

/// A node's part in a job.
public struct NodeRow: Sendable, Hashable {
    public let node: NodeID
    /// No two in a session are the same.
    public let name: String
    public let cores: Int
    /// Those of its trials that count.
    public let trials: UInt64
    public let rate: Double?
    public let work: NodeWork
    /// To it and back, from its coordinator; nil for the coordinator itself and where it is not known.
    public let roundTrip: Duration?
    /// How long it has been in this job.
    public let since: Duration

    public init(
        node: NodeID, name: String, cores: Int, trials: UInt64, rate: Double?, work: NodeWork = .computing,
        roundTrip: Duration? = nil, since: Duration = .zero
    ) {
        self.node = node
        self.name = name
        self.cores = cores
        self.trials = trials
        self.rate = rate
        self.work = work
        self.roundTrip = roundTrip
        self.since = since
    }
}

/// What a node does for a job.
public enum NodeWork: Sendable, Hashable {
    case computing
    /// It has nothing to do just now.
    case idle
    /// It gets the simulation ready.
    case preparing
    /// It computes nothing for now: no cores, or on battery.
    case resting
    /// Its link is lost, or it brings nothing back.
    case silent
    /// It failed several times and is left alone for a while.
    case setAside
    /// It cannot: why.
    case unable(String)
    /// It left.
    case gone
    /// It brought wrong results; they do not count.
    case shutOut
}

/// What a job came to.
public struct JobResult: Sendable, Hashable {
    public let spec: JobSpec
    /// These trials of the experiment give this tally, whoever computes them.
    public let trials: UInt64
    public let tally: [UInt64]
    public let readings: [Reading]
    public let course: [CoursePoint]
    public let completion: Completion
    public let elapsed: Duration
    public var nodes: [NodeRow]
    /// What it wrote, where that was wanted: all blocks, in order.
    public let output: BlobReference?

    public init(
        spec: JobSpec, trials: UInt64, tally: [UInt64], readings: [Reading], course: [CoursePoint] = [],
        completion: Completion, elapsed: Duration, nodes: [NodeRow], output: BlobReference? = nil
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
    }

    public var experiment: Experiment { spec.experiment }

    /// The bytes whose SHA-256 is the digest: identity, parameters, seed, trials and tally. Numbers are little-endian, and
    /// everything of variable length has its length in front, so that no two results have the same bytes.
    public var digestInput: [UInt8] {
        var bytes = Array("potluck result 1\n".utf8)
        func put(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        func put(_ text: String) {
            put(UInt64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        }
        put(experiment.simulation.name)
        put(experiment.simulation.source)
        put(UInt64(experiment.simulation.streams))
        put(UInt64(experiment.parameters.count))
        experiment.parameters.forEach(put)
        put(experiment.seed)
        put(experiment.blockSize)
        put(trials)
        put(UInt64(tally.count))
        tally.forEach(put)
        return bytes
    }
}
