import Glibc
import PotluckKit
import PotluckModel
import PotluckSystem
import Synchronization

/// Tells chunks under way to end at the next block.
public final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    public init() {}
    public func set() { flag.store(true, ordering: .relaxed) }
    var isSet: Bool { flag.load(ordering: .relaxed) }
}

/// The threads that compute, one a core, apart from the threads that talk and draw. A chunk waits in one queue for the
/// first thread that is free.
public final class Workers: Sendable {
    /// A chunk and how to run it.
    public struct Task: Sendable {
        let chunk: Chunk
        let request: ChunkRequest
        let simulation: PreparedSimulation
        let stop: StopFlag

        public init(
            _ chunk: Chunk, of experiment: Experiment, trials: UInt64?, with simulation: PreparedSimulation,
            stop: StopFlag
        ) {
            self.chunk = chunk
            request = ChunkRequest(seed: experiment.seed, blocks: chunk.blocks, trials: trials)
            self.simulation = simulation
            self.stop = stop
        }
    }

    private let queue = WorkQueue<Task>()

    /// Starts the threads. `done` is called on them.
    public init(cores: Int, done: @escaping @Sendable (ChunkResult) -> Void) {
        for _ in 0..<cores {
            SystemThread(for: "computing") { [queue] in Self.work(queue, done) }.detach()
        }
    }

    /// Lets the threads end.
    deinit { queue.close() }

    /// Has a chunk computed. Results may come in any order.
    public func compute(_ task: Task) { queue.append(task) }

    private static func work(_ queue: WorkQueue<Task>, _ done: (ChunkResult) -> Void) {
        while let task = queue.next() {
            let begin = nanoseconds(of: CLOCK_MONOTONIC)
            let reply = task.simulation.run(task.request) { task.stop.isSet }
            done(
                ChunkResult(
                    attempt: task.chunk.attempt, end: reply.end, tally: reply.slots,
                    busy: .nanoseconds(nanoseconds(of: CLOCK_MONOTONIC) - begin)))
        }
    }
}
