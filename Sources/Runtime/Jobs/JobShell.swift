import Dispatch
import PotluckCompute
import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckSystem

/// Turns what the engine wants done about jobs into deeds: simulations made ready, chunks computed, tallies read.
final class JobShell: Sendable {
    /// What comes back for the engine.
    enum Report: Sendable {
        case event(Event)
        /// There is something to take.
        case outcomes
    }

    private let simulations: Simulations
    private let store: JobStore?
    private let workers: Workers
    private let ready = Guarded<[JobID: PreparedSimulation]>([:])
    /// Simulations' own code runs there: it may be slow, and neither links nor screens may wait for it.
    private let aside = DispatchQueue(label: "potluck-simulations")
    private let report: @Sendable (Report) -> Void
    private let shelf: Shelf?

    /// `report` is called on any thread. What is written goes onto the shelf, and where there is none nothing that writes is
    /// computed.
    init(_ computing: Computing, shelf: Shelf? = nil, report: @escaping @Sendable (Report) -> Void) {
        simulations = computing.simulations
        self.shelf = shelf
        workers = Workers(cores: computing.cores, priority: computing.priority) { report(.outcomes) }
        self.report = report
        store = computing.store
        store?.listen { news in
            switch news {
            case .durable(let number): report(.event(.durable(number)))
            case .trouble(let trouble): report(.event(.journal(trouble: "\(trouble)")))
            case .recovered: report(.event(.journal(trouble: nil)))
            }
        }
    }

    /// Jobs that were under way when the last node with this store ended.
    var found: [KeptJob] { store?.unfinishedJobs ?? [] }

    /// What has come of chunks, once `outcomes` was reported.
    func takeOutcomes() -> [ChunkOutcome] { workers.takeOutcomes() }

    func setCores(_ cores: Int) { workers.setCores(cores) }

    /// Does what is about simulations and chunks, and leaves the rest.
    func perform(_ effects: [Effect]) {
        var tasks: [Workers.Task] = []
        for effect in effects {
            switch effect {
            case .compute(let chunk, let experiment, let trials, let isFresh):
                guard let simulation = ready.with({ $0[chunk.attempt.job] }) else { continue }
                tasks.append(
                    Workers.Task(
                        chunk, of: experiment, trials: trials, isFresh: isFresh, isReferee: isFresh,
                        with: runner(simulation)))
            case .prepare(let id, let experiment): prepare(id, experiment)
            case .interrupt(let id):
                flush(&tasks)
                workers.interrupt(id)
            case .drop(let attempts):
                flush(&tasks)
                workers.drop(attempts)
            case .forget(let id):
                flush(&tasks)
                workers.drop(all: id)
                ready.with { $0[id] = nil }
            case .read(let request): read(request)
            case .record(let changes):
                flush(&tasks)
                store?.append(changes)
            case .session, .answer, .wake, .publish, .finished, .failed, .lost, .news: break
            }
        }
        flush(&tasks)
    }

    private func runner(_ simulation: PreparedSimulation) -> ChunkRunner {
        guard simulation.writes != .nothing, let shelf else { return ChunkRunner(simulation) }
        return ChunkRunner(simulation, onto: shelf)
    }

    private func flush(_ tasks: inout [Workers.Task]) {
        if !tasks.isEmpty { workers.compute(tasks) }
        tasks = []
    }

    private func prepare(_ id: JobID, _ experiment: Experiment) {
        aside.async { [self] in
            let (simulation, what) = simulations.prepared(experiment, canWrite: shelf != nil)
            if let simulation { ready.with { $0[id] = simulation } }
            report(.event(.prepared(id, what)))
        }
    }

    private func read(_ request: ReadRequest) {
        aside.async { [self] in
            guard let simulation = ready.with({ $0[request.job] }) else { return }
            do throws(SimulationFailure) {
                let readings =
                    request.trials == 0
                    ? [] : try simulation.readings(of: request.tally, trials: request.trials)
                report(.event(.read(request, readings)))
            } catch {
                report(.event(.unreadable(request.job, error.reason)))
            }
        }
    }
}
