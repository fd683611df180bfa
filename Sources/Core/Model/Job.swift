import PotluckKit

/// Identifies a simulation exactly: two nodes with equal identities compute the same bytes.
public struct SimulationIdentity: Hashable, Sendable {
    public var name: String
    /// The SHA-256 of its source, as 64 hexadecimal digits.
    public var source: String
    /// The version of the kit's random streams and draws.
    public var streams: UInt32

    public init(name: String, source: String, streams: UInt32) {
        self.name = name
        self.source = source
        self.streams = streams
    }
}

/// Everything that decides the bytes of a tally, except the number of trials.
public struct Experiment: Hashable, Sendable {
    public var simulation: SimulationIdentity
    /// A slot for each parameter, in order of declaration. If the simulation reads
    /// files, four slots of their SHA-256 follow.
    public var parameters: [UInt64]
    public var seed: UInt64
    /// The number of trials in a block.
    public var blockSize: UInt64

    public init(simulation: SimulationIdentity, parameters: [UInt64], seed: UInt64, blockSize: UInt64) {
        precondition(blockSize > 0, "a block must have at least one trial")
        self.simulation = simulation
        self.parameters = parameters
        self.seed = seed
        self.blockSize = blockSize
    }

    /// Returns the number of blocks that hold `trials` trials. The last one may be short.
    public func blocks(for trials: UInt64) -> UInt64 { trials / blockSize + (trials % blockSize == 0 ? 0 : 1) }

    /// Returns the number of blocks of a job with this goal, or the most that any
    /// job may have if the goal has no trials.
    public func mostBlocks(of goal: Goal) -> UInt64 { goal.trials.map(blocks) ?? Goal.mostTrials / blockSize }

    /// Returns the blocks that a job with this goal computes.
    public func range(of goal: Goal) -> Range<UInt64> {
        let all = 0..<mostBlocks(of: goal)
        return goal.slice?.clamped(to: all) ?? all
    }

    /// Returns the number of trials in these blocks of a job of `trials` trials. The last block of a job may be short.
    public func trials(in blocks: Range<UInt64>, of trials: UInt64?) -> UInt64 {
        guard let trials else { return UInt64(blocks.count) * blockSize }
        let first = min(blocks.lowerBound * blockSize, trials)
        return min(blocks.upperBound * blockSize, trials) - first
    }
}

/// When a job is done. A goal without trials, precision and duration runs until it is stopped.
public struct Goal: Hashable, Sendable {
    /// At most 10¹⁸, so that sums of blocks and trials cannot overflow 64 bits. Jobs
    /// without a number of trials end there too.
    public static let mostTrials: UInt64 = 1_000_000_000_000_000_000

    /// The trials of the whole job, also if a slice of it is computed.
    public var trials: UInt64?
    public var precision: Precision?
    public var duration: Duration?
    /// The blocks that are computed, if others are computed elsewhere; nil for all of them. A job of a session has none.
    public var slice: Range<UInt64>?

    public init(
        trials: UInt64? = nil, precision: Precision? = nil, duration: Duration? = nil, slice: Range<UInt64>? = nil
    ) {
        precondition(trials.map { (1...Self.mostTrials).contains($0) } ?? true, "a goal must have 1 to 10¹⁸ trials")
        self.slice = slice
        self.trials = trials
        self.precision = precision
        self.duration = duration
    }
}

extension Goal {
    /// Whether it is the goal of a search: its blocks are the points of a space, and no other work has that many.
    func isOfSearch(blockSize: UInt64) -> Bool { blockSize == 1 && trials == SearchSpace.points }
}

extension JobSpec {
    /// Whether the job is a search.
    public var isSearch: Bool { recipe.goal.isOfSearch(blockSize: recipe.experiment.blockSize) }

    /// The number of trials that are to be computed; nil without a fixed number.
    public var wanted: UInt64? {
        let (experiment, goal) = (recipe.experiment, recipe.goal)
        return goal.slice == nil ? goal.trials : experiment.trials(in: experiment.range(of: goal), of: goal.trials)
    }

    /// Returns the blocks with the first `trials` of the trials that are to be computed.
    public func blocks(for trials: UInt64) -> Range<UInt64> {
        let first = recipe.experiment.range(of: recipe.goal).lowerBound
        return first..<first + recipe.experiment.blocks(for: trials)
    }
}

/// The ID of a job. It is drawn at random when a job is accepted, so that two
/// coordinators never use the same one. Never 0.
public struct JobID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (a: JobID, b: JobID) -> Bool { a.number < b.number }

    /// The first five of sixteen hexadecimal digits, which users type.
    public var description: String { String(text.prefix(5)) }

    /// All sixteen digits.
    public var text: String {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }.hexadecimal
    }
}

/// The names of a job's parameters and counts. They come from its simulation, so that every view can show them.
public struct JobTitle: Hashable, Sendable {
    public struct Parameter: Hashable, Sendable {
        public var label: String
        /// The value as users type it, of at most `longestValue` bytes.
        public var value: String
        /// Whether the value is the default.
        public var isStandard: Bool

