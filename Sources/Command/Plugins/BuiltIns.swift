import Glibc
import PotluckCatalogue
import PotluckKit
import PotluckModel
import PotluckSandbox
import PotluckSystem

/// Every simulation that is built in, as this computer runs it fastest.
let builtIns =
    Kernels.areInModules
    ? catalogue.map { VectorModule($0).simulation } : catalogue.map { lanesLibrary?.simulation($0) ?? $0 }

/// The library with the lanes of built-in simulations for this CPU; nil if there is none.
let lanesLibrary =
    Kernels.chosen == .plain ? nil : LanesLibrary.own(for: Kernels.chosen.rawValue, madeOf: lanesSources)

/// A built-in simulation whose blocks the module with lanes runs, if there is one and it is faster here. The bytes are the
/// same. This is for CPUs without libraries of lanes and without kernels.
final class VectorModule: Sendable {
    /// The most blocks that show which one is faster, and about how many seconds they may take: five times as long as a
    /// module takes to begin.
    private static let (mostBlocks, longest): (UInt64, Double) = (256, 0.1)

    private enum State {
        case unknown
        case loading
        /// Whether there is no module, or it is of no use.
        case useless
        case ready(AnySimulation)
    }

    private let native: AnySimulation
    private let load: @Sendable (AnySimulation) -> AnySimulation?
    private let detach: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Guarded(State.unknown)

    init(
        _ native: AnySimulation,
        load: @escaping @Sendable (AnySimulation) -> AnySimulation? = { VectorModule.bundled(for: $0) },
        detach: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { body in
            SystemThread(for: "trying a module", body).detach()
        }
    ) { (self.native, self.load, self.detach) = (native, load, detach) }

    /// The simulation, to use like the native one.
    var simulation: AnySimulation {
        native.changed { native, tables in
            let vectors = Guarded<PreparedSimulation?>(nil)
            return native.computed { request, shouldStop in
                guard let module = self.ready(beside: native, tables) else { return native.run(request, shouldStop) }
                let fast = vectors.with { $0 } ?? (try? module.prepared(native.parameters, tables: tables))
                vectors.with { $0 = fast }
                let reply = (fast ?? native).run(request, shouldStop)
                // A block that the native code can compute must not fail.
                return reply.failure == nil ? reply : native.run(request, shouldStop)
            }
        }
    }

    /// Returns the module if it is known to be of use. A thread of its own finds out, and until then all cores compute
    /// natively.
    private func ready(beside prepared: PreparedSimulation, _ tables: [Table]) -> AnySimulation? {
        let isFirst = state.with { state in
            guard case .unknown = state else { return false }
            state = .loading
            return true
        }
        if isFirst {
            detach { [self] in
                let module = load(native).flatMap { isBetter($0, than: prepared, tables) ? $0 : nil }
                state.with { $0 = module.map { .ready($0) } ?? .useless }
            }
        }
        return state.with { if case .ready(let module) = $0 { module } else { nil } }
    }

    /// Whether a module computes the first blocks faster and with the same result.
    private func isBetter(_ module: AnySimulation, than native: PreparedSimulation, _ tables: [Table]) -> Bool {
        guard module.source == self.native.source,
            let fast = try? module.prepared(native.parameters, tables: tables)
        else { return false }
        func attempt(_ simulation: PreparedSimulation, _ count: UInt64) -> (reply: ChunkReply, time: Double) {
            let begin = Self.threadTime
            let reply = simulation.run(ChunkRequest(seed: 1, blocks: 1..<1 + count, trials: nil)) { false }
            return (reply, Self.threadTime - begin)
        }
        // The first block also warms up caches.
        let (one, _) = (attempt(native, 1), attempt(fast, 1))
        let count = min(Self.mostBlocks, UInt64(Self.longest / max(one.time, 1e-6)) + 1)
        let (ours, theirs) = (attempt(native, count), attempt(fast, count))
        let isBetter = ours.reply == theirs.reply && theirs.time < ours.time
        let share = Int((theirs.time / ours.time * 100).rounded())
        Log("plugins").info(
            "\(self.native.name): its vector module takes \(share) % of the native time and "
                + (isBetter ? "is used" : "is not used"))
        return isBetter
    }

    /// The CPU time of this thread in seconds.
    private static var threadTime: Double {
        var now = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private static func bundled(for simulation: AnySimulation) -> AnySimulation? {
        guard let module = BundledModules.own.module(of: simulation), LanesSection.lanes(in: module.octets) != nil
        else { return nil }
        do {
            return try PluginFiles.plugin(simulation.name, of: module.octets, PluginLimits()).simulation
        } catch {
            Log("plugins").info("\(simulation.name) has a vector module that cannot be used: \(error)")
            return nil
        }
    }
}
