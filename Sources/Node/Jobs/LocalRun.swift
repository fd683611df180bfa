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
    private let loop: LocalLoop
    private let outcome: Task<Outcome, Never>
    /// The output of the blocks; nil if nobody wants it.
    private let shelf: OutputStore?

    /// How the job ended.
    private struct Outcome: Sendable {
        var job: JobID?
        var checkpoints: [SettledTally] = []
        var end: Result<JobResult, JobError>
    }

    /// Starts computing after `delay`. If the parameters determine the number of trials, the goal may omit it. `tables` are
    /// the simulation's input files. Output that does not fit into memory goes to a file in the folder `spool`; without
    /// `keepsOutput` it is dropped. With a `keeper` the run can be resumed later; `module` then computes it if the
    /// simulation is not built in. A run that `startsSlowly` shows 1 trial, 2, 5, 10 and so on before it computes.
    public init(
        _ simulation: AnySimulation, parameters: [UInt64], tables: [Table] = [], seed: UInt64, goal: Goal,
        delay: Duration = .zero, cores: Int, priority: Priority = .interactive, spool: String = "/var/tmp",
        keepsOutput: Bool = true, module: BlobReference? = nil, keeper: RunKeeper? = nil,
        startsSlowly: Bool = false
    ) throws(ParameterError) {
        var order = try simulation.order(
            parameters: parameters, tables: tables, seed: seed, goal: goal, module: module)
        (order.delay, order.startsSlowly) = (delay, startsSlowly)
        var computing = Computing(Self.simulations(simulation, goal), cores: cores, priority: priority)
        computing.store = keeper?.store
        computing.spool = spool
        let shelf = keepsOutput ? OutputStore(folder: spool) : nil
        let loop = LocalLoop(computing, shelf: shelf)
        do throws(SpoolFile.SpoolError) {
            order.payload = try loop.shell.put(tables, .none)
        } catch {
            throw .failed(SimulationFailure("\(simulation.name): \(error.reason)"))
        }
        self.init(loop, shelf, [order])
    }

    /// Resumes the run that `keeper` has. `simulation` and `tables` must be those of that run.
    public init(
        _ simulation: AnySimulation, resuming keeper: RunKeeper, tables: [Table] = [], cores: Int,
        priority: Priority = .interactive
    ) throws(JobError) {
        let kept = keeper.unfinishedJobs.first
        let goal = kept.flatMap { try? TakenJob($0.record.spec).order.goal } ?? Goal()
        var computing = Computing(Self.simulations(simulation, goal), cores: cores, priority: priority)
        computing.store = keeper.store
        // Only runs whose output nobody wants can be resumed.
        let loop = LocalLoop(computing)
        do throws(SpoolFile.SpoolError) {
            _ = try loop.shell.put(tables, .none)
        } catch {
            throw JobError("\(simulation.name): \(error.reason)")
        }
        self.init(loop, nil, [], resuming: kept)
    }

    /// The author's solution may be in another slice than the one that is computed, and the result of a slice has only its own.
    private static func simulations(_ simulation: AnySimulation, _ goal: Goal) -> Simulations {
        Simulations([goal.slice == nil ? simulation : simulation.changed { prepared, _ in prepared.withoutStart() }])
    }

    private init(
        _ loop: LocalLoop, _ shelf: OutputStore?, _ orders: [JobOrder], resuming kept: KeptJob? = nil
    ) {
        let (snapshots, pictures) = AsyncStream.makeStream(of: JobSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        (self.loop, self.shelf, self.snapshots) = (loop, shelf, snapshots)
        outcome = Task {
            var outcome = Outcome(end: .failure(JobError("there is no job")))
            defer { pictures.finish() }
            let resumed = kept.map { [0: $0] } ?? [:]
            await loop.run(Array(orders.indices), resuming: resumed, order: { orders[$0] }) { news in
                switch news {
                case .progress(_, let snapshot): pictures.yield(snapshot)
                case .checkpoint(_, let tally): outcome.checkpoints.append(tally)
                case .ended(_, let job, let result):
                    (outcome.job, outcome.end) = (job, .success(result))
                    let what = result.spec.unit.plural
                    Log("run").info(
                        "\(result.experiment.simulation.name): \(result.trials) \(what), \(result.completion)")
                case .failed(_, let why): outcome.end = .failure(why)
                }
            }
            return outcome
        }
    }

    /// Ends the run at the next block.
    public func stop() { loop.queue.yield(.command(.cancel)) }

    /// Pauses the run.
    public func pause() { loop.queue.yield(.command(.pause)) }
    /// Resumes a paused run.
    public func resume() { loop.queue.yield(.command(.resume)) }

    /// The job's result. Waits for the end of the job.
    public var result: JobResult { get async throws(JobError) { try await outcome.value.end.get() } }

    /// The job's ID. Waits for the end of the job; nil if the job failed.
    public var job: JobID? { get async { await outcome.value.job } }

    /// The tallies at the checkpoints before the end, in order. Waits for the end of the job.
    public var checkpoints: [SettledTally] { get async { await outcome.value.checkpoints } }

    /// The search of the job; nil for other work, and before it is ready.
    public func search(of job: JobID) -> RunningSearch? { loop.shell.search(of: job) }

    /// Passes the output that belongs to the result to `body`, in order and in pieces.
    public func output(of result: JobResult, _ body: ([UInt8]) throws -> Void) throws {
        guard let shelf else { throw JobError("the run did not keep what it wrote") }
        do {
            try shelf.read(result.spec.blocks(for: result.trials), body)
        } catch let trouble as SpoolFile.SpoolError {
            throw JobError(trouble.reason)
        }
    }
}

/// The error of a job that failed.
public struct JobError: Error, Hashable, CustomStringConvertible {
    public let failure: JobFailure

    public init(_ failure: JobFailure) { self.failure = failure }

    public init(_ why: String) { failure = .other(why) }

    /// The reason, in one line.
    public var description: String { failure.description }
}
