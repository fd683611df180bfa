import Dispatch
import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine
import PotluckSystem

/// Performs the engine's effects about jobs: prepares simulations, starts chunks and computes readings.
///
/// The extension in `JobShell+Blobs` handles blobs and outputs.
final class JobShell: Sendable {
    /// A report to the shell's owner, which passes it to the engine.
    enum Report: Sendable {
        case event(Event)
        /// Chunks have ended; call `takeOutcomes`.
        case outcomes
    }

    /// A simulation that is ready to compute a job.
    struct Ready: Sendable {
        let simulation: PreparedSimulation
        let seed: UInt64
        /// Whether the job's output is wanted, so that chunks must deliver theirs.
        let collects: Bool
        /// The best solution that this node knows, if it is a search.
        let best: SharedBest
        /// The queue for this job's readings. Each job has its own, so that a slow simulation does not delay other
        /// jobs.
        let reading = DispatchQueue(label: "potluck-readings")
    }

    private let simulations: Simulations
    private let store: JobStore?
    private let workers: Workers
    /// Computes in this node's place; nil if `workers` do.
    private let device: PageDevice?
    let blobs: BlobStore
    let spool: String
    /// The simulations by job; the value is nil while a simulation is being prepared.
    let ready = Guarded<[JobID: Ready?]>([:])
    /// The outputs of the jobs that this node coordinates.
    let shelves = Guarded<[JobID: OutputStore]>([:])
    /// Prepares built-in simulations. That may be slow, and must not delay links or screens.
    private let builtIns: PreparationQueue
    /// Compiles modules. It is separate so that built-in simulations do not wait for that. Jobs of one module wait while
    /// the first of them compiles it.
    private let modules: PreparationQueue
    /// Assembles and checks blobs, in order. It is separate so that readings do not wait for hashing or disks.
    let carrying = DispatchQueue(label: "potluck-blobs")
    let report: @Sendable (Report) -> Void
    /// Receives the output of all blocks on a node without a session; nil in a session.
    private let outputs: OutputStore?

