import PotluckCore
import PotluckKit

/// The jobs that this node coordinates, queued and running, and the nodes that compute them.
///
/// `+Orders` handles orders and commands, `+Queue` decides when jobs begin, `+Workers` knows the nodes, `+Outputs`
/// collects outputs, `+Kept` lets jobs outlive their coordinator.
struct Coordinator: Sendable {
    /// An order whose simulation is being prepared.
    struct Pending: Sendable {
        let id: JobID
        let taken: TakenJob
        var origin: Origin
        let since: Instant
        /// What the host said about its exact answers meanwhile; nil if nothing.
        var hidesExact: Bool?
        var search: Search?
        /// Whether the user of this node was shown that it is being prepared.
        var isShown = false
    }

    /// How a job ended.
    struct Ending: Sendable {
        let job: JobID
        let spec: JobSpec
        /// The order and its submitter.
        let taken: TakenJob
        let epoch: UInt64
        var message: JobMessage
        /// The nodes that were connected, and the one that ordered the job.
        let nodes: [NodeID]
        /// The most octets of the message.
        let octets: Int
    }

    /// A job that this node coordinated until another node did. Nodes may still follow this one.
    struct HandedOver: Sendable {
        let id: JobID
        let taken: TakenJob
        /// The specification that other nodes were told; nil if they were told nothing.
        let spec: JobSpec?
        let epoch: UInt64
        /// Whether the journal keeps it, because it was started here: the command that started it then starts no second
        /// one after a restart.
        let isKept: Bool
    }

    /// A job whose result was told, and when.
    struct Finished: Sendable {
        let id: JobID
        let at: Instant
        /// Whether the journal knows that the result was told here.
        var isMarked: Bool

        var due: Instant { at + (isMarked ? JobLimits.retelling : JobLimits.recording) }
    }

    enum Origin: Sendable {
        /// Just ordered; the token is for the answer.
        case order(token: UInt64)
        /// Left by an earlier coordinator, and continued in this epoch.
        case kept(KeptJob, epoch: UInt64)
    }

    let own: NodeID
    var workers = OrderedTable<NodeID, Worker>()
    var pending: [Pending] = []
    /// The jobs whose simulation is ready, in the order in which they came.
    var runs: [JobRun] = []
    var random: SeededGenerator
    /// Other nodes that could coordinate, the longest connected first. Kept up to date, because every event needs them.
    var capable: [NodeID] = []
    /// The index of the run that was offered a worker last; the next one of the same priority gets the next chunk.
    private var lastServed = 0
    private var turns = PriorityTurns()
    /// The number of connected nodes that compute. Kept up to date, too.
    var lenders = 0
    /// When each node was last looked at for jobs that wait behind others; nil if that was never done.
    var lastLook: Instant?
    /// The ends of the latest jobs, for nodes that missed them because their link was lost. The oldest first.
    var endings: [Ending] = []
    /// Jobs that have ended and are still in the journal, the oldest first.
    var finished: [Finished] = []
    /// The jobs that another node coordinates now and whose end this node has not heard, the oldest first.
    var handedOver: [HandedOver] = []
    /// The paces of the nodes for the last job that ended, which the next one of this simulation begins with.
    private(set) var lastPaces: (simulation: SimulationIdentity, paces: OrderedTable<NodeID, Pace>)?
    /// Nodes that returned something and may get new chunks.
    var nodesToServe: [NodeID] = []
    /// Why the journal cannot be written; no job begins then. Nil if it can.
    var journalTrouble: String?

    /// The outputs of jobs that have ended, for the nodes that ordered them.
    var written: [Written] = []

    private let mostBlocks: UInt64

    init(own: NodeID, seed: UInt64, mostBlocks: UInt64) {
        self.own = own
        self.mostBlocks = mostBlocks
        random = SeededGenerator(seed: seed)
    }

    // MARK: Events about one job

    /// Changes a job. Does nothing if the job has ended.
    mutating func change(_ id: JobID, _ body: (inout JobRun) -> Void) {
        guard let index = runs.firstIndex(where: { $0.id == id }) else { return }
        body(&runs[index])
    }

