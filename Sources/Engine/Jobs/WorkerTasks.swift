import PotluckCore
import PotluckKit

/// The chunks that this node computes, for itself or for other coordinators.
struct WorkerTasks: Sendable {
    private struct JobTask: Sendable {
        enum Stage: Sendable {
            case preparing
            case ready
            case unable
            /// No core of this node computes now.
            case resting
        }

        let coordinator: NodeID
        let epoch: UInt64
        let spec: JobSpec
        var stage: Stage
        /// The attempts that the coordinator waits for, with their blocks.
        var inHand: [UInt64: Range<UInt64>] = [:]
        /// Attempts that were lent by an earlier coordinator or before the link was lost, with their blocks. Their
        /// results are offered.
        var strays: [UInt64: Range<UInt64>] = [:]
        /// The latest attempts that the coordinator took back. It is told if they fail.
        var withdrawn: [UInt64] = []
        /// The outputs that the coordinator has not fetched yet.
        var outputs: [UInt64: BlobReference] = [:]
        /// The latest results, for the next coordinator, which may not know them.
        var done: [OfferedWork] = []
        /// Whether the link to its coordinator is lost.
        var isOrphan = false
        /// Claims of other nodes to the job, which rank below the coordinator's.
        var rivals: [Claim] = []

        /// Turns the attempts in hand into strays, because no coordinator waits for them any more. Returns the older
        /// strays that are given up for lack of room: a coordinator may lose its link any number of times.
        mutating func stray() -> [UInt64] {
            let old = strays.keys.sorted().dropFirst(LentChunk.most - inHand.count)
            for attempt in old { strays[attempt] = nil }
            strays.merge(inHand) { $1 }
            inHand = [:]
            return Array(old)
        }

        mutating func withdraw(_ attempt: UInt64) {
            guard inHand.removeValue(forKey: attempt) != nil else { return }
            if withdrawn.count >= LentChunk.most { withdrawn.removeFirst() }
            withdrawn.append(attempt)
        }

        var highestRival: Claim? { rivals.max { ($0.epoch, $0.node) < ($1.epoch, $1.node) } }

        mutating func add(_ claim: Claim) {
            rivals.removeAll { $0.node == claim.node }
            if rivals.count >= JobLimits.rivals { rivals.removeFirst() }
            rivals.append(claim)
        }

        mutating func add(_ work: OfferedWork) {
            done.append(work)
            let most = min(JobLimits.offered, max(1, JobLimits.offeredSlots / max(1, work.tally.count)))
            if done.count > most { done.removeFirst(done.count - most) }
        }
    }

    /// An announcement of a node that it coordinates a job.
    struct Claim: Sendable {
        let node: NodeID
        let epoch: UInt64
        let spec: JobSpec
    }

    private var tasks = OrderedTable<JobID, JobTask>()
    private(set) var cores: Int

    init(cores: Int) { self.cores = cores }

    /// Returns the job if its simulation is being prepared for computing, and its coordinator; otherwise nil.
    func preparing(_ id: JobID) -> (spec: JobSpec, coordinator: NodeID)? {
        guard let task = tasks[id], task.stage == .preparing else { return nil }
        return (task.spec, task.coordinator)
    }

    /// Whether `node` may fetch a blob: because a job that is computed here needs it, or because it is an output for
    /// that coordinator.
    func names(_ blob: BlobHash, for node: NodeID) -> Bool {
        tasks.elements.contains { _, task in
            task.spec.recipe.names(blob)
                || task.coordinator == node && task.outputs.contains { $0.value.hash == blob }
        }
    }

    // MARK: Messages of coordinators

