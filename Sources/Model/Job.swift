import PotluckKit

/// Which simulation, to the letter: two nodes that agree on this compute the same bytes.
public struct SimulationIdentity: Hashable, Sendable {
    public let name: String
    /// The SHA-256 of its source, 64 hexadecimal digits.
    public let source: String
    /// The version of the kit's random streams and draws.
    public let streams: UInt32

    public init(name: String, source: String, streams: UInt32) {
        self.name = name
        self.source = source
        self.streams = streams
    }
}

/// All that a tally is a function of but for the number of trials: nothing else decides its bytes.
public struct Experiment: Hashable, Sendable {
    public let simulation: SimulationIdentity
    /// A slot for each parameter, in order of declaration; and where it takes files the four of their SHA-256.
    public let parameters: [UInt64]
    public let seed: UInt64
    /// Trials in a block.
    public let blockSize: UInt64

    public init(simulation: SimulationIdentity, parameters: [UInt64], seed: UInt64, blockSize: UInt64) {
        precondition(blockSize > 0, "a block has trials")
        self.simulation = simulation
        self.parameters = parameters
        self.seed = seed
        self.blockSize = blockSize
    }

    /// How many blocks hold that many trials; the last may be short.
    public func blocks(for trials: UInt64) -> UInt64 { trials / blockSize + (trials % blockSize == 0 ? 0 : 1) }

    /// How many blocks a job of it has, and at most where it has no end of its own.
    public func mostBlocks(of goal: Goal) -> UInt64 { goal.trials.map(blocks) ?? Goal.mostTrials / blockSize }
}

/// How precise a result has to be for a run to stop: half the width of the 95 % interval of every reading that has one.
public enum Precision: Hashable, Sendable {
    case absolute(Double)
    /// As a part of the reading's value: 0.0001 is 0.01 %.
    case relative(Double)

    /// Whether the readings are that precise. Never where a reading's trials have all been alike, or nothing has an interval.
    public func isReached(by readings: [Reading]) -> Bool {
        let judged = readings.filter { $0.halfWidth != nil }
        return !judged.isEmpty
            && judged.allSatisfy { reading in
                guard reading.varies, let half = reading.halfWidth, let value = reading.value else { return false }
                switch self {
                case .absolute(let limit): return half <= limit
                case .relative(let limit): return half <= limit * value.magnitude
                }
            }
    }
}

/// When a job is done. One without any of the three runs until it is stopped.
public struct Goal: Hashable, Sendable {
    /// At most 10¹⁸, so that no sum of blocks and trials can overflow 64 bits. A job without an end of its own ends there, too.
    public static let mostTrials: UInt64 = 1_000_000_000_000_000_000

    public var trials: UInt64?
    public var precision: Precision?
    public var duration: Duration?

    public init(trials: UInt64? = nil, precision: Precision? = nil, duration: Duration? = nil) {
        precondition(trials.map { (1...Self.mostTrials).contains($0) } ?? true, "1 to 10¹⁸ trials")
        self.trials = trials
        self.precision = precision
        self.duration = duration
    }
}

/// Names a job: drawn when it is taken, so that two coordinators never give two jobs one name. Never 0.
public struct JobID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (a: JobID, b: JobID) -> Bool { a.number < b.number }

    /// The first five of sixteen hexadecimal digits: what people type.
    public var description: String { String(text.prefix(5)) }

    /// All sixteen digits.
    public var text: String {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }.hexadecimal
    }
}

/// What the numbers of a job are called, told by its simulation where that is known, so that every view can draw it.
public struct JobTitle: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        public let label: String
        /// As people type it.
        public let value: String
        /// Whether that is what it is when nobody sets it.
        public let isStandard: Bool

        public init(label: String, value: String, isStandard: Bool) {
            self.label = label
            self.value = value
            self.isStandard = isStandard
        }
    }

    /// A slot of the tally that is a plain count: what people see grow.
    public struct Count: Hashable, Sendable {
        public let name: String
        public let slot: Int

        public init(name: String, slot: Int) {
            self.name = name
            self.slot = slot
        }
    }

    public let summary: String
    public let parameters: [Parameter]
    public let counts: [Count]

    public init(summary: String = "", parameters: [Parameter] = [], counts: [Count] = []) {
        self.summary = summary
        self.parameters = parameters
        self.counts = counts
    }
}

