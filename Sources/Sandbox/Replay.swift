import PotluckKit

/// A block run again, to see what goes wrong in it.
public struct Replay: Sendable {
    /// What went wrong; nil where nothing did.
    public let problem: Problem?
    /// The trials of the block that were run.
    public let trials: Int
    /// Their tally, where there is one.
    public let slots: [UInt64]?
    /// What the simulation logged: of the trial that went wrong, or the newest.
    public let log: [String]

    public struct Problem: Sendable {
        public let reason: String
        /// A block without this trial, and all that come after it, goes well.
        public let trial: Int

        /// Lanes take turns: trial 17 of a block is the second of lane 1.
        public var lane: Int { trial % RandomStream.lanes }
        /// Counted from 1.
        public var trialOfLane: Int { trial / RandomStream.lanes + 1 }
    }

    /// A log that nobody reads to its end is no help.
    private static let mostLines = 40

    /// `logging` is the same simulation compiled so that it logs, if there is one. `search` is called where the trial that never
    /// ends is to be found, which takes a while.
    public init(
        of plugin: Plugin, logging: Plugin? = nil, parameters: [UInt64], tables: [Table] = [], seed: UInt64,
        block: UInt64, search: () -> Void = {}
    ) throws(ParameterError) {
        let prepared = try plugin.simulation.prepared(parameters, tables: tables)
        let size = Int(
            ChunkRequest(seed: seed, blocks: 0..<1, trials: prepared.units).trials(
                in: block..<block + 1, blockSize: UInt64(prepared.blockSize)))
        let worker = plugin.worker
        let settings = Settings(parameters: parameters, tables: tables)
        let ready = PluginWorker.Ready(
            blockSize: prepared.blockSize, units: prepared.units, writes: prepared.writes)

        // What the block does with its first so many trials. One more is one more at the end of one lane, so what goes wrong
        // with some goes wrong with more.
        func run(_ trials: Int) -> (slots: [UInt64]?, problem: String?, isEndless: Bool) {
            let (result, _) = worker.block(settings, ready, seed: seed, block: block, trials: trials)
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
            // From few to many: each run that never ends costs its whole limit, those that go well next to nothing.
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
            settings, ready, seed: seed, block: block, trials: trials)
        log = Self.lines(said, of: problem)
    }

    /// The kit writes lane and trial in front of each line; others may write what they like.
    private static func lines(_ said: String, of problem: Problem?) -> [String] {
        let lines = said.split(separator: "\n").map(String.init)
        guard let problem else { return lines.suffix(mostLines).map(plain) }
        let exact = lines.filter { $0.hasPrefix("\(problem.lane) \(problem.trialOfLane) ") }
        // A simulation with a loop of its own over a lane's trials does not count them for us.
        let near = exact.isEmpty ? lines.filter { $0.hasPrefix("\(problem.lane) 0 ") } : exact
        return (near.isEmpty ? lines : near).suffix(mostLines).map(plain)
    }

    private static func plain(_ line: String) -> String {
        let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, Int(parts[0]) != nil, Int(parts[1]) != nil else { return line }
        return String(parts[2])
    }

    /// The first field that something was added to that it cannot hold.
    public static func spoilt(_ slots: [UInt64], _ layout: TallyLayout) -> String? {
        layout.fields.first { field in
            let slots = Array(slots[field.slots])
            return switch field.kind {
            case .count, .histogram, .print: false
            case .sum: ExactSum().read(from: slots).isSpoilt
            case .minimum: Minimum().read(from: slots).isSpoilt
            case .maximum: Maximum().read(from: slots).isSpoilt
            case .moments: Moments().read(from: slots).isSpoilt
            }
        }?.name
    }
}