    /// Prepares a job and works for its coordinator, or remembers the claim. Called when a node announces that it
    /// coordinates the job.
    mutating func job(_ id: JobID, _ spec: JobSpec, epoch: UInt64, from coordinator: NodeID, _ turn: inout Turn) {
        // If two nodes coordinate the job, this node works for the one with the higher epoch, then node ID.
        let before = tasks[id]
        if let before, before.coordinator != coordinator, !before.isOrphan {
            guard (epoch, coordinator) > (before.epoch, before.coordinator) else {
                return tasks.change(id) { $0.add(Claim(node: coordinator, epoch: epoch, spec: spec)) }
            }
        }
        let theirs = tasks.keys.count { tasks[$0]?.coordinator == coordinator }
        guard before != nil || theirs < JobLimits.jobs else {
            // This node may have its module and tables from coordinating it.
            return turn.act(.forget(id))
        }
        var task = JobTask(coordinator: coordinator, epoch: epoch, spec: spec, stage: cores > 0 ? .preparing : .resting)
        if var before {
            task.rivals = before.rivals.filter { $0.node != coordinator }
            if before.coordinator != coordinator, !before.isOrphan {
                task.add(Claim(node: before.coordinator, epoch: before.epoch, spec: before.spec))
            }
            // A new coordinator has none of the outputs. And the parts of a search were searched with bounds that its
            // coordinator told; if that one lied, this node would be blamed. So everything is computed again.
            let isOthersSearch = spec.isSearch && before.coordinator != coordinator
            if before.spec.collects || isOthersSearch || before.spec.experiment != spec.experiment
                || before.spec.goal != spec.goal
            {
                release(id, before, &turn)
            } else {
                drop(before.stray(), of: id, &turn)
                (task.strays, task.done) = (before.strays, before.done)
            }
        }
        tasks[id] = task
        if cores > 0 { turn.act(.prepare(id, spec.recipe)) }
        if !task.done.isEmpty { turn.send(.offer(id, task.done), to: coordinator) }
    }

    /// Prepares a job of which this node holds a replica, even if no core computes here, as on battery. This node may
    /// have to continue the job when no other node has its module or tables.
    mutating func hold(_ id: JobID, from coordinator: NodeID, _ turn: inout Turn) {
        guard let task = tasks[id], task.coordinator == coordinator, task.stage == .resting,
            !task.spec.recipe.blobs.isEmpty
        else { return }
        tasks.change(id) { $0.stage = .preparing }
        turn.act(.prepare(id, task.spec.recipe))
    }

    /// The simulation of a job is ready, or cannot run here. The coordinator is told. One that this node had given up may
    /// be ready after all.
    mutating func prepared(_ id: JobID, _ preparation: Preparation, _ turn: inout Turn) {
        guard let task = tasks[id], !task.isOrphan else { return }
        // The memory of a browser may run out when it was ready. Its coordinator gives its chunks to others.
        let givesUp = if case .impossible = preparation { task.stage == .ready } else { false }
        let isLate = if case .ready = preparation { task.stage == .unable } else { false }
        guard task.stage == .preparing || givesUp || isLate else { return }
        switch preparation {
        case .ready(let facts) where facts.blockSize == task.spec.experiment.blockSize:
            tasks.change(id) { $0.stage = .ready }
            turn.send(.ready(id), to: task.coordinator)
        case .ready:
            tasks.change(id) { $0.stage = .unable }
            turn.send(
                .unable(id, "its block size differs on this node; update the older potluck"), to: task.coordinator)
        case .lacks(let blob):
            tasks.change(id) { $0.stage = .unable }
            let why = task.spec.recipe.words(blob, "is missing", "are missing")
            turn.send(.unable(id, why), to: task.coordinator)
        case .impossible(let why):
            tasks.change(id) { $0.stage = .unable }
            turn.send(.unable(id, why), to: task.coordinator)
        }
    }

    /// Takes chunks. If the node would have more than `LentChunk.most`, they are ignored, and so is one whose number is
    /// in hand. A correct coordinator lends neither.
    mutating func lend(_ id: JobID, _ chunks: [LentChunk], from coordinator: NodeID, _ turn: inout Turn) {
        tasks.change(id) { task in
            guard task.coordinator == coordinator, task.stage == .ready,
                task.inHand.count + chunks.count <= LentChunk.most
            else { return }
            for chunk in chunks where task.inHand[chunk.attempt] == nil {
                let attempt = AttemptID(job: id, number: chunk.attempt)
                // A stray of the same number must not be confused with this attempt.
                if task.strays.removeValue(forKey: chunk.attempt) != nil { turn.act(.drop([attempt])) }
                task.inHand[chunk.attempt] = chunk.blocks
                turn.act(
                    .compute(
                        Chunk(attempt: attempt, blocks: chunk.blocks, bound: chunk.bound), task.spec.experiment,
                        trials: task.spec.goal.trials, as: .worker))
            }
        }
        // The coordinator did not know yet that no core computes here.
        if cores == 0 { interrupt(id, from: coordinator, &turn) }
    }