    /// Takes results from a worker.
    mutating func took(_ results: [WorkResult], of id: JobID, from node: NodeID, _ turn: inout Turn) {
        let name = workers[node]?.name ?? node.short
        change(id) { run in for result in results { run.took(result, from: node, name: name, &turn) } }
        nodesToServe.append(node)
    }

    /// Takes the report that a chunk failed at a worker.
    mutating func failed(
        _ attempt: UInt64, block: UInt64, _ text: String, of id: JobID, at node: NodeID, _ turn: inout Turn
    ) {
        let name = workers[node]?.name ?? node.short
        change(id) { $0.failed(attempt, block: block, text, at: node, name: name, &turn) }
        nodesToServe.append(node)
    }

    /// Takes the result of a chunk of a dispute, which this node computed.
    mutating func judged(_ outcome: ChunkOutcome, _ turn: inout Turn) {
        var liars: [NodeID] = []
        change(outcome.attempt.job) { liars = $0.judged(outcome, &turn) }
        // The output of such a chunk is not needed.
        if case .done(let result) = outcome, result.output != nil { turn.act(.drop([outcome.attempt])) }
        shutOut(liars, outcome.attempt.job, &turn)
    }

    /// Shuts out nodes that brought wrong results for a job.
    mutating func shutOut(_ liars: [NodeID], _ job: JobID, _ turn: inout Turn) {
        // Two results of a node may be disputed at a time. It is shut out and named once.
        for liar in liars where !runs.contains(where: { $0.id == job && $0.workerProgress[liar]?.stage == .shutOut }) {
            let name = workers[liar]?.name ?? liar.short
            turn.tell(.news(.liar(job, liar, name: name)))
            for index in runs.indices { runs[index].shutOut(liar, &turn) }
            if liar != own { turn.shutOut.append(liar) }
        }
    }

    /// Takes readings, and ends the job if they are its result.
    mutating func read(_ request: ReadRequest, _ readings: [Reading], _ turn: inout Turn) {
        let workers = workers
        var result: JobResult?
        change(request.job) { result = $0.read(request, readings, workers, &turn) }
        end(request.job, result, &turn)
    }

    /// Tells the result of a job, if it has ended.
    mutating func end(_ id: JobID, _ result: JobResult?, _ turn: inout Turn) {
        guard let result, let run = runs.first(where: { $0.id == id }) else { return }
        turn.end(run.id, .finished(run.id, result, isOurs: true), isSafe: false)
        let picture = run.snapshot(.done(result.completion), workers, now: turn.now).picture
        for node in workers.keys where node != own {
            turn.send(.picture(picture), to: node)
            turn.promises.append(.mail(.result(run.id, result), to: node))
        }
        remember(.result(run.id, result), of: run.id, run.taken, run.spec, epoch: run.epoch)
        if turn.keepsJournal { turn.promises.append(.told(run.id)) }
    }

    // MARK: Timers

    /// Called after every event: removes jobs that are over, begins jobs that can begin, hands out chunks.
    mutating func finishTurn(_ turn: inout Turn) {
        for index in runs.indices { runs[index].dropUncheckableAudits(workers, &turn) }
        if runs.contains(where: \.isOver) {
            for run in runs where run.isOver {
                bury(run, &turn)
                lastPaces = (run.spec.experiment.simulation, run.paces)
            }
            runs.removeAll(where: \.isOver)
            forgetAbsent()
        }
        // A late result may complete a paused job. It must not be shown as paused then.
        for index in runs.indices where runs[index].display.isShownPaused && !runs[index].isPaused {
            runs[index].display.showOthersSoon(turn.now)
            runs[index].publish(workers, &turn)
        }
        _ = beginWhatCan(&turn)
        handOut(&turn)
        // When all of a short job is handed out, the next one begins at once.
        while beginWhatCan(&turn) { handOut(&turn) }
        tellWaits(&turn)
        tellPreparing(&turn)
        replicate(&turn)
        assert(runs.allSatisfy(\.isSound))
        assert(
            workers.elements.allSatisfy { node, worker in
                worker.cores > 0 || runs.allSatisfy { $0.audits.count(heldBy: node) == 0 }
            }, "a job waits for an audit of a node without cores")
    }

