import PotluckCore
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
        /// What the trial notes and draws.
        public let log: TrialLog
    }

    /// A module that is run again for what it notes, and how it is prepared.
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

    /// `module` is the simulation as a module, which tells and draws its trials. Without it they are only counted.
    public init(of prepared: PreparedSimulation, module: Plugin?, tables: [Table] = [], seed: UInt64) {
        (self.prepared, self.seed) = (prepared, seed)
        notes = module.map {
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
        let said = notes.map { $0.worker.told($0.configuration, $0.ready, seed: seed, block: count, trials: 1) } ?? ""
        count += 1
        return Outcome(
            alone: try prepared.readings(of: reply.slots, trials: 1),
            all: try prepared.readings(of: tally, trials: count), log: TrialLog(said))
    }
}
