import PotluckKit

/// Trials of a simulation that are played one by one. Each is the first of a block of its own, so that it can be computed
/// alone; the web page plays the same.
public struct SingleTrials: Sendable {
    /// What came of a trial.
    public struct Outcome: Sendable {
        /// The readings of that trial alone.
        public let alone: [Reading]
        /// The readings of all trials so far.
        public let all: [Reading]
        /// What the author notes in that trial.
        public let notes: [String]
    }

    /// A module that notes what its author wants to know, and how it is prepared.
    private struct Notes: Sendable {
        let worker: PluginWorker
        let configuration: ModuleConfiguration
        let ready: PluginWorker.Ready
    }

    private let prepared: PreparedSimulation
    private let notes: Notes?
    private let seed: UInt64
    private var tally: [UInt64]
    public private(set) var count: UInt64 = 0

    /// `logging` is the same simulation compiled to log; nil if it notes nothing.
    public init(of prepared: PreparedSimulation, logging: Plugin? = nil, tables: [Table] = [], seed: UInt64) {
        self.prepared = prepared
        self.seed = seed
        notes = logging.map {
            Notes(
                worker: $0.worker,
                configuration: ModuleConfiguration(parameters: prepared.parameters, tables: tables),
                ready: PluginWorker.Ready(
                    blockSize: prepared.blockSize, units: prepared.units, writes: prepared.writes))
        }
        tally = prepared.layout.empty
    }

    /// Plays the next trial.
    public mutating func play() throws(SimulationFailure) -> Outcome {
        let request = ChunkRequest(
            seed: seed, blocks: count..<count + 1, trials: count * UInt64(prepared.blockSize) + 1)
        let reply = prepared.run(request) { false }
        if let failure = reply.failure { throw failure }
        prepared.layout.merge(reply.slots, into: &tally)
        let said = notes.map {
            $0.worker.block($0.configuration, $0.ready, seed: seed, block: count, trials: 1).log
        }
        count += 1
        return Outcome(
            alone: try prepared.readings(of: reply.slots, trials: 1),
            all: try prepared.readings(of: tally, trials: count),
            notes: (said ?? "").split(separator: "\n").map { Replay.plain(String($0)) })
    }
}
