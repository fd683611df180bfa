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

    /// Plays trials of a plugin.
    public init(of prepared: PreparedSimulation, plugin: Plugin, tables: [Table] = [], seed: UInt64) {
        self.init(
            prepared,
            Notes(
                worker: plugin.worker,
                configuration: ModuleConfiguration(parameters: prepared.parameters, tables: tables),
                ready: PluginWorker.Ready(
                    blockSize: prepared.blockSize, units: prepared.units, writes: prepared.writes)), seed)
    }

    /// Plays trials of a simulation that is built in. Meanwhile nothing else may compute in this process: the log of native
    /// code has no lock, because that would slow all trials down.
    public init(ofBuiltIn prepared: PreparedSimulation, seed: UInt64) { self.init(prepared, nil, seed) }

    private init(_ prepared: PreparedSimulation, _ notes: Notes?, _ seed: UInt64) {
        (self.prepared, self.notes, self.seed) = (prepared, notes, seed)
        tally = prepared.layout.empty
    }

    /// Plays the next trial.
    public mutating func play() throws(SimulationFailure) -> Outcome {
        let request = ChunkRequest(
            seed: seed, blocks: count..<count + 1, trials: count * UInt64(prepared.blockSize) + 1)
        let (reply, said) = run(request)
        if let failure = reply.failure { throw failure }
        prepared.layout.merge(reply.slots, into: &tally)
        count += 1
        return Outcome(
            alone: try prepared.readings(of: reply.slots, trials: 1),
            all: try prepared.readings(of: tally, trials: count), log: TrialLog(said))
    }

    private func run(_ request: ChunkRequest) -> (reply: ChunkReply, said: String) {
        if let notes {
            let reply = prepared.run(request) { false }
            guard reply.failure == nil else { return (reply, "") }
            let said = notes.worker.told(
                notes.configuration, notes.ready, seed: seed, block: request.blocks.lowerBound, trials: 1)
            return (reply, said)
        }
        // Code with lanes notes nothing.
        let plain = prepared.plain ?? prepared.run
        LogBook.begin()
        let reply = plain(request) { false }
        return (reply, String(decoding: LogBook.end(), as: UTF8.self))
    }
}
