import Glibc
import PotluckCore
import PotluckKit
import PotluckSystem

/// The threads that compute, one for each core. They are separate from the threads for links and screens, and from
/// Swift's own. Chunks wait in one queue for the first free thread.
///
///     let workers = Workers(cores: 4) { signalOutcomes() }
///     workers.compute(Workers.ChunkTask(chunk, of: experiment, trials: trials, with: ChunkRunner(simulation)))
///     ...
///     for outcome in workers.takeOutcomes() { ... }
///
/// Every chunk has exactly one outcome, unless it is dropped.
public final class Workers: Sendable {
    /// A chunk and the runner for it.
    public struct ChunkTask: Sendable {
        let chunk: Chunk
        let request: ChunkRequest
        let isFresh: Bool
        let isReferee: Bool
        let runner: ChunkRunner

        /// `trials` is the number for the whole job; nil if the job has no end. `isFresh` asks the runner for an
        /// instance that has computed nothing before. A referee's chunks go before all others, and are computed even if
        /// there are no cores.
        public init(
            _ chunk: Chunk, of experiment: Experiment, trials: UInt64?, isFresh: Bool = false, isReferee: Bool = false,
            with runner: ChunkRunner
        ) {
            self.chunk = chunk
            request = ChunkRequest(
                seed: experiment.seed, blocks: chunk.blocks, trials: trials, bound: chunk.bound ?? SearchBound())
            self.isFresh = isFresh
            self.isReferee = isReferee
            self.runner = runner
        }
    }

    private let pool: WorkerPool

    /// Starts the threads.
    ///
    /// Calls `onOutcomes` on one of the threads when there are outcomes to take, and not again before they are taken,
    /// so that a million small chunks do not cause a million wake-ups. The call comes at once; if the last one was
    /// within a millisecond and there is more to compute, it may come up to a block later.
    public init(cores: Int, priority: Priority = .background, onOutcomes: @escaping @Sendable () -> Void) {
        pool = WorkerPool(priority: priority, onOutcomes: onOutcomes)
        pool.change { $0.setCores(cores) }
    }

    /// Drops all tasks and ends the threads.
    deinit { pool.change { $0.close() } }

    /// Queues a chunk. Outcomes may come in any order.
    func compute(_ task: ChunkTask) { compute([task]) }

    public func compute(_ tasks: [ChunkTask]) { pool.change(wakingOne: tasks.count == 1) { $0.add(tasks) } }

    /// Returns the outcomes since the last call.
    public func takeOutcomes() -> [ChunkOutcome] { pool.takeOutcomes() }

    /// Sets the number of threads. Additional threads start at once; a surplus thread ends after its current chunk.
    /// With 0, tasks wait until there are cores again, or until they are dropped or interrupted. Only a referee's tasks
    /// and interrupted ones still get a thread, which ends after them.
    public func setCores(_ cores: Int) { pool.change { $0.setCores(cores) } }

    /// Ends the job's chunks: those in flight at the next block, with the blocks so far, and those in the queue at
    /// once, with none. Chunks that are added later are not affected.
    public func interrupt(_ job: JobID) { pool.change { $0.interrupt(job) } }

    /// Drops chunks: those in the queue at once, those in flight at the next block. They have no outcome after this
    /// call, unless they fail: a simulation that hangs shows only at its time limit, and that may be long after its
    /// chunk was taken back.
    public func drop(_ attempts: [AttemptID]) {
        let meant = Set(attempts)
        pool.change { $0.drop(mayFail: true, where: meant.contains) }
    }

    /// Drops all chunks of a job. They have no outcome.
    public func drop(all job: JobID) { pool.change { $0.forget(job) } }
}

/// The state that the threads share. They hold this and not `Workers`, so that releasing `Workers` ends them.
private final class WorkerPool: Sendable {
    private let state = Monitor(WorkState())
    private let priority: Priority
    private let onOutcomes: @Sendable () -> Void

    init(priority: Priority, onOutcomes: @escaping @Sendable () -> Void) {
        self.priority = priority
        self.onOutcomes = onOutcomes
    }

    func change(wakingOne: Bool = false, _ body: (inout WorkState) -> Void) {
        let places = state.with { state in
            body(&state)
            return state.missingThreads()
        }
        for place in places { SystemThread(for: "computing") { [self] in work(at: place) }.detach() }
        if wakingOne { state.wakeOne() } else { state.wakeAll() }
    }

    func takeOutcomes() -> [ChunkOutcome] { state.with { $0.takeOutcomes() } }

    private func work(at place: WorkState.Place) {
        priority.apply()
        // Whether there are outcomes for which `onOutcomes` was postponed.
        var owes = false
        var step = state.with { $0.next(for: place) }
        while true {
            if step == nil {
                if owes { signal(&owes) }
                step = state.wait { $0.next(for: place) }
            }
            guard case .run(let assignment) = step else { break }
            let outcome = run(assignment, &owes)
            let time = Self.time
            let telling: WorkState.Telling
            (telling, step) = state.with {
                let telling = $0.finish(outcome, at: place, time: time)
                return (telling, $0.next(for: place))
            }
            switch telling {
            case .needless: break
            case .now:
                owes = false
                onOutcomes()
            case .later: owes = true
            }
        }
        if owes { signal(&owes) }
    }

    private func signal(_ owes: inout Bool) {
        owes = false
        if state.with({ $0.signal(time: Self.time) }) { onOutcomes() }
    }

    /// Wall-clock time, because time that a core spends on other programs also prolongs a chunk.
    private static var time: Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    private func run(_ assignment: Assignment, _ owes: inout Bool) -> ChunkOutcome {
        let task = assignment.task
        let begin = Self.time
        var isFirst = true
        let outcome = task.runner.run(task.request, task.isFresh) {
            // A chunk of several blocks may take long, and earlier outcomes should not wait for its end.
            if owes && !isFirst { signal(&owes) }
            isFirst = false
            return assignment.shouldStop
        }
        switch outcome {
        case .done(let reply, let output):
            return .done(
                ChunkResult(
                    attempt: task.chunk.attempt, end: reply.end, tally: reply.slots,
                    busy: .nanoseconds(Self.time - begin), output: output,
                    effort: SearchEffort(expanded: reply.expanded)))
        case .failed(let block, let text):
            return .failed(ChunkFailure(attempt: task.chunk.attempt, block: block, text: text))
        }
    }
}
