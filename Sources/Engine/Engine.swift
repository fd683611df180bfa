import PotluckKit
import PotluckModel

/// A worker within this process.
public struct LocalWorker: Sendable {
    public let id: NodeID
    public let name: String
    public let cores: Int

    public init(id: NodeID, name: String, cores: Int) {
        precondition(cores > 0, "a worker has a core")
        self.id = id
        self.name = name
        self.cores = cores
    }
}

/// All decisions of a node. It knows no socket, no clock and no chance: the same events at the same times have the same
/// effects, so a run can be replayed, and a test can be a thousand runs.
public struct Engine: Sendable {
    private let node: LocalWorker
    /// In order of submission; an array, since the order of a dictionary differs from launch to launch.
    private var jobs: [JobRun] = []
    /// The time last asked for.
    private var wakeTime: Instant?

    public init(node: LocalWorker) { self.node = node }

    /// Takes in what happened, at a time that never goes backwards, and tells what is to be done about it, in that order.
    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .submitted(let id, let spec):
            precondition(!jobs.contains { $0.id == id }, "a job is submitted once")
            jobs.append(JobRun(id: id, spec: spec, node: node, now: now))
            jobs[jobs.count - 1].start(&effects, now: now)
        case .computed(let result):
            change(result.attempt.job) { $0.computed(result, &effects, now: now) }
        case .read(let request, let readings):
            var result: JobResult?
            change(request.job) { result = $0.read(request, readings, &effects, now: now) }
            if let result {
                jobs.removeAll { $0.id == request.job }
                effects.append(.finished(request.job, result))
            }
        case .stopRequested(let id):
            change(id) { $0.stop(.stopped, &effects) }
        case .woke:
            wakeTime = nil
            for index in jobs.indices { jobs[index].woke(&effects, now: now) }
        }
        let wake = jobs.compactMap(\.wakeTime).min()
        if let wake, wake != wakeTime { effects.append(.wake(at: wake)) }
        wakeTime = wake
        return effects
    }

    /// An event about a job that has ended is nothing.
    private mutating func change(_ id: JobID, _ body: (inout JobRun) -> Void) {
        guard let index = jobs.firstIndex(where: { $0.id == id }) else { return }
        body(&jobs[index])
    }
}
