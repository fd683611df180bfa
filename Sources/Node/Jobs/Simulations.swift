import Dispatch
import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine
import PotluckSystem

/// The simulations that a node knows, and its rules for plugins.
public struct Simulations: Sendable {
    typealias Prepared = (ready: PreparedSimulation?, what: Preparation)

    private let all: [AnySimulation]
    public var plugins: Plugins
    /// How long a node waits for the comparison of a built-in simulation with its module. Usually it takes a third of a
    /// second. Of 64 nodes on two cores none has that until its deadline, and then each would refuse the job.
    var patience = Duration.seconds(8)

    public init(_ all: [AnySimulation], plugins: Plugins = .none) {
        self.all = all
        self.plugins = plugins
    }

    /// Whether exactly this simulation is built in, so that it runs natively.
    func isBuiltIn(_ simulation: SimulationIdentity) -> Bool { builtIn(simulation) != nil }

    func builtIn(_ simulation: SimulationIdentity) -> AnySimulation? { all.first { $0.identity == simulation } }

    /// Prepares the built-in simulation of a job with the job's parameters, or reports in one line why that is
    /// impossible.
    func prepared(_ recipe: JobRecipe, _ store: BlobStore) -> Prepared {
        let wanted = recipe.experiment.simulation
        let named = all.filter { $0.name == wanted.name }
        guard let simulation = named.first(where: { $0.identity == wanted }) else {
            let why =
                named.isEmpty
                ? "the simulation \(wanted.name) is unknown on this node; update the older potluck"
                : "this node has another version of \(wanted.name); update the older potluck"
            return (nil, .impossible(why))
        }
        let native = prepared(simulation, recipe, store)
        // Other nodes may compute the job with its module, and the results must agree. Preparing a gathering can take
        // as long as computing part of it, so for gatherings the audits of every worker's first chunks must suffice. So
        // they must on a node that is too busy to compile the module.
        guard recipe.module != nil, simulation.shape == .tally, let ready = native.ready else { return native }
        let other = Guarded<Prepared?>(nil)
        let isOver = DispatchSemaphore(value: 0)
        SystemThread(for: "comparing a simulation with its module") {
            let twin = twin(of: simulation, store).map { prepared($0, recipe, store) }
            if let sandboxed = twin?.ready, ready.differs(from: sandboxed, seed: recipe.experiment.seed) {
                other.with { $0 = twin }
            }
            isOver.signal()
        }.detach()
        guard isOver.wait(timeout: .now() + .nanoseconds(Int(patience.nanoseconds))) == .success,
            let sandboxed = other.with({ $0 })
        else { return native }
        Log("jobs").warning(
            "\(simulation.name) computes different results in its module and natively; using the module")
        return sandboxed
    }

    /// Returns the module of a built-in simulation, as a simulation. Returns nil if there is no module, or if it cannot
    /// be run.
    private func twin(of simulation: AnySimulation, _ store: BlobStore) -> AnySimulation? {
        guard let octets = plugins.bundled(simulation), let module = BlobReference(ofModule: octets) else { return nil }
        if store.module(module.hash) == nil { _ = store.put(module: octets) }
        let twin = try? store.simulation(of: module.hash) { plugins.load($0, simulation.name) }?.get()
        return twin?.identity == simulation.identity ? twin : nil
    }

    /// Prepares the simulation of a module with the job's parameters. May take as long as compiling does.
    func prepared(_ recipe: JobRecipe, _ module: BlobReference, _ store: BlobStore) -> Prepared {
        let name = recipe.experiment.simulation.name
        if let why = plugins.refusal(of: module.hash) { return (nil, .impossible(why)) }
        switch store.simulation(of: module.hash, { plugins.load($0, name) }) {
        case nil: return (nil, .lacks(module))
        case .failure(let refusal): return (nil, .impossible("\(name): \(refusal.reason)"))
        case .success(let simulation) where simulation.identity != recipe.experiment.simulation:
            return (nil, .impossible("the module is not the simulation \(name) of this job"))
        case .success(let simulation): return prepared(simulation, recipe, store)
        }
    }

