import PotluckCore
import PotluckKit
import PotluckSystem

/// The checks of a run's first chunk on this machine, once: they find mistakes that no comparison of chunks shows.
final class FirstChunk: Sendable {
    private enum State: Sendable {
        case unknown, kept
        case broken(String)
    }

    private let state = Guarded(State.unknown)

    /// Returns the chunk, or the same chunk as failed if something is wrong. `flaw` says what; the first caller asks it, and
    /// others wait meanwhile.
    func held(_ reply: ChunkReply, of request: ChunkRequest, _ flaw: () -> String?) -> ChunkReply {
        let first = request.blocks.lowerBound
        guard reply.failure == nil, reply.end > first else { return reply }
        let why: String? = state.with { state in
            if case .unknown = state { state = flaw().map(State.broken) ?? .kept }
            return if case .broken(let why) = state { why } else { nil }
        }
        guard let why else { return reply }
        var failed = reply
        (failed.end, failed.outputs) = (first, [])
        failed.failure = SimulationFailure(why, block: first)
        return failed
    }
}

extension PluginWorker {
    /// Returns what is wrong with the readings of a chunk, or with its lanes; nil if nothing is.
    func flaw(of reply: ChunkReply, _ request: ChunkRequest, _ chunks: ModuleRunner) -> String? {
        let (configuration, ready) = (chunks.configuration, chunks.ready)
        let blocks = request.blocks.lowerBound..<reply.end
        let trials = ChunkRequest(seed: request.seed, blocks: blocks, trials: request.trials).trials(
            in: blocks, blockSize: UInt64(ready.blockSize))
        let place = "\(label), seed \(request.seed)"
        do throws(SandboxError) {
            let isSame = try module.withInstance(limits) { instance throws(SandboxError) in
                _ = try configure(instance, configuration)
                return try keepsNothing(instance, reading: reply.slots, trials)
            }
            if !isSame { return "\(place): \(SimulationFailure.readingsKeep)" }
        } catch {
            return "\(place): \(SimulationFailure.inReadings): \(error.reason)"
        }
        guard comparesLanes, shape == .tally, module.hasLanes, let plain = plainRunner(configuration, ready) else {
            return nil
        }
        let isSame = FirstBlocks(seed: request.seed, first: request.blocks.lowerBound, size: UInt64(ready.blockSize))
            .agree({ chunks.run($0, $1) }, plain)
        return isSame ? nil : "\(place): \(SimulationFailure.lanesDiffer)"
    }

    /// Reads a tally twice. Returns whether both times give the same. Throws if the answer is wrong.
    private func keepsNothing(
        _ instance: Instance, reading slots: [UInt64], _ trials: UInt64
    ) throws(SandboxError) -> Bool {
        let request = readRequest(slots, trials)
        let first = try instance.record("potluck_read", request)
        _ = try ReadingRecords.readings(first, declared: readings)
        return try instance.record("potluck_read", request) == first
    }
}

extension SimulationFailure {
    /// The message about readings that cannot be computed.
    static let inReadings = "its readings cannot be computed"
    /// The message about readings that depend on how often they were computed.
    static let readingsKeep =
        "its readings keep something from call to call, and differ each time; compute them from the tally alone"
    /// The message about lanes that compute something else than trials.
    static let lanesDiffer =
        "its lanes give another tally than its trials; 'potluck check' names the trial in which they first differ"

    /// The message about an author's `lane` that computes something else than trials.
    static let laneDiffers =
        "its 'lane' gives another tally than its trials; 'potluck check' names the trial in which they first differ"

    /// Whether no single trial is at fault, so that there is none to find.
    public static func isOfNoTrial(_ text: String) -> Bool {
        [keepsSomething, inReadings, readingsKeep, lanesDiffer, PreparedSearch.wrongBound.0, SearchDives.startSign]
            .contains { text.firstRange(of: $0) != nil }
    }
}
