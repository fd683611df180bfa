import PotluckKit

/// An immutable picture of a job, which every view draws.
public struct JobSnapshot: Sendable, Equatable {
    public let id: JobID
    public let spec: JobSpec
    public let state: JobState
    /// The trials that the tally and the readings are of.
    public let trials: UInt64
    public let tally: [UInt64]
    public let readings: [Reading]
    /// How the readings went at the checkpoints passed, oldest first.
    public let course: [CoursePoint]
    public let elapsed: Duration
    /// Trials a second over the last few seconds; nil before anything is known.
    public let rate: Double?
    public let remaining: Remaining
    public let nodes: [NodeRow]

    public init(
        id: JobID, spec: JobSpec, state: JobState, trials: UInt64, tally: [UInt64], readings: [Reading],
        course: [CoursePoint], elapsed: Duration, rate: Double?, remaining: Remaining, nodes: [NodeRow]
    ) {
        self.id = id
        self.spec = spec
        self.state = state
        self.trials = trials
        self.tally = tally
        self.readings = readings
        self.course = course
        self.elapsed = elapsed
        self.rate = rate
        self.remaining = remaining
        self.nodes = nodes
    }
}

/// How a job stands.
public enum JobState: Sendable, Equatable {
    case running
    /// Asked to stop; the blocks under way are being finished.
    case stopping
    case done(Completion)
}

/// Why a job ended.
public enum Completion: Sendable, Equatable {
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
public struct CoursePoint: Sendable, Equatable {
    public let trials: UInt64
    public let readings: [Reading]

    public init(trials: UInt64, readings: [Reading]) {
        self.trials = trials
        self.readings = readings
    }
}

/// How long a job will still take. Never invented.
public enum Remaining: Sendable, Equatable {
    /// It runs until it is stopped.
    case endless
    /// Too little is known so far.
    case unknown
    case about(Duration)
}

/// A node's part in a job.
public struct NodeRow: Sendable, Equatable {
    public let name: String
    public let cores: Int
    public let trials: UInt64
    public let rate: Double?

    public init(name: String, cores: Int, trials: UInt64, rate: Double?) {
        self.name = name
        self.cores = cores
        self.trials = trials
        self.rate = rate
    }
}

/// What a job came to.
public struct JobResult: Sendable, Equatable {
    public let experiment: Experiment
    /// These trials of the experiment give this tally, whoever computes them.
    public let trials: UInt64
    public let tally: [UInt64]
    public let readings: [Reading]
    public let completion: Completion
    public let elapsed: Duration
    public let nodes: [NodeRow]

    public init(
        experiment: Experiment, trials: UInt64, tally: [UInt64], readings: [Reading], completion: Completion,
        elapsed: Duration, nodes: [NodeRow]
    ) {
        self.experiment = experiment
        self.trials = trials
        self.tally = tally
        self.readings = readings
        self.completion = completion
        self.elapsed = elapsed
        self.nodes = nodes
    }

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