        public init(label: String, value: String, isStandard: Bool) {
            self.label = label
            self.value = value
            self.isStandard = isStandard
        }
    }

    /// The most bytes of a parameter's value: what fits a label of a message.
    static let longestValue = 100

    /// A slot of the tally that is a plain count, which users watch grow.
    public struct Count: Hashable, Sendable {
        public var name: String
        public var slot: Int

        public init(name: String, slot: Int) {
            self.name = name
            self.slot = slot
        }
    }

    public var summary: String
    public var parameters: [Parameter]
    public var counts: [Count]
    /// Whether its work is counted in units, as that of a gathering, and not in trials.
    public var hasUnits: Bool

    public init(summary: String = "", parameters: [Parameter] = [], counts: [Count] = [], hasUnits: Bool = false) {
        self.summary = summary
        self.parameters = parameters
        self.counts = counts
        self.hasUnits = hasUnits
    }
}

/// What is computed, and what a node needs for it.
public struct JobRecipe: Hashable, Sendable {
    public var experiment: Experiment
    public var goal: Goal
    /// The module of the simulation; nil if it is built in. The node that sends an order sends the module too.
    public var module: BlobReference?
    /// The tables that it reads from files; nil if there are none. The node that sends an order sends them too.
    public var payload: BlobReference?
    /// Whether to collect the output, and not only its print.
    public var collects: Bool

    public init(
        experiment: Experiment, goal: Goal = Goal(), module: BlobReference? = nil, payload: BlobReference? = nil,
        collects: Bool = false
    ) {
        self.experiment = experiment
        self.goal = goal
        self.module = module
        self.payload = payload
        self.collects = collects
    }

    /// The blobs that the job needs.
    public var blobs: [BlobReference] { [module, payload].compactMap(\.self) }

    /// Whether the job needs this blob. Called at every event while blobs are transferred, so it creates no array.
    public func names(_ blob: BlobHash) -> Bool { module?.hash == blob || payload?.hash == blob }
}

/// The specification of a job: its recipe, and the names of its numbers.
@dynamicMemberLookup public struct JobSpec: Hashable, Sendable {
    public var recipe: JobRecipe
    public var title: JobTitle

    public init(_ recipe: JobRecipe, title: JobTitle = JobTitle()) { (self.recipe, self.title) = (recipe, title) }

    public subscript<Value>(dynamicMember part: WritableKeyPath<JobRecipe, Value>) -> Value {
        get { recipe[keyPath: part] }
        set { recipe[keyPath: part] = newValue }
    }
}

/// A request to start a job.
@dynamicMemberLookup public struct JobOrder: Hashable, Sendable {
    /// No session has more nodes.
    public static let mostWorkers = 512
    /// The most names in `nodes`: more than a user types, and they fit in a short message.
    public static let mostNames = 256
    /// A day, which is longer than a user wants to wait.
    public static let longestDelay = Duration.seconds(86_400)

    public var recipe: JobRecipe
    /// The job starts when this many workers are ready.
    public var workers: Int
    /// The job starts this long after it was accepted.
    public var delay = Duration.zero
    /// The names of the nodes that compute the job; empty for all nodes.
    public var nodes: [String] = []
    /// Whether every screen hides the exact answers until the host shows them.
    public var hidesExact = false
    /// Whether browsers may compute it.
    public var takesBrowsers = true
    /// How urgent it is beside other jobs.
    public var priority = Priority.normal
    /// The sweep that the job is a point of, if its points are computed round by round. A job of a session has none.
    public var sweep: JobID?
    /// Whether it is paused until a user resumes it, so that people can guess first.
    public var startsPaused = false
    /// Whether it begins with 1 trial, 2, 5, 10 and so on, each shown for a while.
    public var startsSlowly = false

    public init(_ recipe: JobRecipe, workers: Int = 1) { (self.recipe, self.workers) = (recipe, workers) }

    public subscript<Value>(dynamicMember part: WritableKeyPath<JobRecipe, Value>) -> Value {
        get { recipe[keyPath: part] }
        set { recipe[keyPath: part] = newValue }
    }
}

/// A secret of the node that ordered a job and of its coordinator. A process that shows it may cancel the job.
public struct JobTicket: Hashable, Sendable {
    public static let length = 16

    public let octets: [UInt8]

    /// Returns nil unless there are exactly sixteen bytes.
    public init?(_ octets: some Collection<UInt8>) {
        guard octets.count == Self.length else { return nil }
        self.octets = Array(octets)
    }

    /// The ticket of every order on one machine, which has only one user.
    public static let none = JobTicket([UInt8](repeating: 0, count: length))!
}

/// A user's command for a job that was accepted.
public enum JobCommand: Hashable, Sendable, CaseIterable {
    case pause, resume, cancel
    /// Show or hide the exact answers on every screen.
    case reveal, hide
    /// Make it as urgent as this.
    case prioritize(Priority)

    public static let allCases: [JobCommand] =
        [.pause, .resume, .cancel, .reveal, .hide] + Priority.allCases.map(prioritize)
}
