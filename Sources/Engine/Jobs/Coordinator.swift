import PotluckKit
import PotluckModel
import PotluckWire

/// The jobs that this node took, in line and at work, and the nodes that compute them.
///
/// `+Orders` has what people want of jobs, `+Workers` who computes, `+Outputs` what is written, `+Kept` how jobs outlive their
/// coordinator.
struct Coordinator: Sendable {
    /// An order whose simulation is being made ready.
    struct Pending: Sendable {
        let id: JobID
        let taken: TakenJob
        var origin: Origin
        var search: Search?
    }

    /// How a job ended.
    struct Ending: Sendable {
        let job: JobID
        let spec: JobSpec
        let epoch: UInt64
        let message: JobMessage
        /// Who was there, and who ordered it.
        let nodes: [NodeID]
    }

    /// A job of which it was told then what it came to.
    struct Finished: Sendable {
        let id: JobID
        let at: Instant
        /// The journal knows that it was told here.
        var isMarked: Bool

        var due: Instant { at + (isMarked ? JobLimits.retelling : JobLimits.recording) }
    }

    enum Origin: Sendable {
        /// Just ordered; the token is for the answer.
        case order(token: UInt64)
        /// Left by a coordinator before, and gone on with in this epoch.
        case kept(KeptJob, epoch: UInt64)
    }

    let own: NodeID
    var workers = OrderedTable<NodeID, Worker>()
    var pending: [Pending] = []
    /// In the order in which they came.
    var runs: [JobRun] = []
    var random: SeededGenerator
    /// Others that could coordinate, the longest here first: found when somebody comes or goes, because every event asks.
    var able: [NodeID] = []
    /// Which job gets the next chunk where several compute.
    private var turn = 0
    /// How the last jobs ended, for those who were there and whose link is lost just then: what is sent may not arrive.
    var endings: [Ending] = []
    /// Jobs that are still in the journal, the oldest first.
    var finished: [Finished] = []
    /// Who brought something, and may get something new.
    var hungry: [NodeID] = []
    /// Why nothing can be written down just now; nothing is begun then.
    var journalTrouble: String?

    /// What jobs that have ended wrote, for those who ordered them.
    var written: [Written] = []

    private let mostBlocks: UInt64

    init(own: NodeID, seed: UInt64, mostBlocks: UInt64) {
        self.own = own
        self.mostBlocks = mostBlocks
        random = SeededGenerator(seed: seed)
    }

    // MARK: Events about one job

    /// An event about a job that has ended is nothing.
    mutating func change(_ id: JobID, _ body: (inout JobRun) -> Void) {
        guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
        body(&runs[index])
    }

    mutating func took(_ results: [WorkResult], of id: JobID, from node: NodeID, _ deeds: inout Deeds, now: Instant) {
        let name = workers[node]?.name ?? node.short
        change(id) { run in for result in results { run.took(result, from: node, name: name, &deeds, now: now) } }
        hungry.append(node)
    }

    mutating func failed(
        _ attempt: UInt64, block: UInt64, _ text: String, of id: JobID, at node: NodeID, _ deeds: inout Deeds,
        now: Instant
    ) {
        let name = workers[node]?.name ?? node.short
        change(id) { $0.failed(attempt, block: block, text, at: node, name: name, &deeds, now: now) }
        hungry.append(node)
    }

    /// What came of a chunk that this node computed as judge.
    mutating func judged(_ outcome: ChunkOutcome, _ deeds: inout Deeds, now: Instant) {
        var liars: [NodeID] = []
        change(outcome.attempt.job) { liars = $0.judged(outcome, &deeds, now: now) }
        // Nobody wants what a judge wrote.
        if case .done(let result) = outcome, result.output != nil { deeds.effects.append(.drop([outcome.attempt])) }
        shutOut(liars, outcome.attempt.job, &deeds, now: now)
    }

    /// Who brought something wrong for a job.
    mutating func shutOut(_ liars: [NodeID], _ job: JobID, _ deeds: inout Deeds, now: Instant) {
        // Two claims of a liar may be disputed at a time; it is shut out and named once.
        for liar in liars where !runs.contains(where: { $0.id == job && $0.workerProgress[liar]?.stage == .shutOut }) {
            let name = workers[liar]?.name ?? liar.short
            deeds.effects.append(.news(.liar(job, liar, name: name)))
            for index in runs.indices { runs[index].shutOut(liar, &deeds, now: now) }
            if liar != own { deeds.shutOut.append(liar) }
        }
    }