    /// Calls `report` on any thread. Chunks write their output to `shelf`; without one it is delivered to the job's
    /// coordinator. A simulation may take as long as `deadline` to prepare.
    init(
        _ computing: Computing, shelf: OutputStore? = nil, deadline: Duration? = nil,
        report: @escaping @Sendable (Report) -> Void
    ) {
        builtIns = PreparationQueue(.init(patience: .seconds(1), deadline: deadline))
        modules = PreparationQueue(.init(patience: .seconds(5), deadline: deadline))
        simulations = computing.simulations
        outputs = shelf
        spool = computing.spool
        blobs = BlobStore(keptIn: computing.simulations.plugins.folder, spool: computing.spool)
        device = computing.device
        workers = Workers(cores: Self.threads(computing.cores, device), priority: computing.priority) {
            report(.outcomes)
        }
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

    /// The jobs that were unfinished when the last node with this store ended.
    var found: [KeptJob] { store?.unfinishedJobs ?? [] }

    /// Returns the outcomes of the chunks that ended since the last call. Call it after a report of `outcomes`.
    func takeOutcomes() -> [ChunkOutcome] { workers.takeOutcomes() }

    func setCores(_ cores: Int) { workers.setCores(Self.threads(cores, device)) }

    /// The number of threads for these cores. For a device the threads only wait, and one core needs two of them: when
    /// a chunk is done there, the next one must be there already.
    private static func threads(_ cores: Int, _ device: PageDevice?) -> Int { device == nil ? cores : 2 * cores }

    /// Performs the effects that concern simulations, chunks and blobs, and ignores the others.
    func perform(_ effects: [Effect]) {
        var tasks: [Workers.ChunkTask] = []
        for effect in effects {
            switch effect {
            case .job(let effect): perform(effect, &tasks)
            case .answer(.output(let blob), let token): _ = blobs.hold(blob.hash, for: .asked(token: token))
            case .tell(let event): if let id = event.endedJob { blobs.release(all: id) }
            case .session, .answer, .wake: break
            }
        }
        flush(&tasks)
    }

    private func perform(_ effect: JobEffect, _ tasks: inout [Workers.ChunkTask]) {
        switch effect {
        case .compute(let chunk, let experiment, let trials, let duty):
            guard let ready = ready.with({ $0[chunk.attempt.job] ?? nil }) else {
                let failure = ChunkFailure(
                    attempt: chunk.attempt, block: chunk.blocks.lowerBound, text: Self.notReady)
                return report(.event(.computed([.failed(failure)])))
            }
            tasks.append(
                Workers.ChunkTask(
                    chunk, of: experiment, trials: trials, isFresh: duty.isFresh, isReferee: duty != .worker,
                    with: runner(ready, chunk.attempt)))
        case .prepare(let id, let recipe): prepare(id, recipe)
        case .readPart(let hash, let offset, let node): readPart(hash, offset, for: node)
        case .keepPart(let blob, let offset, let octets):
            carrying.async { [blobs] in blobs.keep(octets, of: blob, at: offset) }
        case .shelve(let blob): shelve(blob)
        case .discard(let hash): carrying.async { [blobs] in blobs.discard(hash) }
        case .collect(let attempt, let blocks, let tally, let blob): collect(attempt, blocks, tally, blob)
        case .seal(let id, let end): seal(id, end)
        case .unseal(let id, let hash): carrying.async { [blobs] in blobs.release(hash, .sealed(id)) }
        case .bound(let id, let best): ready.with { $0[id] ?? nil }?.best.learn(best)
        case .interrupt(let id):
            flush(&tasks)
            workers.interrupt(id)
        case .drop(let attempts):
            flush(&tasks)
            workers.drop(attempts)
            let meant = Set(attempts)
            blobs.drop(where: meant.contains)
        case .forget(let id):
            flush(&tasks)
            // At once, because another coordinator may start the job here again in a moment.
            blobs.release(all: id)
            stepDown(from: id)
        case .stepDown(let id):
            flush(&tasks)
            stepDown(from: id)
        case .read(let request): read(request)
        case .record(let changes):
            flush(&tasks)
            store?.append(changes)
        }
    }

    /// Ends all computing for a job, and removes the outputs that were collected for it.
    private func stepDown(from id: JobID) {
        workers.drop(all: id)
        device?.forget(id)
        ready.with { _ = $0.removeValue(forKey: id) }
        forgetCollected(of: id)
    }

    private static let notReady = "the simulation is not ready on this node"

    /// The search of a job; nil for other work, and if this node is not ready to compute the job.
    func search(of job: JobID) -> RunningSearch? { RunningSearch(ready.with { $0[job] ?? nil }) }

    /// Returns the runner for an attempt, which delivers its output as the job needs.
    private func runner(_ ready: Ready, _ attempt: AttemptID) -> ChunkRunner {
        if let search = ready.simulation.search {
            return ChunkRunner(ready.simulation, search, sharing: ready.best)
        }
        guard ready.simulation.writes != .nothing else { return ChunkRunner(ready.simulation) }
        if let outputs {
            return ChunkRunner(ready.simulation) { (written, first) throws(SpoolFile.SpoolError) in
                for (index, octets) in written.enumerated() { try outputs.put(octets, of: first + UInt64(index)) }
                return nil
            }
        }
        guard ready.collects else { return ChunkRunner(ready.simulation) { _, _ in nil } }
        blobs.expect(attempt)
        return ChunkRunner(ready.simulation) { [blobs] (written, _) throws(SpoolFile.SpoolError) in
            guard let blob = try blobs.put(Framed.octets(written), of: attempt) else {
                throw SpoolFile.SpoolError(
                    reason:
                        "a block writes more than \(BlobReference.largestOutput >> 20) MiB, the most that a session carries"
                )
            }
            return blob
        }
    }

    /// Starts the collected chunks. Called before effects that must follow them.
    private func flush(_ tasks: inout [Workers.ChunkTask]) {
        if !tasks.isEmpty { workers.compute(tasks) }
        tasks = []
    }

    private func prepare(_ id: JobID, _ recipe: JobRecipe) {
        ready.with { if $0[id] == nil { $0.updateValue(nil, forKey: id) } }
        for blob in recipe.blobs { _ = blobs.hold(blob.hash, for: .job(id)) }
        let simulation = recipe.experiment.simulation
        let (simulations, blobs) = (simulations, blobs)
        guard let module = recipe.module, !simulations.isBuiltIn(simulation) else {
            return builtIns.add(simulation.name) {
                simulations.prepared(recipe, blobs)
            } done: { [self] in
                prepared(id, recipe, $0)
            }
        }
        modules.add(simulation.name) {
            simulations.prepared(recipe, module, blobs)
        } done: { [self] in
            prepared(id, recipe, $0)
        }
    }

    private func prepared(_ id: JobID, _ recipe: JobRecipe, _ own: Simulations.Prepared) {
        guard let device else { return finish(id, recipe, own) }
        // A device may take a minute. It has a deadline of its own.
        SystemThread(for: "waiting for a page") { [self] in
            guard ready.with({ $0[id] != nil }) else { return }
            let lent = simulations.lent(own, id, recipe, to: device, blobs) { [report] why in
                report(.event(.prepared(id, .impossible(why))))
            }
            finish(id, recipe, lent)
            if ready.with({ $0[id] == nil }) { device.forget(id) }
        }.detach()
    }

    private func finish(_ id: JobID, _ recipe: JobRecipe, _ prepared: Simulations.Prepared) {
        // Do not keep it if the job was forgotten in the meantime.
        if let simulation = prepared.ready {
            let best = SharedBest { [report] in report(.event(.improved(id, $0))) }
            let new = Ready(
                simulation: simulation, seed: recipe.experiment.seed, collects: recipe.collects, best: best)
            ready.with { if $0[id] != nil { $0[id] = .some(new) } }
        }
        report(.event(.prepared(id, prepared.what)))
    }

    private func read(_ request: ReadRequest) {
        guard let ready = ready.with({ $0[request.job] ?? nil }) else {
            return report(.event(.unreadable(request.job, Self.notReady)))
        }
        ready.reading.async { [report] in
            if request.purpose == .opening { return report(.event(ready.opened(request))) }
            do throws(SimulationFailure) {
                // A search may know a solution before a point is done.
                let best = ready.simulation.layout.best(in: request.tally) ?? Best()
                let hasNothing = request.trials == 0 && best.isEmpty
                // An empty tally has values that mean nothing, and may not be readable at all. Its names are what is asked.
                let readings =
                    request.purpose == .question
                    ? ready.simulation.read(request.tally, 0)
                    : hasNothing ? [] : try ready.simulation.readings(of: request.tally, trials: request.trials)
                report(.event(.read(request, readings)))
            } catch {
                report(.event(.unreadable(request.job, error.reason)))
            }
        }
    }
}

extension JobShell.Ready {
    /// Computes the first trials of the job and reads them. Returns no readings if a trial fails.
    fileprivate func opened(_ request: ReadRequest) -> Event {
        let reply = simulation.run(ChunkRequest(seed: seed, blocks: 0..<1, trials: request.trials)) { false }
        let read = ReadRequest(job: request.job, tally: reply.slots, trials: request.trials, purpose: .opening)
        guard reply.failure == nil else { return .read(read, []) }
        return .read(read, (try? simulation.readings(of: reply.slots, trials: request.trials)) ?? [])
    }
}