/// What a job computes, until when, and what that is called.
public struct JobSpec: Hashable, Sendable {
    public let experiment: Experiment
    public let goal: Goal
    public let title: JobTitle
    /// What computes it where the simulation is not built in; nil where nothing else does.
    public let module: BlobReference?
    /// The tables that it takes from files.
    public let payload: BlobReference?
    /// Whether what it writes is wanted, and not only its print.
    public let collects: Bool

    public init(
        experiment: Experiment, goal: Goal, title: JobTitle = JobTitle(), module: BlobReference? = nil,
        payload: BlobReference? = nil, collects: Bool = false
    ) {
        self.experiment = experiment
        self.goal = goal
        self.title = title
        self.module = module
        self.payload = payload
        self.collects = collects
    }

    public var recipe: JobRecipe {
        JobRecipe(experiment: experiment, module: module, payload: payload, collects: collects)
    }
}

/// What a node needs to get a job ready.
public struct JobRecipe: Hashable, Sendable {
    public let experiment: Experiment
    public let module: BlobReference?
    public let payload: BlobReference?
    public let collects: Bool

    public init(
        experiment: Experiment, module: BlobReference? = nil, payload: BlobReference? = nil, collects: Bool = false
    ) {
        self.experiment = experiment
        self.module = module
        self.payload = payload
        self.collects = collects
    }

    /// What it is made of beside what is built in.
    public var blobs: [BlobReference] { [module, payload].compactMap(\.self) }

    /// Whether it is made of that. Asked at every event while blobs travel, so it makes no list.
    public func names(_ blob: BlobHash) -> Bool { module?.hash == blob || payload?.hash == blob }
}

/// What somebody wants computed, and how.
public struct JobOrder: Hashable, Sendable {
    /// No session has more nodes.
    public static let mostWorkers = 512
    /// More than anybody types; so many fit a short message.
    public static let mostNames = 256
    /// A day: who wants to wait longer has forgotten it by then.
    public static let longestDelay = Duration.seconds(86_400)

    public var experiment: Experiment
    public var goal: Goal
    /// It begins when so many workers are there.
    public var workers: Int
    /// It begins so long after it was taken.
    public var delay: Duration
    /// Only nodes of these names compute it; all, where there are none.
    public var nodes: [String]
    /// What computes it where the simulation is not built in. Whoever orders gives it to the coordinator.
    public var module: BlobReference?
    /// The tables that it takes from files; likewise.
    public var payload: BlobReference?
    /// Whether what it writes is wanted, and not only its print.
    public var collects: Bool

    public init(
        experiment: Experiment, goal: Goal, workers: Int = 1, delay: Duration = .zero, nodes: [String] = [],
        module: BlobReference? = nil, payload: BlobReference? = nil, collects: Bool = false
    ) {
        self.experiment = experiment
        self.goal = goal
        self.module = module
        self.payload = payload
        self.collects = collects
        self.workers = workers
        self.delay = delay
        self.nodes = nodes
    }

    public var recipe: JobRecipe {
        JobRecipe(experiment: experiment, module: module, payload: payload, collects: collects)
    }
}

/// Known to whoever ordered a job and to its coordinator: who shows it may cancel the job, from another process, too.
public struct JobTicket: Hashable, Sendable {
    public static let length = 16

    public let octets: [UInt8]

    /// Nil unless there are exactly sixteen.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }
}

/// What can be done to a job that was taken.
public enum JobCommand: Hashable, Sendable, CaseIterable {
    case pause, resume, cancel
}