    private func prepared(_ simulation: AnySimulation, _ recipe: JobRecipe, _ store: BlobStore) -> Prepared {
        let experiment = recipe.experiment
        do throws(ParameterError) {
            let own = simulation.parameters.count
            let hash = Array(experiment.parameters.dropFirst(own))
            var tables: [Table] = []
            if let payload = recipe.payload {
                guard hash.octets == payload.hash.octets else {
                    return (nil, .impossible("the tables are not those of this job"))
                }
                // A payload of another node is within `BlobReference.largestPayload`; tables of one's own are not sent.
                guard let octets = store.octets(of: payload.hash, atMost: payload.size) else {
                    return (nil, .lacks(payload))
                }
                guard let read = [Table](payload: octets), read.count == simulation.inputs.count else {
                    return (nil, .impossible("the tables for \(simulation.name) are damaged"))
                }
                tables = read
            } else if !hash.isEmpty {
                return (nil, .impossible("\(simulation.name) needs tables that are missing here"))
            }
            let prepared = try simulation.prepared(Array(experiment.parameters.prefix(own)), tables: tables)
            return (
                prepared,
                .ready(
                    JobFacts(
                        layout: prepared.layout, blockSize: UInt64(prepared.blockSize),
                        title: JobTitle(simulation: simulation, parameters: experiment.parameters),
                        writes: prepared.writes != .nothing))
            )
        } catch {
            if case .failed(let failure) = error { return (nil, .impossible(failure.reason)) }
            return (nil, .impossible("\(simulation.name) cannot run with these parameters"))
        }
    }
}

extension PreparedSimulation {
    /// Whether the first block gives another result in `other`. Returns false if either fails, which proves nothing.
    fileprivate func differs(from other: PreparedSimulation, seed: UInt64) -> Bool {
        let first = ChunkRequest(seed: seed, blocks: 0..<1, trials: nil)
        guard blockSize == other.blockSize else { return false }
        let (own, theirs) = (run(first) { false }, other.run(first) { false })
        return own.failure == nil && theirs.failure == nil && own != theirs
    }
}

extension AnySimulation {
    public var identity: SimulationIdentity {
        SimulationIdentity(name: name, source: source, streams: RandomStream.version)
    }

    /// Returns everything that determines the tally, except the number of trials.
    public func experiment(
        parameters: [UInt64], tables: [Table] = [], seed: UInt64
    ) throws(ParameterError) -> Experiment {
        experiment(try prepared(parameters, tables: tables), parameters, tables, seed)
    }

    private func experiment(
        _ prepared: PreparedSimulation, _ parameters: [UInt64], _ tables: [Table], _ seed: UInt64
    ) -> Experiment {
        let hash = tables.isEmpty ? [] : SHA256.slots(of: tables.payload)
        return Experiment(
            simulation: identity, parameters: parameters + hash, seed: seed, blockSize: UInt64(prepared.blockSize))
    }

    /// Returns the order of a job. If the parameters determine the number of trials, the goal may omit it.
    package func order(
        parameters: [UInt64], tables: [Table], seed: UInt64, goal: Goal, module: BlobReference? = nil
    ) throws(ParameterError) -> JobOrder {
        let prepared = try prepared(parameters, tables: tables)
        var goal = goal
        if let units = prepared.units { goal.trials = min(goal.trials ?? units, units) }
        return JobOrder(
            JobRecipe(experiment: experiment(prepared, parameters, tables, seed), goal: goal, module: module))
    }
}

/// What a node contributes to computing jobs.
public struct Computing: Sendable {
    public var simulations: Simulations
    /// The number of cores that compute; 0 to only coordinate or watch.
    public var cores: Int
    public var priority: Priority
    /// Records the jobs that this node coordinates; nil to record nothing.
    public var store: JobStore?
    /// Computes in this node's place; nil for this computer's own cores.
    var device: PageDevice?
    /// The folder for unnamed files with data that is too long for memory.
    public var spool = "/var/tmp"
    /// The largest number of blocks in a chunk, for benchmarks.
    package var mostBlocks: UInt64 = .max

    public init(_ simulations: Simulations, cores: Int, priority: Priority = .background) {
        self.simulations = simulations
        self.cores = cores
        self.priority = priority
    }
}