    /// Tells all nodes that a job is over and, if it failed, why. They forget its tables then, so its end must be durable:
    /// if this node crashed before, nobody could continue the job.
    private mutating func bury(_ run: JobRun, _ turn: inout Turn) {
        // The last picture of a failed job says why it failed.
        if case .over(let why?) = run.phase {
            let snapshot = run.snapshot(.failed(why), workers, now: turn.now)
            turn.publish(snapshot)
            for node in workers.keys where node != own { turn.send(.picture(snapshot.picture), to: node) }
            remember(.picture(snapshot.picture), of: run.id, run.taken, run.spec, epoch: run.epoch)
            turn.keep(.forgotten(run.id))
        }
        var run = run
        run.takeBackAll(workers, &turn)
        for node in workers.keys { turn.promises.append(.mail(.over(run.id), to: node)) }
    }

    private mutating func handOut(_ turn: inout Turn) {
        guard runs.contains(where: \.hasNews) else {
            for node in nodesToServe { handOut(to: node, &turn) }
            return nodesToServe.removeAll(keepingCapacity: true)
        }
        nodesToServe.removeAll(keepingCapacity: true)
        for index in runs.indices {
            if runs[index].hasNews { runs[index].count(workers, turn.now) }
            runs[index].hasIdle = false
        }
        for node in workers.keys { handOut(to: node, &turn) }
        for index in runs.indices { runs[index].hasNews = false }
    }

    /// Hands out chunks to a node. The jobs that compute take turns, one chunk at a time; more urgent ones have more turns.
    private mutating func handOut(to node: NodeID, _ turn: inout Turn) {
        guard let worker = workers[node], worker.isConnected, worker.cores > 0 else { return }
        var lent: [[LentChunk]] = Array(repeating: [], count: runs.count)
        // The limit is for all jobs together, because a node refuses more chunks and no node would compute those.
        var room = LentChunk.most - runs.reduce(0) { $0 + $1.inHand(of: node) }
        let present = Priority.allCases.filter { level in runs.contains { $0.taken.order.priority == level } }
        var misses = 0
        while misses < present.count, room > 0 {
            let priority = turns.holder(among: present)
            let (offer, run) = offer(of: priority, for: worker, &turn)
            switch offer {
            case .chunk(let chunk):
                misses = 0
                room -= 1
                lent[run].append(chunk)
                turns.use()
            // The node has enough to do for the more urgent jobs. Others have their turn when it has done some of that.
            case .full where priority != present.last: misses = present.count
            case .full, .nothing:
                misses += 1
                turns.pass()
            }
        }
        for (run, chunks) in zip(runs, lent) where !chunks.isEmpty { turn.send(.lend(run.id, chunks), to: node) }
    }

    /// What the jobs of a priority have for a node, and the index of the one that has it.
    private mutating func offer(
        of priority: Priority, for worker: Worker, _ turn: inout Turn
    ) -> (JobRun.Offer, run: Int) {
        var isFull = false
        for _ in runs.indices {
            lastServed = (lastServed + 1) % runs.count
            guard runs[lastServed].taken.order.priority == priority else { continue }
            let round = round(of: lastServed)
            // Together they have as much in hand as one job.
            let inHand = round.reduce(0) { $0 + runs[$1].inHand(of: worker.node) }
            search: for index in round {
                let besides = inHand - runs[index].inHand(of: worker.node)
                switch runs[index].next(for: worker, workers, besides: besides, mostBlocks: mostBlocks, &turn) {
                case .chunk(let chunk): return (.chunk(chunk), index)
                case .full:
                    isFull = true
                    break search
                case .nothing: break
                }
            }
        }
        return (isFull ? .full : .nothing, lastServed)
    }

    func wakeTime(_ now: Instant) -> Instant? {
        let times =
            runs.compactMap { $0.wakeTime(now) } + finished.map(\.due)
            + written.map(\.until) + searches.map(\.until) + pending.compactMap(\.shownAt)
        return times.min()
    }

    mutating func woke(_ turn: inout Turn) {
        for index in runs.indices { runs[index].woke(workers, &turn) }
        nodesToServe = workers.keys
        markTold(&turn)
        forgetFinished(until: turn.now + (.zero - JobLimits.retelling), &turn)
        forgetWritten(&turn)
    }

    mutating func slept(since last: Instant, until now: Instant) {
        for index in runs.indices { runs[index].slept(since: last, until: now) }
    }
}
