import PotluckCore
import PotluckKit

/// A block that is run again to find what fails in it.
public struct Replay: Sendable {
    /// The failure; nil if there is none.
    public let problem: Problem?
    /// The number of trials of the block that were run.
    public let trials: Int
    /// The block's tally; nil if the block fails.
    public let slots: [UInt64]?
    /// What the simulation logged in the failing trial; without a failure, the newest lines.
    public let log: [String]

    /// The failure of a block.
    public struct Problem: Sendable {
        public let reason: String
        /// The index of the failing trial: the block succeeds with only the trials before it.
        public let trial: Int

        /// The lane that ran the trial. Lanes take turns: trial 17 of a block is trial 1 of lane 1.
        public var lane: Int { trial % RandomStream.lanes }
        /// The trial's number within its lane, counted from 0 as all these numbers.
        public var trialOfLane: Int { trial / RandomStream.lanes }
    }

    /// `search` is called before the search for a trial that does not end, which takes a while.
    public init(
        of plugin: Plugin, parameters: [UInt64], tables: [Table] = [], seed: UInt64,
        block: UInt64, search: () -> Void = {}
    ) throws(ParameterError) {
        let prepared = try plugin.simulation.prepared(parameters, tables: tables)
        let worker = plugin.worker
        let configuration = ModuleConfiguration(parameters: parameters, tables: tables)
        let ready = PluginWorker.Ready(
            blockSize: prepared.blockSize, units: prepared.units, writes: prepared.writes)

        (problem, trials, slots) = Self.search(Self.size(of: block, prepared), search) { trials in
            let result = worker.block(configuration, ready, seed: seed, block: block, trials: trials)
            switch result {
            case .success(let slots): return Attempt(slots, worker.own)
            case .failure(let error):
                return Attempt(problem: error.reason, isEndless: error == .outOfTime(plugin.worker.limits.time))
            }
        }
        let said = worker.told(configuration, ready, seed: seed, block: block, trials: trials)
        log = Self.notes(said, of: problem)
    }

    /// The same for a simulation that is built in. No trial of it fails, so nobody asks for its notes.
    public init(
        ofBuiltIn prepared: PreparedSimulation, seed: UInt64, block: UInt64
    ) {
        let first = block * UInt64(prepared.blockSize)
        (problem, trials, slots) = Self.search(Self.size(of: block, prepared)) { trials in
            let reply = prepared.run(
                ChunkRequest(seed: seed, blocks: block..<block + 1, trials: first + UInt64(trials))
            ) { false }
            return reply.failure.map { Attempt(problem: $0.reason) } ?? Attempt(reply.slots, prepared.layout)
        }
        log = []
    }

    private static func size(of block: UInt64, _ prepared: PreparedSimulation) -> Int {
        Int(
            ChunkRequest(seed: 0, blocks: 0..<1, trials: prepared.units).trials(
                in: block..<block + 1, blockSize: UInt64(prepared.blockSize)))
    }

    /// What came of the first trials of the block.
    private struct Attempt {
        var slots: [UInt64]?
        var problem: String?
        /// Whether it took all of the time that it may.
        var isEndless = false

        init(problem: String, isEndless: Bool = false) { (self.problem, self.isEndless) = (problem, isEndless) }

        init(_ slots: [UInt64], _ layout: TallyLayout) {
            self.slots = slots
            problem = Replay.spoilt(slots, layout).map { "\($0) got a value that is too large or not a number" }
        }
    }

    /// Finds the trial that fails. A further trial is added at the end of one lane, so a failure with some trials also occurs
    /// with more.
    private static func search(
        _ size: Int, _ announce: () -> Void = {}, _ run: (_ trials: Int) -> Attempt
    ) -> (problem: Problem?, trials: Int, slots: [UInt64]?) {
        let whole = run(size)
        guard var reason = whole.problem else { return (nil, size, whole.slots) }
        var (good, bad) = (0, size)
        if whole.isEndless { announce() }
        // Begin with few trials: each run that does not end takes the whole time limit, and runs that succeed take
        // almost none.
        var next = 1
        while next < bad {
            if let found = run(next).problem {
                (bad, reason) = (next, found)
            } else {
                (good, next) = (next, 2 * next)
            }
        }
        while bad - good > 1 {
            let middle = (good + bad) / 2
            if let found = run(middle).problem { (bad, reason) = (middle, found) } else { good = middle }
        }
        return (Problem(reason: reason, trial: bad - 1), bad, whole.slots)
    }

    /// Selects the notes of the failing trial. Modules that are not of the kit may not say which trial a line is of.
    private static func notes(_ said: String, of problem: Problem?) -> [String] {
        let all = TrialLog(said).notes
        guard let problem else { return all }
        // A simulation that loops over a lane's trials itself does not count them, so all its lines have number 0.
        for number in [problem.trialOfLane + 1, 0] {
            let notes = TrialLog(said, of: (problem.lane, number)).notes
            if !notes.isEmpty { return notes }
        }
        return all
    }

    /// The name of the first field to which a value was added that it cannot hold; nil if there is none.
    public static func spoilt(_ slots: [UInt64], _ layout: TallyLayout) -> String? {
        layout.fields.first { field in
            let slots = Array(slots[field.slots])
            return switch field.kind {
            // A count stays at the largest number that it can hold.
            case .count, .histogram, .counts: slots.contains(.max)
            case .print, .best: false
            case .sum: ExactSum().read(from: slots).isSpoilt
            case .minimum: Minimum().read(from: slots).isSpoilt
            case .maximum: Maximum().read(from: slots).isSpoilt
            case .moments: Moments().read(from: slots).isSpoilt
            // The count, and then sums whose fifth slot says so.
            case .comoments: stride(from: 5, to: slots.count, by: 5).contains { slots[$0] != 0 }
            case .series: field.moments(slots).contains(where: \.isSpoilt)
            case .quantiles: Quantiles().read(from: slots).isSpoilt
            }
        }?.name
    }
}
