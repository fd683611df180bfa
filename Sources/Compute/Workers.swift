import Glibc
import PotluckKit
import PotluckModel
import PotluckSystem

/// The threads that compute, one a core, apart from the threads that talk and draw and from Swift's own. A chunk waits in
/// one line for the first thread that is free.
///
///     let workers = Workers(cores: 4) { wakeTheOneWhoTakes() }
///     workers.compute(Workers.Task(chunk, of: experiment, trials: trials, with: ChunkRunner(simulation)))
///     ...
///     for outcome in workers.takeOutcomes() { ... }
///
/// Every chunk has one outcome, unless it is dropped.
public final class Workers: Sendable {
    /// A chunk and how to run it.
    public struct Task: Sendable {
        let chunk: Chunk
        let request: ChunkRequest
        let isFresh: Bool
        let isReferee: Bool
        let runner: ChunkRunner

        /// `trials` are the whole job's, where it has an end. `isFresh` asks the runner for an instance that has computed
        /// nothing before. The referee's chunks go before all others, and are computed even where no cores are.
        public init(
            _ chunk: Chunk, of experiment: Experiment, trials: UInt64?, isFresh: Bool = false, isReferee: Bool = false,
            with runner: ChunkRunner
        ) {
            self.chunk = chunk
            request = ChunkRequest(seed: experiment.seed, blocks: chunk.blocks, trials: trials)
            self.isFresh = isFresh
            self.isReferee = isReferee
            self.runner = runner
        }
    }

    private let pool: WorkerPool

    /// Starts the threads.
    ///
    /// `onOutcomes` is called on one of them when there is something to take, and not again before it was taken: a million
    /// small chunks are not a million wake-ups. It comes at once, or where the threads have more to do and it came within
    /// the last millisecond, a block later at most.
    public init(cores: Int, priority: Priority = .background, onOutcomes: @escaping @Sendable () -> Void) {
        pool = WorkerPool(priority: priority, onOutcomes: onOutcomes)
        pool.change { $0.setCores(cores) }
    }

    /// Drops everything and lets the threads end.
    deinit { pool.change { $0.close() } }

    /// Has a chunk computed. Outcomes may come in any order.
    public func compute(_ task: Task) { compute([task]) }

    public func compute(_ tasks: [Task]) { pool.change(wakingOne: tasks.count == 1) { $0.add(tasks) } }

    /// What has come of chunks since this was last called.
    public func takeOutcomes() -> [ChunkOutcome] { pool.takeOutcomes() }

    /// So many threads from now on. More start at once; of too many each ends after the chunk that it computes. With none,
    /// what waits goes on waiting until there are some again, or it is dropped, or interrupted; only the referee's chunks
    /// and interrupted ones still have a thread, which ends after them.
    public func setCores(_ cores: Int) { pool.change { $0.setCores(cores) } }

    /// Ends the job's chunks at the next block, each with what it has, and at once those that wait, with nothing. What is
    /// added later is not concerned.
    public func interrupt(_ job: JobID) { pool.change { $0.interrupt(job) } }

    /// Nobody wants these any more: those that wait go at once, those under way at the next block. None of them has an
    /// outcome after this.
    public func drop(_ attempts: [AttemptID]) {
        let meant = Set(attempts)
        pool.change { $0.drop(where: meant.contains) }
    }

    /// The same with all of a job.
    public func drop(all job: JobID) { pool.change { state in state.drop { $0.job == job } } }
}

/// What the threads share. They hold this and not `Workers`, whose end ends them.
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
        // Whether there is an outcome that nobody was told of yet.
        var owes = false
        var step = state.with { $0.next(for: place) }
        while true {
            if step == nil {
                if owes { tell(&owes) }
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
        if owes { tell(&owes) }
    }

    private func tell(_ owes: inout Bool) {
        owes = false
        if state.with({ $0.tell(time: Self.time) }) { onOutcomes() }
    }

    /// By the clock on the wall: what a core gives to others is time that a chunk takes, too.
    private static var time: Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    private func run(_ assignment: Assignment, _ owes: inout Bool) -> ChunkOutcome {
        let task = assignment.task
        let begin = Self.time
        var isFirst = true
        let outcome = task.runner.run(task.request, task.isFresh) {
            // A chunk of several blocks may last; what came before it does not wait for its end.
            if owes && !isFirst { tell(&owes) }
            isFirst = false
            return assignment.shouldStop
        }
        switch outcome {
        case .done(let reply, let output):
            return .done(
                ChunkResult(
                    attempt: task.chunk.attempt, end: reply.end, tally: reply.slots,
                    busy: .nanoseconds(Self.time - begin), output: output))
        case .failed(let block, let text):
            return .failed(ChunkFailure(attempt: task.chunk.attempt, block: block, text: text))
        }
    }
}
