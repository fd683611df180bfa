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

    /// The most lines of a log. Nobody reads a longer one to the end.
    private static let mostLines = 40

    /// `logging` is the same simulation compiled to log, if there is one. `search` is called before the search for a
    /// trial that does not end, which takes a while.
    public init(
        of plugin: Plugin, logging: Plugin? = nil, parameters: [UInt64], tables: [Table] = [], seed: UInt64,
        block: UInt64, search: () -> Void = {}
    ) throws(ParameterError) {
        let prepared = try plugin.simulation.prepared(parameters, tables: tables)
        let size = Int(
            ChunkRequest(seed: seed, blocks: 0..<1, trials: prepared.units).trials(
                in: block..<block + 1, blockSize: UInt64(prepared.blockSize)))
        let worker = plugin.worker
        let configuration = ModuleConfiguration(parameters: parameters, tables: tables)
        let ready = PluginWorker.Ready(
            blockSize: prepared.blockSize, units: prepared.units, writes: prepared.writes)

        // Runs the first trials of the block. A further trial is added at the end of one lane, so a failure with some
        // trials also occurs with more.
        func run(_ trials: Int) -> (slots: [UInt64]?, problem: String?, isEndless: Bool) {
            let (result, _) = worker.block(configuration, ready, seed: seed, block: block, trials: trials)
            switch result {
            case .success(let slots):
                return (
                    slots,
                    Self.spoilt(slots, worker.own).map { "\($0) got a value that is too large or not a number" },
                    false
                )
            case .failure(let error): return (nil, error.reason, error == .outOfTime(plugin.worker.limits.time))
            }
        }

        let whole = run(size)
        var good = 0
        var bad = size
        var reason = whole.problem
        if reason != nil {
            if whole.isEndless { search() }
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
        }
        problem = reason.map { Problem(reason: $0, trial: bad - 1) }
        trials = problem == nil ? size : bad
        slots = whole.slots
        let (_, said) = (logging?.worker ?? worker).block(
            configuration, ready, seed: seed, block: block, trials: trials)
        log = Self.lines(said, of: problem)
    }

    /// Selects the lines of the failing trial. The kit writes the lane, and the trial counted from 1, in front of each line;
    /// other modules may not.
    private static func lines(_ said: String, of problem: Problem?) -> [String] {
        let lines = said.split(separator: "\n").map(String.init)
        guard let problem else { return lines.suffix(mostLines).map(plain) }
        let exact = lines.filter { $0.hasPrefix("\(problem.lane) \(problem.trialOfLane + 1) ") }
        // A simulation that loops over a lane's trials itself does not count them, so all its lines have number 0.
        let near = exact.isEmpty ? lines.filter { $0.hasPrefix("\(problem.lane) 0 ") } : exact
        return (near.isEmpty ? lines : near).suffix(mostLines).map(plain)
    }

    private static func plain(_ line: String) -> String {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Int(parts[0]) != nil, Int(parts[1]) != nil else { return line }
        return String(parts[2])
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
            case .series:
                // A count and two sums for each time.
                stride(from: 0, to: slots.count, by: 11).contains { slots[$0 + 5] != 0 || slots[$0 + 10] != 0 }
            case .quantiles: Quantiles().read(from: slots).isSpoilt
            }
        }?.name
    }
}
