import PotluckCore
import PotluckEngine
import PotluckKit
import PotluckMachine
import PotluckSystem

/// A job that this machine computes alone, with an engine of one node.
///
///     let run = try LocalRun(
///         simulation, parameters: simulation.standardParameters, seed: 1, goal: Goal(trials: 1_000_000), cores: 4)
///     for await snapshot in run.snapshots { print(snapshot.trials) }
///     print(try await run.result.digest)
public struct LocalRun: Sendable {
    /// Snapshots of the job, about ten a second. A slow reader gets only the newest. The last one shows the end of the
    /// job.
    public let snapshots: AsyncStream<JobSnapshot>
    private let queue: AsyncStream<Input>.Continuation
    private let loop: Task<LocalLoop.Outcome, Never>
    /// The output of the blocks; nil if nobody wants it.
    private let shelf: OutputStore?
    private let shell: JobShell

    /// An input of the loop, in the order in which it came.
    fileprivate enum Input: Sendable {
        case report(JobShell.Report)
        case command(JobCommand)
    }

    /// Starts computing. If the parameters determine the number of trials, the goal may omit it. `tables` are the
    /// simulation's input files. Output that does not fit into memory goes to a file in the folder `spool`; without
    /// `keepsOutput` it is dropped. With a `keeper` the run can be resumed later; `module` then computes it if the simulation is not built in.
    public init(
        _ simulation: AnySimulation, parameters: [UInt64], tables: [Table] = [], seed: UInt64, goal: Goal, cores: Int,
        priority: Computing.Priority = .interactive, spool: String = "/var/tmp", keepsOutput: Bool = true,
        module: BlobReference? = nil, keeper: RunKeeper? = nil
    ) throws(ParameterError) {
        var goal = goal
        if let units = try simulation.prepared(parameters, tables: tables).units {
            goal.trials = min(goal.trials ?? units, units)
        }
        let experiment = try simulation.experiment(parameters: parameters, tables: tables, seed: seed)
        var order = JobOrder(JobRecipe(experiment: experiment, goal: goal, module: module))
        var computing = Computing(Simulations([simulation]), cores: cores, priority: priority)
        computing.store = keeper?.store
        try self.init(
            computing, spool: spool, keepsOutput: keepsOutput, blockSize: experiment.blockSize
        ) { shell throws(ParameterError) in
            do throws(SpoolFile.Trouble) {
                order.payload = try shell.put(tables, .none)
            } catch {
                throw .failed(SimulationFailure("\(simulation.name): \(error.reason)"))
            }
            return .wanted(.order(order, .none), token: 0)
        }
    }

    /// Resumes the run that `keeper` has. `simulation` and `tables` must be those of that run.
    public init(
        _ simulation: AnySimulation, goingOnWith keeper: RunKeeper, tables: [Table] = [], cores: Int,
        priority: Computing.Priority = .interactive
    ) throws(JobFailed) {
        var computing = Computing(Simulations([simulation]), cores: cores, priority: priority)
        computing.store = keeper.store
        // Only runs whose output nobody wants can be resumed.
        try self.init(computing, spool: "/var/tmp", keepsOutput: false, blockSize: nil) { shell throws(JobFailed) in
            do throws(SpoolFile.Trouble) {
                _ = try shell.put(tables, .none)
            } catch {
                throw JobFailed("\(simulation.name): \(error.reason)")
            }
            return .found(keeper.unfinishedJobs)
        }
    }

