import PotluckCompute
import PotluckEngine
import PotluckKit
import PotluckModel

/// The simulations that a node knows.
public struct Simulations: Sendable {
    private let all: [AnySimulation]

    public init(_ all: [AnySimulation]) { self.all = all }

    /// The one of an experiment, with its parameters; or why there is none, in one line.
    func prepared(_ experiment: Experiment) -> (ready: PreparedSimulation?, what: Preparation) {
        let wanted = experiment.simulation
        let named = all.filter { $0.name == wanted.name }
        guard let simulation = named.first(where: { $0.identity == wanted }) else {
            let why =
                named.isEmpty
                ? "the simulation \(wanted.name) is not known here: update the older potluck"
                : "\(wanted.name) is another version here: update the older potluck"
            return (nil, .impossible(why))
        }
        do throws(ParameterError) {
            let prepared = try simulation.prepared(experiment.parameters)
            return (
                prepared,
                .ready(
                    JobFacts(
                        layout: prepared.layout, blockSize: UInt64(prepared.blockSize),
                        title: JobTitle(simulation: simulation, parameters: experiment.parameters)))
            )
        } catch {
            if case .failed(let failure) = error { return (nil, .impossible(failure.reason)) }
            return (nil, .impossible("\(wanted.name) cannot be run with these parameters"))
        }
    }
}

extension AnySimulation {
    public var identity: SimulationIdentity {
        SimulationIdentity(name: name, source: source, streams: RandomStream.version)
    }

    /// All that its tally is a function of, but for the trials.
    public func experiment(parameters: [UInt64], seed: UInt64) throws(ParameterError) -> Experiment {
        let prepared = try prepared(parameters)
        return Experiment(
            simulation: identity, parameters: parameters, seed: seed, blockSize: UInt64(prepared.blockSize))
    }
}

/// What a node computes with.
public struct Computing: Sendable {
    public typealias Priority = PotluckCompute.Priority

    public var simulations: Simulations
    /// 0 only coordinates, or looks on.
    public var cores: Int
    public var priority: Priority
    /// Where the jobs it takes are written down; nowhere where it is nil.
    public var store: JobStore?
    /// For benches: chunks have at most so many blocks.
    package var mostBlocks: UInt64 = .max

    public init(_ simulations: Simulations, cores: Int, priority: Priority = .background) {
        self.simulations = simulations
        self.cores = cores
        self.priority = priority
    }
}
