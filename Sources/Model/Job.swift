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
    /// A slot for each parameter, in order of declaration.
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
    /// At most 10¹⁸, so that no sum of blocks and trials can overflow 64 bits.
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

/// Names a job within its coordinator.
public struct JobID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let number: UInt64
    public init(_ number: UInt64) { self.number = number }
    public static func < (a: JobID, b: JobID) -> Bool { a.number < b.number }
    public var description: String { String(number) }
}

/// A request for a tally.
public struct JobSpec: Hashable, Sendable {
    public let experiment: Experiment
    public let layout: TallyLayout
    public let goal: Goal

    public init(experiment: Experiment, layout: TallyLayout, goal: Goal) {
        self.experiment = experiment
        self.layout = layout
        self.goal = goal
    }
}
