import PotluckKit
import PotluckModel
import PotluckWire

/// What this node computes, for itself or for others.
struct Workbench: Sendable {
    private struct Task: Sendable {
        enum Stage: Sendable {
            case preparing
            case ready
            case unable
            /// Nothing computes here now.
            case resting
        }

        let coordinator: NodeID
        let spec: JobSpec
        var stage: Stage
        /// Attempts in hand.
        var inHand: Set<UInt64> = []
    }

    private var tasks = OrderedTable<JobID, Task>()
    private(set) var cores: Int

    init(cores: Int) { self.cores = cores }

    // MARK: What coordinators say

    mutating func job(_ id: JobID, _ spec: JobSpec, from coordinator: NodeID, _ deeds: inout Deeds) {
        // A name is a job's alone: a second coordinator of one job is not worked for.
        if let task = tasks[id], task.coordinator != coordinator { return }
        let theirs = tasks.keys.count { tasks[$0]?.coordinator == coordinator }
        guard theirs < JobLimits.jobs else { return }
        tasks[id] = Task(coordinator: coordinator, spec: spec, stage: cores > 0 ? .preparing : .resting)
        if cores > 0 { deeds.effects.append(.prepare(id, spec.experiment)) }
    }

    mutating func prepared(_ id: JobID, _ preparation: Preparation, _ deeds: inout Deeds) {
        guard let task = tasks[id], task.stage == .preparing else { return }
        switch preparation {
        case .ready(let facts) where facts.blockSize == task.spec.experiment.blockSize:
            tasks.change(id) { $0.stage = .ready }
            deeds.send(.ready(id), to: task.coordinator)
        case .ready:
            tasks.change(id) { $0.stage = .unable }
            deeds.send(
                .unable(id, "its blocks are of another size here: update the older potluck"), to: task.coordinator)
        case .impossible(let why):
            tasks.change(id) { $0.stage = .unable }
            deeds.send(.unable(id, why), to: task.coordinator)
        }
    }

    mutating func lend(_ id: JobID, _ chunks: [LentChunk], from coordinator: NodeID, _ deeds: inout Deeds) {
        guard let task = tasks[id], task.coordinator == coordinator, task.stage == .ready,
            task.inHand.count + chunks.count <= LentChunk.most
        else { return }
        for chunk in chunks {
            tasks.change(id) { _ = $0.inHand.insert(chunk.attempt) }
            deeds.effects.append(
                .compute(
                    Chunk(attempt: AttemptID(job: id, number: chunk.attempt), blocks: chunk.blocks),
                    task.spec.experiment, trials: task.spec.goal.trials, isFresh: false))
        }
    }

    mutating func drop(_ id: JobID, _ attempts: [UInt64], from coordinator: NodeID, _ deeds: inout Deeds) {
        guard let task = tasks[id], task.coordinator == coordinator else { return }
        let dropped = attempts.filter { task.inHand.contains($0) }
        tasks.change(id) { $0.inHand.subtract(dropped) }
        if !dropped.isEmpty { deeds.effects.append(.drop(dropped.map { AttemptID(job: id, number: $0) })) }
    }

    func interrupt(_ id: JobID, from coordinator: NodeID, _ deeds: inout Deeds) {
        guard let task = tasks[id], task.coordinator == coordinator, !task.inHand.isEmpty else { return }
        deeds.effects.append(.interrupt(id))
    }

    mutating func over(_ id: JobID, from coordinator: NodeID, _ deeds: inout Deeds) {
        guard let task = tasks[id], task.coordinator == coordinator else { return }
        forget(id, task, &deeds)
    }

    /// A coordinator's link is lost: it lends what is in hand here to others, and tells of its jobs anew when it is back.
    mutating func lost(_ coordinator: NodeID, _ deeds: inout Deeds) {
        for (id, task) in tasks.elements where task.coordinator == coordinator { forget(id, task, &deeds) }
    }

    private mutating func forget(_ id: JobID, _ task: Task, _ deeds: inout Deeds) {
        tasks[id] = nil
        if !task.inHand.isEmpty {
            deeds.effects.append(.drop(task.inHand.sorted().map { AttemptID(job: id, number: $0) }))
        }
        deeds.effects.append(.forget(id))
    }

    // MARK: What happens here

    /// Takes in what was computed for a coordinator, and gives back what was not.
    mutating func computed(_ outcomes: [ChunkOutcome], _ deeds: inout Deeds) -> [ChunkOutcome] {
        var others: [ChunkOutcome] = []
        var bundle: [WorkResult] = []
        var bundled: (id: JobID, coordinator: NodeID)?
        func flush() {
            guard let to = bundled, !bundle.isEmpty else { return }
            deeds.send(.results(to.id, bundle), to: to.coordinator)
            bundle = []
        }
        for outcome in outcomes {
            let id = outcome.attempt.job
            var isOurs = false
            tasks.change(id) { isOurs = $0.inHand.remove(outcome.attempt.number) != nil }
            guard isOurs, let coordinator = tasks[id]?.coordinator else {
                others.append(outcome)
                continue
            }
            if bundled?.id != id || bundle.count >= Self.mostResults {
                flush()
                bundled = (id, coordinator)
            }
            switch outcome {
            case .done(let result):
                bundle.append(
                    WorkResult(
                        attempt: result.attempt.number, end: result.end, tally: result.tally, busy: result.busy))
            case .failed(let failure):
                deeds.send(
                    .failure(id, attempt: failure.attempt.number, block: failure.block, text: failure.text),
                    to: coordinator)
            }
        }
        flush()
        return others
    }

    /// In one message; with tallies of a hundred slots that is 50 KB.
    private static let mostResults = 64

    mutating func took(cores: Int, _ deeds: inout Deeds) {
        self.cores = cores
        guard cores > 0 else { return }
        for (id, task) in tasks.elements where task.stage == .resting {
            tasks.change(id) { $0.stage = .preparing }
            deeds.effects.append(.prepare(id, task.spec.experiment))
        }
    }
}
