import PotluckKit

/// A finished run as the history keeps it: all that is needed to read it, compare it
/// and repeat it without the program that computed it.
public struct RunRecord: Sendable, Equatable {
    /// 32 hexadecimal digits. A run has the same key wherever it is kept, so importing it twice adds it once.
    public var key: String
    public var simulation: SimulationIdentity
    /// The path of the simulation's file as the user typed it; nil if it is built in or unknown.
    public var file: String?
    public var parameters: [RecordedParameter]
    /// The files that it read; nil if there were none.
    public var files: RecordedFiles?
    public var seed: UInt64
    public var blockSize: UInt64
    /// The goal with which it started.
    public var goal: Goal
    public var trials: UInt64
    public var tally: [UInt64]
    /// The plain counts of the tally, with their names.
    public var counts: [RecordedCount]
    public var readings: [Reading]
    /// The readings at the checkpoints, oldest first.
    public var course: [CoursePoint]
    public var digest: String
    public var completion: Completion
    /// Milliseconds since 1970, by the wall clock.
    public var startedAt: Int64
    public var elapsed: Duration
    public var nodes: [RecordedNode]
    /// The session in which it ran; nil for a run on one machine.
    public var origin: RunOrigin?
    public var notes: [RunNote]
    /// The version of Potluck that computed it.
    public var program: String
    /// Whether its work is counted in units, as that of a gathering, and not in trials. False for a record of
    /// an older program, which does not say it.
    public var hasUnits: Bool

    public init(
        key: String, simulation: SimulationIdentity, file: String? = nil, parameters: [RecordedParameter],
        files: RecordedFiles? = nil,
        seed: UInt64, blockSize: UInt64, goal: Goal, trials: UInt64, tally: [UInt64], counts: [RecordedCount],
        readings: [Reading], course: [CoursePoint], digest: String, completion: Completion, startedAt: Int64,
        elapsed: Duration,
        nodes: [RecordedNode], origin: RunOrigin? = nil, notes: [RunNote] = [], program: String = potluckVersion,
        hasUnits: Bool = false
    ) {
        self.key = key
        self.simulation = simulation
        self.file = file
        self.parameters = parameters
        self.files = files
        self.seed = seed
        self.blockSize = blockSize
        self.goal = goal
        self.trials = trials
        self.tally = tally
        self.counts = counts
        self.readings = readings
        self.course = course
        self.digest = digest
        self.completion = completion
        self.startedAt = startedAt
        self.elapsed = elapsed
        self.nodes = nodes
        self.origin = origin
        self.notes = notes
        self.program = program
        self.hasUnits = hasUnits
    }

    /// All parameters of the experiment, including the hash of the files.
    public var slots: [UInt64] { parameters.map(\.slot) + (files?.hash ?? []) }

    /// Whether it is a search.
    public var isSearch: Bool { goal.isOfSearch(blockSize: blockSize) }

    /// Trials per second; nil for a run that took no time, and for a search.
    public var rate: Double? { elapsed > .zero && !isSearch ? Double(trials) / elapsed.seconds : nil }

    /// How many nodes computed it, without the row for trials from before a restart.
    public var nodeCount: Int { nodes.count { $0.cores > 0 || $0.name != NodeRow.earlierName } }

    /// The part of the work that each node did, from 0 to 1; 0 if nothing was computed.
    public var nodeShares: [NodeShare] {
        let all = nodes.reduce(0.0) { $0 + Double($1.trials) }
        return nodes.map { NodeShare(name: $0.name, share: all > 0 ? Double($0.trials) / all : 0) }
    }

    /// The part of the work that the node of this name did; nil if it took no part.
    package func share(of node: String) -> Double? {
        let own = nodeShares.filter { $0.name == node }.map(\.share)
        return own.isEmpty ? nil : own.reduce(0, +)
    }

    /// The cores of all nodes. A record from elsewhere may claim any numbers; their sum is limited to an `Int`.
    public var cores: Int {
        Int(clamping: nodes.reduce(0 as UInt64) { $0.addingClamped(UInt64(clamping: $1.cores)) })
    }