    /// Drops attempts that the coordinator no longer needs. It still counts their failures, because it may have taken
    /// them back only for taking long.
    mutating func drop(_ id: JobID, _ attempts: [UInt64], from coordinator: NodeID, _ turn: inout Turn) {
        guard let task = tasks[id], task.coordinator == coordinator else { return }
        let dropped = attempts.filter { task.inHand[$0] != nil || task.outputs[$0] != nil }
        tasks.change(id) {
            for attempt in dropped {
                $0.withdraw(attempt)
                $0.outputs[attempt] = nil
            }
        }
        drop(dropped, of: id, &turn)
    }

    /// Passes on the best solution that the coordinator has checked.
    func bound(_ id: JobID, _ best: Best, from coordinator: NodeID, _ turn: inout Turn) {
        guard let task = tasks[id], task.coordinator == coordinator, !task.inHand.isEmpty else { return }
        turn.act(.bound(id, best))
    }

    /// Tells the coordinator of a better solution at once, because the other nodes can use it.
    func improved(_ id: JobID, _ best: Best, _ turn: inout Turn) {
        guard let task = tasks[id], !task.isOrphan else { return }
        turn.send(.improved(id, best), to: task.coordinator)
    }

    /// Ends the coordinator's chunks at the next block.
    func interrupt(_ id: JobID, from coordinator: NodeID, _ turn: inout Turn) {
        guard let task = tasks[id], task.coordinator == coordinator, !task.inHand.isEmpty else { return }
        turn.act(.interrupt(id))
    }

    /// Forgets a job that its coordinator reports as ended, or the claim of a rival that no longer coordinates it. If
    /// there is another claim, works for that one: its node may not know the result, and computes the job again.
    mutating func over(_ id: JobID, from coordinator: NodeID, _ turn: inout Turn) {
        guard let task = tasks[id], task.coordinator == coordinator else {
            return tasks.change(id) { $0.rivals.removeAll { $0.node == coordinator } }
        }
        forget(id, task, &turn)
        guard let next = task.highestRival else { return }
        job(id, next.spec, epoch: next.epoch, from: next.node, &turn)
        tasks.change(id) { $0.rivals = task.rivals.filter { $0.node != next.node } }
    }

    /// A coordinator's link is lost, and it lends this node's chunks to others. The coordinator announces its jobs
    /// again when it reconnects, or another node continues them. Either is offered the results of the time between.
    mutating func lost(_ coordinator: NodeID, _ turn: inout Turn) {
        for id in tasks.keys { tasks.change(id) { $0.rivals.removeAll { $0.node == coordinator } } }
        for id in tasks.keys where tasks[id]?.coordinator == coordinator {
            if let task = tasks[id], task.spec.collects {
                release(id, task, &turn)
                tasks.change(id) { ($0.inHand, $0.outputs) = ([:], [:]) }
            }
            var old: [UInt64] = []
            tasks.change(id) {
                $0.isOrphan = true
                old = $0.stray()
            }
            drop(old, of: id, &turn)
        }
        let orphans = tasks.elements.filter(\.value.isOrphan)
        for (id, task) in orphans.dropLast(JobLimits.orphans) { forget(id, task, &turn) }
    }

    /// The jobs whose coordinator is lost and that another node has claimed, each with the highest claim.
    var deserted: [(id: JobID, claim: Claim)] {
        tasks.elements.compactMap { id, task in
            guard task.isOrphan else { return nil }
            return task.highestRival.map { (id, $0) }
        }
    }

    /// A job has ended. If its coordinator is lost, its results are dropped.
    mutating func ended(_ id: JobID, _ turn: inout Turn) {
        if let task = tasks[id], task.isOrphan { forget(id, task, &turn) }
    }

    private mutating func forget(_ id: JobID, _ task: JobTask, _ turn: inout Turn) {
        tasks[id] = nil
        release(id, task, &turn)
        turn.act(.forget(id))
    }

    /// Drops all attempts of a job, and their outputs.
    private func release(_ id: JobID, _ task: JobTask, _ turn: inout Turn) {
        let attempts = Array(task.inHand.keys) + Array(task.strays.keys) + Array(task.outputs.keys)
        drop(attempts.sorted(), of: id, &turn)
    }

    private func drop(_ attempts: [UInt64], of id: JobID, _ turn: inout Turn) {
        if !attempts.isEmpty { turn.act(.drop(attempts.map { AttemptID(job: id, number: $0) })) }
    }

    // MARK: Events of this node

