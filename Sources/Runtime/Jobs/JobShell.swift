import Dispatch
import PotluckCompute
import PotluckEngine
import PotluckKit
import PotluckModel
import PotluckSystem
import PotluckWire

/// Turns what the engine wants done about jobs into deeds: simulations made ready, chunks computed, tallies read.
///
/// `+Blobs` has what travels, and what is written.
final class JobShell: Sendable {
    /// What comes back for the engine.
    enum Report: Sendable {
        case event(Event)
        /// There is something to take.
        case outcomes
    }

    /// A simulation that is ready for a job.
    struct Ready: Sendable {
        let simulation: PreparedSimulation
        /// Whether what it writes is wanted by somebody.
        let collects: Bool
        /// Its tallies are read there, one after the other: one simulation may be slow, and no other job waits for it.
        let reading = DispatchQueue(label: "potluck-readings")
    }

    private let simulations: Simulations
    private let store: JobStore?
    private let workers: Workers
    let blobs: BlobStore
    let spool: String
    /// Nothing yet for those that are being made ready.
    let ready = Guarded<[JobID: Ready?]>([:])
    /// What the chunks of jobs wrote that this node coordinates.
    let shelves = Guarded<[JobID: Shelf]>([:])
    /// What is built in gets its parameters there: that may be slow, and neither links nor screens may wait for it.
    private let aside = DispatchQueue(label: "potluck-simulations")
    /// Modules are compiled there, which may take seconds: nothing that is built in waits for that.
    private let compiling = DispatchQueue(label: "potluck-modules")
    /// What travels is put together and looked at there, in order: no reading waits for hashes and disks.
    let carrying = DispatchQueue(label: "potluck-blobs")
    let report: @Sendable (Report) -> Void
    /// Where what is written goes, for a node that is alone.
    private let outputs: Shelf?

    /// `report` is called on any thread. What is written goes onto the shelf; where there is none, to whoever wants it.
    init(_ computing: Computing, shelf: Shelf? = nil, report: @escaping @Sendable (Report) -> Void) {
        simulations = computing.simulations
        outputs = shelf
        spool = computing.spool
        blobs = BlobStore(keptIn: computing.simulations.plugins.folder, spool: computing.spool)
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
            case .compute(let chunk, let experiment, let trials, let duty):
                guard let ready = ready.with({ $0[chunk.attempt.job] ?? nil }) else {
                    let failure = ChunkFailure(
                        attempt: chunk.attempt, block: chunk.blocks.lowerBound, text: Self.notReady)
                    report(.event(.computed([.failed(failure)])))
                    continue
                }
                tasks.append(
                    Workers.Task(
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
            case .answer(.output(let blob), let token): _ = blobs.hold(blob.hash, for: .asked(token: token))
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
                workers.drop(all: id)
                ready.with { _ = $0.removeValue(forKey: id) }
                forgetBlobs(of: id)
            case .finished(let id, _), .failed(let id, _), .lost(let id): blobs.release(all: id)
            case .read(let request): read(request)
            case .record(let changes):
                flush(&tasks)
                store?.append(changes)
            case .session, .answer, .wake, .publish, .news: break
            }
        }
        flush(&tasks)
    }

    private static let notReady = "the simulation is not ready on this node"

    private func runner(_ ready: Ready, _ attempt: AttemptID) -> ChunkRunner {
        guard ready.simulation.writes != .nothing else { return ChunkRunner(ready.simulation) }
        if let outputs {
            return ChunkRunner(ready.simulation) { (written, first) throws(SpoolFile.Trouble) in
                for (index, octets) in written.enumerated() { try outputs.put(octets, of: first + UInt64(index)) }
                return nil
            }
        }
        guard ready.collects else { return ChunkRunner(ready.simulation) { _, _ in nil } }
        blobs.expect(attempt)
        return ChunkRunner(ready.simulation) { [blobs] (written, _) throws(SpoolFile.Trouble) in
            guard let blob = try blobs.put(Framed.octets(written), of: attempt) else {
                throw SpoolFile.Trouble(
                    reason:
                        "a block writes more than \(BlobReference.largestOutput >> 20) MiB, the most that a session carries"
                )
            }
            return blob
        }
    }

    private func flush(_ tasks: inout [Workers.Task]) {
        if !tasks.isEmpty { workers.compute(tasks) }
        tasks = []
    }

    private func prepare(_ id: JobID, _ recipe: JobRecipe) {
        ready.with { if $0[id] == nil { $0.updateValue(nil, forKey: id) } }
        for blob in recipe.blobs { _ = blobs.hold(blob.hash, for: .job(id)) }
        guard let module = recipe.module, !simulations.isBuiltIn(recipe.experiment.simulation) else {
            return aside.async { [self] in prepared(id, recipe, simulations.prepared(recipe, blobs)) }
        }
        compiling.async { [self] in prepared(id, recipe, simulations.prepared(recipe, module, blobs)) }
    }

    private func prepared(_ id: JobID, _ recipe: JobRecipe, _ prepared: Simulations.Prepared) {
        // Where nobody wants it any more it is not kept.
        if let simulation = prepared.ready {
            let new = Ready(simulation: simulation, collects: recipe.collects)
            ready.with { if $0[id] != nil { $0[id] = .some(new) } }
        }
        report(.event(.prepared(id, prepared.what)))
    }

    private func read(_ request: ReadRequest) {
        guard let ready = ready.with({ $0[request.job] ?? nil }) else {
            return report(.event(.unreadable(request.job, Self.notReady)))
        }
        ready.reading.async { [report] in
            do throws(SimulationFailure) {
                let readings =
                    request.trials == 0
                    ? [] : try ready.simulation.readings(of: request.tally, trials: request.trials)
                report(.event(.read(request, readings)))
            } catch {
                report(.event(.unreadable(request.job, error.reason)))
            }
        }
    }
}