    /// The figure of merit of a reading: one divided by its relative variance and by the seconds of a core that the run
    /// took. It is about the same for any number of trials, so it compares two ways to compute the same. Nil if the reading
    /// has no interval that says something.
    package func merit(of reading: Reading) -> Double? {
        guard let value = reading.value, let half = reading.shownHalfWidth, reading.varies, half > 0 else { return nil }
        let distance = value * Reading.standardErrors / half
        let merit = distance * distance / (elapsed.seconds * Double(cores))
        return merit.isFinite && merit > 0 ? merit : nil
    }

    /// The number of digits in a key.
    public static let keyLength = 32
}

/// A parameter with its value as a slot, as text and, if it is numeric, as a number.
public struct RecordedParameter: Sendable, Hashable {
    public var name: String
    public var slot: UInt64
    public var text: String
    public var number: Double?

    public init(name: String, slot: UInt64, text: String, number: Double?) {
        self.name = name
        self.slot = slot
        self.text = text
        self.number = number
    }

    public init(_ description: ParameterDescription, slot: UInt64) {
        name = description.label
        self.slot = slot
        text = description.text(of: slot)
        number =
            switch description.domain {
            case .integer: Double(Int64(bitPattern: slot))
            case .real: Double(bitPattern: slot)
            case .flag: Double(slot)
            case .choice, .several: nil
            }
    }
}

/// The session of a run, and the node that ordered the job.
public struct RunOrigin: Sendable, Hashable {
    public var session: String
    public var submitter: String

    public init(session: String, submitter: String) {
        self.session = session
        self.submitter = submitter
    }
}

/// A node's part in a recorded run.
public struct RecordedNode: Sendable, Hashable {
    public var name: String
    public var cores: Int
    public var trials: UInt64
    public var rate: Double?
    /// The nodes of a search's tree that it looked at; none if it was no search, or in a record of an older
    /// program.
    public var effort: SearchEffort

    public init(name: String, cores: Int, trials: UInt64, rate: Double?, effort: SearchEffort = .none) {
        self.name = name
        self.cores = cores
        self.trials = trials
        self.rate = rate
        self.effort = effort
    }

    /// The most cores of a node in a record from elsewhere: far more than any machine has, and few enough that those of
    /// many nodes can be added up.
    static let mostCores = 1 << 20

    /// Whether some run may have such a node.
    package var isPossible: Bool { (0...Self.mostCores).contains(cores) && trials <= Goal.mostTrials }
}

/// The part of a run's work that one node did, from 0 to 1.
public struct NodeShare: Sendable, Hashable {
    public let name: String
    public let share: Double

    public init(name: String, share: Double) {
        self.name = name
        self.share = share
    }
}

/// A plain count of a recorded tally, with its name.
public struct RecordedCount: Sendable, Hashable {
    public var name: String
    public var count: UInt64

    public init(name: String, count: UInt64) {
        self.name = name
        self.count = count
    }
}

/// A note that a user attached to a run.
public struct RunNote: Sendable, Hashable {
    /// Milliseconds since 1970.
    public var at: Int64
    public var text: String

    /// The most bytes of text: a page, so that the history stays small.
    public static let longest = 4096

    public init(at: Int64, text: String) {
        self.at = at
        self.text = text
    }
}

/// A parameter's name and value, such as `doors` and `3`.
public struct RecordedValue: Sendable, Hashable {
    public let name: String
    public let text: String

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// A run as a row of a list.
public struct RunSummary: Sendable, Equatable {
    public var id: Int64
    public var startedAt: Int64
    public var simulation: String
    public var parameters: [RecordedValue]
    public var trials: UInt64
    public var elapsed: Duration
    public var rate: Double?
    var cores: Int
    public var nodes: Int
    public var completion: Completion
    public var digest: String
    public var hasNote: Bool
    /// The first reading with its interval, if there is one.
    public var reading: Reading?
    /// The sweep that this line stands for, which is that of the newest of its points; nil for a single run.
    public var sweep: SweepSummary?
    /// Who computed it, and which part of it; empty unless asked for.
    public var nodeShares: [NodeShare] = []

    public init(
        id: Int64, startedAt: Int64, simulation: String, parameters: [RecordedValue], trials: UInt64, elapsed: Duration,
        rate: Double?, cores: Int, nodes: Int, completion: Completion, digest: String, hasNote: Bool, reading: Reading?,
        sweep: SweepSummary? = nil
    ) {
        self.id = id
        self.startedAt = startedAt
        self.simulation = simulation
        self.parameters = parameters
        self.trials = trials
        self.elapsed = elapsed
        self.rate = rate
        self.cores = cores
        self.nodes = nodes
        self.completion = completion
        self.digest = digest
        self.hasNote = hasNote
        self.reading = reading
        self.sweep = sweep
    }

