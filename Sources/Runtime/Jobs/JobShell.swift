import Dispatch
import PotluckCompute
import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckSystem
import PotluckWire

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
    private let shelf: ModuleShelf
    /// Nothing yet for those that are being made ready.
    private let ready = Guarded<[JobID: PreparedSimulation?]>([:])
    /// Simulations' own code runs there: it may be slow, and neither links nor screens may wait for it.
    private let aside = DispatchQueue(label: "potluck-simulations")
    /// Modules are compiled there, which may take seconds: no reading of another job waits for that.
    private let compiling = DispatchQueue(label: "potluck-modules")
    private let report: @Sendable (Report) -> Void
    /// Where what is written goes.
    private let outputs: Shelf?

    /// `report` is called on any thread. What is written goes onto the shelf, and where there is none nothing that writes is
    /// computed.
    init(_ computing: Computing, shelf: Shelf? = nil, report: @escaping @Sendable (Report) -> Void) {
        simulations = computing.simulations
        outputs = shelf
        self.shelf = ModuleShelf(keptIn: computing.simulations.plugins.folder)
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
                guard let simulation = ready.with({ $0[chunk.attempt.job] ?? nil }) else { continue }
                tasks.append(
                    Workers.Task(
                        chunk, of: experiment, trials: trials, isFresh: isFresh, isReferee: isFresh,
                        with: runner(simulation)))
            case .prepare(let id, let experiment, let module): prepare(id, experiment, module)
            case .readPart(let hash, let offset, let node): readPart(hash, offset, for: node)
            case .keepPart(let module, let offset, let octets):
                aside.async { [shelf] in shelf.keep(octets, of: module, at: offset) }
            case .shelve(let module): shelve(module)
            case .discard(let hash): aside.async { [shelf] in shelf.discard(hash) }
            case .interrupt(let id):
                flush(&tasks)
                workers.interrupt(id)
            case .drop(let attempts):
                flush(&tasks)
                workers.drop(attempts)
            case .forget(let id):
                flush(&tasks)
                workers.drop(all: id)
                ready.with { _ = $0.removeValue(forKey: id) }
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
        guard simulation.writes != .nothing, let outputs else { return ChunkRunner(simulation) }
        return ChunkRunner(simulation, onto: outputs)
    }

    private func flush(_ tasks: inout [Workers.Task]) {
        if !tasks.isEmpty { workers.compute(tasks) }
        tasks = []
    }

    private func prepare(_ id: JobID, _ experiment: Experiment, _ module: ModuleReference?) {
        ready.with { if $0[id] == nil { $0.updateValue(nil, forKey: id) } }
        guard let module, !simulations.isBuiltIn(experiment.simulation) else {
            return aside.async { [self] in prepared(id, simulations.prepared(experiment, canWrite: outputs != nil)) }
        }
        compiling.async { [self] in
            prepared(id, simulations.prepared(experiment, module, shelf, canWrite: outputs != nil))
        }
    }

    private func prepared(_ id: JobID, _ prepared: Simulations.Prepared) {
        // Where nobody wants it any more it is not kept.
        if let simulation = prepared.ready { ready.with { if $0[id] != nil { $0[id] = .some(simulation) } } }
        report(.event(.prepared(id, prepared.what)))
    }

    // MARK: Modules

    /// A module that a job ordered here is to name; nil where it is none.
    func put(_ module: [UInt8]) -> ModuleReference? { shelf.put(module) }

    private func readPart(_ hash: ModuleHash, _ offset: Int, for node: NodeID) {
        aside.async { [self] in
            let octets = shelf.part(of: hash, at: offset, atMost: JobMessage.longestPart)
            report(.event(.partRead(hash, offset: offset, octets, for: node)))
        }
    }

    private func shelve(_ module: ModuleReference) {
        aside.async { [self] in
            let isRight = shelf.shelve(module)
            report(.event(.shelved(module.hash, isRight: isRight)))
        }
    }

    private func read(_ request: ReadRequest) {
        aside.async { [self] in
            guard let simulation = ready.with({ $0[request.job] ?? nil }) else { return }
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
