import PotluckCompute
import PotluckEngine
import PotluckKit
import PotluckLog
import PotluckModel
import PotluckSystem

/// A job computed on this machine alone: the engine with one node.
///
///     let run = try LocalRun(simulation, parameters: simulation.standardParameters, seed: 1, goal: Goal(trials: 1_000_000))
///     for await snapshot in run.snapshots { print(snapshot.trials) }
///     print(await run.result.digest)
public struct LocalRun: Sendable {
    /// Pictures of the job, about ten a second. A slow reader misses some and sees the newest. The last one is of the job's end.
    public let snapshots: AsyncStream<JobSnapshot>
    private let events: AsyncStream<Event>.Continuation
    private let shell: Task<JobResult, Never>

    private static let job = JobID(1)

    /// Starts to compute.
    public init(
        _ simulation: AnySimulation, parameters: [UInt64], seed: UInt64, goal: Goal, cores: Int
    ) throws(ParameterError) {
        let prepared = try simulation.prepared(parameters)
        let spec = JobSpec(
            experiment: Experiment(
                simulation: SimulationIdentity(
                    name: simulation.name, source: simulation.source, streams: RandomStream.version),
                parameters: parameters, seed: seed, blockSize: UInt64(prepared.blockSize)),
            layout: prepared.layout, goal: goal)
        let (snapshots, pictures) = AsyncStream.makeStream(of: JobSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        // At most two chunks a core, one reading and one wake-up are ever under way, so this buffer is bounded by what is.
        let (queue, events) = AsyncStream.makeStream(of: Event.self)
        self.snapshots = snapshots
        self.events = events
        let shell = LocalShell(simulation: prepared, cores: cores, events: events, pictures: pictures)
        events.yield(.submitted(Self.job, spec))
        self.shell = Task { await shell.run(queue) }
    }

    /// Lets the run end at the next block.
    public func stop() { events.yield(.stopRequested(Self.job)) }

    /// What the job came to, once it has.
    public var result: JobResult { get async { await shell.value } }
}

/// Turns the engine's effects into deeds.
private final class LocalShell: Sendable {
    private let simulation: PreparedSimulation
    private let cores: Int
    private let events: AsyncStream<Event>.Continuation
    private let pictures: AsyncStream<JobSnapshot>.Continuation
    private let clock = BootClock()
    private let stop = StopFlag()
    private let log = Log("run")

    init(
        simulation: PreparedSimulation, cores: Int, events: AsyncStream<Event>.Continuation,
        pictures: AsyncStream<JobSnapshot>.Continuation
    ) {
        self.simulation = simulation
        self.cores = cores
        self.events = events
        self.pictures = pictures
    }

    func run(_ queue: AsyncStream<Event>) async -> JobResult {
        var engine = Engine(node: LocalWorker(id: .alone, name: "this machine", cores: cores))
        let workers = Workers(cores: cores) { [events] in events.yield(.computed($0)) }
        var timer: Task<Void, Never>?
        defer {
            timer?.cancel()
            pictures.finish()
        }
        for await event in queue {
            for effect in engine.handle(event, at: clock.now) {
                switch effect {
                case .compute(let chunk, let experiment, let trials):
                    workers.compute(Workers.Task(chunk, of: experiment, trials: trials, with: simulation, stop: stop))
                case .interrupt: stop.set()
                case .read(let request):
                    let readings = request.trials == 0 ? [] : simulation.read(request.tally, request.trials)
                    events.yield(.read(request, readings))
                case .wake(let instant):
                    timer?.cancel()
                    timer = Task { [events, clock] in
                        try? await Task.sleep(for: max(.zero, instant - clock.now))
                        if !Task.isCancelled { events.yield(.woke) }
                    }
                case .publish(let snapshot): pictures.yield(snapshot)
                case .finished(_, let result):
                    log.info("\(result.experiment.simulation.name): \(result.trials) trials, \(result.completion)")
                    return result
                }
            }
        }
        preconditionFailure("the queue of events never ends before the job does")
    }
}

extension NodeID {
    /// The name of the only node there is.
    fileprivate static let alone = NodeID([UInt8](repeating: 0, count: NodeID.length))!
}