    /// Whether it is of a search. All other runs that took time have a rate (see `RunRecord.rate`).
    public var isSearch: Bool { rate == nil && elapsed > .zero }
}

/// A sweep in a list of runs.
public struct SweepSummary: Sendable, Equatable {
    public let id: JobID
    public let points: Int

    public init(id: JobID, points: Int) { (self.id, self.points) = (id, points) }
}

extension RunRecord {
    /// Creates a record from a result. `simulation` names the result's slots. If it is nil, the
    /// job's title names those that users see. `file` is the path of the simulation's file, if
    /// there is one, and `inputs` are the files that it read.
    public init(
        key: String, _ result: JobResult, of simulation: AnySimulation?, file: String? = nil,
        inputs: [RecordedInput] = [], digest: String,
        startedAt: Int64, origin: RunOrigin? = nil
    ) {
        let experiment = result.experiment
        let title = result.spec.title
        let given = RecordedFiles.split(
            experiment.parameters, after: simulation?.parameters.count ?? title.parameters.count)
        let parameters = given.own.enumerated().map { place, slot in
            if let simulation { return RecordedParameter(simulation.parameters[place], slot: slot) }
            // The digest covers all slots, whether they have names or not.
            guard title.parameters.count == given.own.count else {
                return RecordedParameter(name: "parameter \(place + 1)", slot: slot, text: "\(slot)", number: nil)
            }
            let parameter = title.parameters[place]
            // A long list of names is written as its slot, which is not a quantity.
            let number = parameter.value.hasPrefix("0x") ? nil : Double(parameter.value)
            return RecordedParameter(name: parameter.label, slot: slot, text: parameter.value, number: number)
        }
        self.init(
            key: key, simulation: experiment.simulation, file: file, parameters: parameters,
            files: given.hash.isEmpty ? nil : RecordedFiles(hash: given.hash, inputs: inputs), seed: experiment.seed,
            blockSize: experiment.blockSize, goal: result.spec.goal, trials: result.trials, tally: result.tally,
            counts: simulation.map { Self.counts(of: result.tally, in: $0.layout) }
                ?? zip(title.counts, title.counts(of: result.tally)).map { RecordedCount(name: $0.name, count: $1) },
            readings: result.readings, course: result.course, digest: digest, completion: result.completion,
            startedAt: startedAt, elapsed: result.elapsed,
            nodes: result.nodes.map {
                RecordedNode(name: $0.name, cores: $0.cores, trials: $0.trials, rate: $0.rate, effort: $0.effort)
            }, origin: origin, hasUnits: result.spec.title.hasUnits)
    }

    private static func counts(of tally: [UInt64], in layout: TallyLayout) -> [RecordedCount] {
        layout.fields.filter { $0.kind == .count && $0.slots.upperBound <= tally.count }
            .map { RecordedCount(name: $0.name, count: tally[$0.slots.lowerBound]) }
    }

    /// Returns the key of a job's run, the same on every node that records it. A job's number is random. The key also
    /// contains the digest, because an attacker could choose the number.
    public static func key(of job: JobID, digest: String) -> String {
        job.text + digest.prefix(keyLength - job.text.count)
    }

    /// Returns the key of a run on one machine, made of its number alone: a run that was
    /// stopped and resumed is one run, whatever its results were.
    public static func key(ofOneMachines job: JobID) -> String { job.text + job.text }

    /// Returns the key of a sweep's point: the sweep's number, and that of the point.
    public static func key(ofPoint index: Int, inSweep sweep: JobID) -> String {
        // Equal halves would be the key of a run on one machine.
        sweep.text + JobID(UInt64(index) == sweep.number ? .max : UInt64(index)).text
    }

    /// The sweep that the run is a point of; nil if it is none.
    public var sweep: JobID? {
        let (first, second) = (key.prefix(Self.keyLength / 2), key.suffix(Self.keyLength / 2))
        return origin == nil && first != second ? UInt64(first, radix: 16).map { JobID($0) } : nil
    }
}