    private init<Trouble>(
        _ computing: Computing, spool: String, keepsOutput: Bool, blockSize: UInt64?,
        _ first: (JobShell) throws(Trouble) -> Event
    ) throws(Trouble) {
        var computing = computing
        computing.spool = spool
        let shelf = keepsOutput ? OutputStore(folder: spool) : nil
        self.shelf = shelf
        let (snapshots, pictures) = AsyncStream.makeStream(of: JobSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        // The queue needs no bound: the shell reports only what the engine asked for.
        let (inputs, queue) = AsyncStream.makeStream(of: Input.self)
        self.snapshots = snapshots
        self.queue = queue
        let shell = JobShell(computing, shelf: shelf) { queue.yield(.report($0)) }
        self.shell = shell
        let first = try first(shell)
        loop = Task {
            var loop = LocalLoop(shell, computing, blockSize: blockSize, queue: queue, pictures: pictures)
            return await loop.run(first, inputs)
        }
    }

    /// Ends the run at the next block.
    public func stop() { queue.yield(.command(.cancel)) }

    /// Pauses the run.
    public func pause() { queue.yield(.command(.pause)) }
    /// Resumes a paused run.
    public func resume() { queue.yield(.command(.resume)) }

    /// The job's result. Waits for the end of the job.
    public var result: JobResult { get async throws(JobFailed) { try await loop.value.end.get() } }

    /// The job's ID. Waits for the end of the job; nil if the job failed before it had an ID.
    public var job: JobID? { get async { await loop.value.job } }

    /// The tallies at the checkpoints before the end, in order. Waits for the end of the job.
    public var checkpoints: [SettledTally] { get async { await loop.value.checkpoints } }

    /// The search of the job; nil for other work, and before it is ready.
    public func search(of job: JobID) -> RunningSearch? { shell.search(of: job) }

    /// Passes the output that belongs to the result to `body`, in order and in pieces.
    public func output(of result: JobResult, _ body: ([UInt8]) throws -> Void) throws {
        guard let shelf else { throw JobFailed("the run did not keep what it wrote") }
        do {
            try shelf.read(result.spec.blocks(for: result.trials), body)
        } catch let trouble as SpoolFile.Trouble {
            throw JobFailed(trouble.reason)
        }
    }
}

/// The error of a job that failed.
public struct JobFailed: Error, Hashable, CustomStringConvertible {
    public let failure: JobFailure

    public init(_ failure: JobFailure) { self.failure = failure }

    public init(_ why: String) { failure = .other(why) }

    /// The reason, in one line.
    public var description: String { failure.description }
}

/// Runs the engine of a node without a session, and performs its effects.
private struct LocalLoop {
    /// How the job ended.
    struct Outcome: Sendable {
        let job: JobID?
        let checkpoints: [SettledTally]
        let end: Result<JobResult, JobFailed>
    }

    private var node: LocalNode
    /// The block size when the job was ordered; nil for a resumed run.
    private let blockSize: UInt64?
    private let queue: AsyncStream<LocalRun.Input>.Continuation
    private let pictures: AsyncStream<JobSnapshot>.Continuation
    private var job: JobID?
    private var checkpoints: [SettledTally] = []
    /// The last command that came before the job began.
    private var early: JobCommand?
    private var hasBegun = false
    private var end: Result<JobResult, JobFailed>?
    private let log = Log("run")

    init(
        _ shell: JobShell, _ computing: Computing, blockSize: UInt64?, queue: AsyncStream<LocalRun.Input>.Continuation,
        pictures: AsyncStream<JobSnapshot>.Continuation
    ) {
        node = LocalNode(shell, computing) { queue.yield(.report(.event(.woke))) }
        self.blockSize = blockSize
        self.queue = queue
        self.pictures = pictures
    }

    mutating func run(
        _ first: Event, _ inputs: AsyncStream<LocalRun.Input>
    ) async -> Outcome {
        defer {
            node.end()
            pictures.finish()
        }
        if case .found(let kept) = first { job = kept.first?.record.id }
        handle(first)
        for await input in inputs {
            switch input {
            case .report(.event(let event)):
                handle(event)
                if case .prepared(_, let preparation) = event, let why = preparation.obstacle(blockSize) {
                    // The simulation was ready when the job was ordered, and no other node can help.
                    end = end ?? .failure(JobFailed(why))
                }
            case .report(.outcomes):
                handle(.computed(node.shell.takeOutcomes()))
            case .command(let command):
                early = command
            }
            if hasBegun, let job, let command = early {
                early = nil
                handle(.wanted(.command(command, job, ticket: nil), token: 1))
            }
            if let end { return Outcome(job: job, checkpoints: checkpoints, end: end) }
        }
        preconditionFailure("the queue ended before the job")
    }

    private mutating func handle(_ event: Event) {
        for effect in node.handle(event) {
            switch effect {
            case .answer(.taken(let id), _): job = id
            case .answer(.refused(let why), token: 0), .tell(.news(.stranded(_, let why))):
                end = .failure(JobFailed(why))
            case .tell(.failed(_, let failure)): end = .failure(JobFailed(failure))
            case .job(.read(let request)):
                if case .checkpoint(let number) = request.purpose {
                    checkpoints.append(
                        SettledTally(blocks: Checkpoint.blocks(number), tally: request.tally))
                }
            case .tell(.snapshot(var snapshot)):
                hasBegun = true
                snapshot.nodes.merge()
                pictures.yield(snapshot)
            case .tell(.finished(_, var result, _)):
                result.nodes.merge()
                let what = result.spec.isSearch ? "points" : "trials"
                log.info("\(result.experiment.simulation.name): \(result.trials) \(what), \(result.completion)")
                end = .success(result)
            default: break
            }
        }
    }
}