    /// Sends results to their coordinators. Returns the outcomes of chunks that no coordinator lent.
    mutating func computed(_ outcomes: [ChunkOutcome], _ turn: inout Turn) -> [ChunkOutcome] {
        var others: [ChunkOutcome] = []
        var bundle: [WorkResult] = []
        var bundled: (id: JobID, coordinator: NodeID)?
        func flush() {
            guard let to = bundled, !bundle.isEmpty else { return }
            turn.send(.results(to.id, bundle), to: to.coordinator)
            bundle = []
        }
        for outcome in outcomes {
            let id = outcome.attempt.job
            guard let (coordinator, collects, blocks) = take(outcome.attempt) else {
                if !takeStray(outcome, &turn), !takeWithdrawn(outcome, &turn) { others.append(outcome) }
                continue
            }
            if bundled?.id != id || bundle.count >= Self.mostResults {
                flush()
                bundled = (id, coordinator)
            }
            switch outcome {
            case .done(let result):
                if let output = result.output {
                    tasks.change(id) { $0.outputs[outcome.attempt.number] = output }
                } else if !collects, let work = OfferedWork(result, of: blocks) {
                    tasks.change(id) { $0.add(work) }
                }
                bundle.append(WorkResult(result))
            case .failed(let failure):
                turn.send(
                    .failure(id, attempt: failure.attempt.number, block: failure.block, text: failure.text),
                    to: coordinator)
            }
        }
        flush()
        return others
    }

    /// Removes an attempt that was in hand; nil if it was not. The task is changed in place, because a copy of it may
    /// have thousands of attempts.
    private mutating func take(
        _ attempt: AttemptID
    ) -> (coordinator: NodeID, collects: Bool, blocks: Range<UInt64>)? {
        var taken: (NodeID, Bool, Range<UInt64>)?
        tasks.change(attempt.job) { task in
            let blocks = task.inHand.removeValue(forKey: attempt.number)
            taken = blocks.map { (task.coordinator, task.spec.collects, $0) }
        }
        return taken
    }

    /// Offers the result of a stray. Returns false if the attempt is not a stray.
    private mutating func takeStray(_ outcome: ChunkOutcome, _ turn: inout Turn) -> Bool {
        let id = outcome.attempt.job
        var isStray = false
        tasks.change(id) { task in
            guard let blocks = task.strays.removeValue(forKey: outcome.attempt.number) else { return }
            isStray = true
            guard case .done(let result) = outcome, let work = OfferedWork(result, of: blocks) else { return }
            task.add(work)
            if !task.isOrphan { turn.send(.offer(id, [work]), to: task.coordinator) }
        }
        return isStray
    }

    /// Reports the failure of an attempt that the coordinator took back. Returns false if it is something else.
    private mutating func takeWithdrawn(_ outcome: ChunkOutcome, _ turn: inout Turn) -> Bool {
        guard case .failed(let failure) = outcome else { return false }
        let id = failure.attempt.job
        var coordinator: NodeID?
        tasks.change(id) { task in
            guard !task.isOrphan, let index = task.withdrawn.firstIndex(of: failure.attempt.number) else { return }
            task.withdrawn.remove(at: index)
            coordinator = task.coordinator
        }
        guard let coordinator else { return false }
        turn.send(
            .failure(id, attempt: failure.attempt.number, block: failure.block, text: failure.text), to: coordinator)
        return true
    }

    /// The most results in one message. With tallies of a hundred slots they have 50 KB.
    private static let mostResults = 64

    /// Sets the number of cores. Without cores, chunks are returned; with new ones, resting jobs are prepared.
    mutating func took(cores: Int, _ turn: inout Turn) {
        self.cores = cores
        guard cores > 0 else {
            // Chunks that wait for a core are returned, so that other nodes compute them.
            for (id, task) in tasks.elements where !task.inHand.isEmpty { turn.act(.interrupt(id)) }
            return
        }
        for (id, task) in tasks.elements where task.stage == .resting {
            tasks.change(id) { $0.stage = .preparing }
            turn.act(.prepare(id, task.spec.recipe))
        }
    }
}

extension OfferedWork {
    /// Nil if no block was done.
    fileprivate init?(_ result: ChunkResult, of blocks: Range<UInt64>) {
        guard blocks.lowerBound < result.end, result.end <= blocks.upperBound else { return nil }
        self.init(blocks: blocks.lowerBound..<result.end, tally: result.tally, busy: result.busy)
    }
}