    mutating func read(_ request: ReadRequest, _ readings: [Reading], _ deeds: inout Deeds, now: Instant) {
        let workers = workers
        var result: JobResult?
        change(request.job) { result = $0.read(request, readings, workers, &deeds, now: now) }
        end(request.job, result, &deeds, now: now)
    }

    /// Tells what a job came to, where it has ended.
    mutating func end(_ id: JobID, _ result: JobResult?, _ deeds: inout Deeds, now: Instant) {
        guard let result, let run = runs.first(where: { $0.id == id }) else { return }
        deeds.end(run.id, .finished(run.id, result), isSafe: false)
        let picture = JobPicture(run.snapshot(.done(result.completion), workers, now: now))
        for node in workers.keys where node != own {
            deeds.send(.picture(picture), to: node)
            deeds.promises.append(.mail(.result(run.id, result), to: node))
        }
        remember(.result(run.id, result), of: run)
        if deeds.keepsJournal { deeds.promises.append(.told(run.id)) }
    }

    // MARK: What is due

    /// After every event: ends what is over, begins what can, hands out what there is.
    mutating func settle(_ deeds: inout Deeds, now: Instant) {
        for index in runs.indices { runs[index].believeWhatNobodyCanCheck(workers, &deeds, now: now) }
        if runs.contains(where: \.isOver) {
            for run in runs where run.isOver { bury(run, &deeds, now: now) }
            runs.removeAll(where: \.isOver)
            forgetAbsent()
        }
        // What comes in late may be all that was missing, and the job is looked at again: nobody is to think that it rests.
        for index in runs.indices where runs[index].isShownPaused && !runs[index].isPaused {
            runs[index].nextFarPicture = now
            runs[index].publish(workers, &deeds, now: now)
        }
        beginWhatCan(&deeds, now: now)
        handOut(&deeds, now: now)
        replicate(&deeds, now: now)
    }

    private mutating func bury(_ run: JobRun, _ deeds: inout Deeds, now: Instant) {
        // Why it failed is its last picture.
        if case .over(let why?) = run.phase {
            let snapshot = run.snapshot(.failed(why), workers, now: now)
            deeds.publish(snapshot)
            for node in workers.keys where node != own { deeds.send(.picture(JobPicture(snapshot)), to: node) }
            remember(.picture(JobPicture(snapshot)), of: run)
            deeds.keep(.forgotten(run.id))
        }
        for node in workers.keys { deeds.send(.over(run.id), to: node) }
    }

    private mutating func handOut(_ deeds: inout Deeds, now: Instant) {
        guard runs.contains(where: \.hasNews) else {
            for node in hungry { handOut(to: node, &deeds, now: now) }
            return hungry.removeAll(keepingCapacity: true)
        }
        hungry.removeAll(keepingCapacity: true)
        for index in runs.indices {
            if runs[index].hasNews { runs[index].count(workers, now) }
            runs[index].hasIdle = false
        }
        for node in workers.keys { handOut(to: node, &deeds, now: now) }
        for index in runs.indices { runs[index].hasNews = false }
    }

    /// Each job that computes has its turn, chunk by chunk.
    private mutating func handOut(to node: NodeID, _ deeds: inout Deeds, now: Instant) {
        guard let worker = workers[node], worker.isConnected, worker.cores > 0 else { return }
        var lent: [[LentChunk]] = Array(repeating: [], count: runs.count)
        // All jobs together: a node takes no more, and what it did not take nobody would compute.
        var room = LentChunk.most - runs.reduce(0) { $0 + $1.inHand(of: node) }
        var misses = 0
        while misses < runs.count, room > 0 {
            turn = (turn + 1) % runs.count
            guard let chunk = runs[turn].next(for: worker, workers, mostBlocks: mostBlocks, now: now) else {
                misses += 1
                continue
            }
            misses = 0
            room -= 1
            lent[turn].append(chunk)
        }
        for (run, chunks) in zip(runs, lent) where !chunks.isEmpty { deeds.send(.lend(run.id, chunks), to: node) }
    }

    func wakeTime(_ now: Instant) -> Instant? {
        let times =
            runs.compactMap { $0.wakeTime(now) } + finished.map(\.due)
            + written.map(\.until) + searches.map(\.until)
        return times.min()
    }

    mutating func woke(_ deeds: inout Deeds, now: Instant) {
        for index in runs.indices { runs[index].woke(workers, &deeds, now: now) }
        hungry = workers.keys
        markTold(&deeds, now: now)
        forgetFinished(until: now + (.zero - JobLimits.retelling), &deeds)
        forgetWritten(&deeds, now: now)
    }

    mutating func slept(_ now: Instant) { for index in runs.indices { runs[index].slept(now) } }
}
