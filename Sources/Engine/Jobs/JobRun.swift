import PotluckKit
import PotluckModel
import PotluckWire

/// One job from when its simulation is ready to its end: its ledger, what each node does in it, and what is shown of it.
///
/// `+Work` has how chunks go out and come back, `+Outputs` how what they wrote does, `+Audits` how they are looked at again, `+Ends`
/// how a job ends, `+Views` what is shown, `+Kept` what its journal and its replicas are told.
struct JobRun: Sendable {
    enum Phase: Sendable {
        case waiting(JobWait)
        case running
        case paused
        /// Chunks under way are being finished.
        case stopping(Completion, since: Instant, patience: Duration)
        /// The gaps below the end that was chosen are being filled.
        case filling(Completion)
        /// All is computed; audits may be under way, and then the result is read.
        case concluding(Completion)
        /// Why nothing came of it, where that is so.
        case over(failure: String?)
    }

    let id: JobID
    /// What was ordered, and by whom.
    let taken: TakenJob
    let takenAt: Instant
    let spec: JobSpec
    let layout: TallyLayout
    /// This node.
    let own: NodeID
    /// Which of its coordinators this is, and what the ones before left.
    private(set) var epoch: UInt64
    /// How often it went on in a higher epoch than somebody's who knew less of it.
    private(set) var claims = 0
    let earlier: [SettledTally]
    /// It computed under a coordinator before: who was to be there then, and when, is over.
    let hasBegun: Bool
    /// So many trials of what they left count.
    var earlierTrials: UInt64 = 0

    var phase = Phase.waiting(.simulation)
    var ledger: Ledger
    /// Why it ends where it was cut, once it was.
    var ending: Completion?
    var audits = Audits()
    var pendingOutputs = PendingOutputs()
    /// What it came to, while what it wrote is joined.
    var unsealed: (request: ReadRequest, readings: [Reading], completion: Completion)?
    var workerProgress = OrderedTable<NodeID, WorkerProgress>()
    var random: SeededGenerator
    /// Where a block failed, and on whom.
    var failures: [(block: UInt64, nodes: [NodeID])] = []
    /// Whether idle nodes should be asked again: something came back, or is to be looked at.
    var hasNews = false
    /// Whether somebody could do more, and there was nothing for it: only then is a single new audit worth asking everybody.
    var hasIdle = false
    /// Who can compute, and how fast they are together; found anew from time to time.
    var capacity = Capacity()

    /// When it began to compute, since the last pause, and how long it had computed before.
    var activeSince: Instant?
    var activeBefore = Duration.zero
    var forecast = Forecast()
    var course: [CoursePoint] = []
    /// How much of what was settled was right, each time some of it turned out wrong: readings of more than that, asked for
    /// before it, are not wanted any more.
    var withdrawals: [UInt64] = []
    /// The readings that were precise enough, and what they are of.
    var precise: (request: ReadRequest, readings: [Reading])?
    /// Whether the result is being read, or waits for it.
    var isRead = false
    var reader = Reader()
    var precisionTrials: UInt64?
    var latest: (request: ReadRequest, readings: [Reading])?
    /// Whether everybody was told what it waits for.
    var hasToldWait = false
    var nextPicture: Instant
    var nextFarPicture: Instant
    /// Whether it was paused when it was last shown.
    var isShownPaused = false
    /// Whether the others have seen a tally.
    var hasShownTally = false

    /// Who holds a replica, and what they have not been told yet.
    var holders: [NodeID] = []
    var unsent: [JournalChange] = []
    var nextReplica: Instant
    var nextKeptTime: Instant
    /// Its order is written down.
    var mayBegin = false
    /// It rests because nothing can be written down.
    var isHeld = false

    /// `kept` is what an earlier coordinator of it left.
    init(
        id: JobID, _ taken: TakenJob, facts: JobFacts, kept: KeptJob?, epoch: UInt64, own: NodeID, seed: UInt64,
        now: Instant
    ) {
        let order = taken.order
        self.id = id
        self.taken = taken
        takenAt = now
        self.own = own
        spec = JobSpec(
            experiment: order.experiment, goal: order.goal, title: facts.title, module: order.module,
            payload: order.payload, collects: order.collects && facts.writes)
        layout = facts.layout
        self.epoch = epoch
        random = SeededGenerator(seed: seed)
        nextPicture = now
        nextFarPicture = now
        nextReplica = now
        nextKeptTime = now
        // Without the octets, which were at its coordinator before, nothing of it counts.
        guard let kept = spec.collects ? kept?.withoutProgress : kept else {
            earlier = []
            hasBegun = false
            ledger = Ledger(order.experiment, layout: facts.layout, goal: order.goal)
            return
        }
        earlier = kept.checkpoints
        hasBegun = kept.ran > .zero || kept.settled.blocks > 0 || !kept.pieces.isEmpty || kept.end != nil
        ledger = Ledger(order.experiment, layout: facts.layout, goal: order.goal, kept: kept)
        earlierTrials = ledger.totalTrials
        // Nodes may still be at chunks of the coordinator before, and must not take ours for them.
        ledger.lastAttempt = random.next() >> 24
        activeBefore = kept.ran
        if kept.end != nil {
            let isInTime = order.goal.duration.map { kept.ran < $0 } ?? true
            // Somebody may have cancelled it when all was computed.
            let isWhole = ledger.trials(in: 0..<ledger.end) == order.goal.trials
            ending = isWhole ? .trials : isInTime ? .stopped : .duration
        }
        if kept.standing == .paused { phase = .paused }
        guard ledger.totalTrials > 0 else { return }
        // Until it is read: nobody is shown less than is known.
        let known = ReadRequest(job: id, tally: ledger.total, trials: ledger.totalTrials, purpose: .picture)
        latest = (known, [])
    }

    var edition: Int { withdrawals.count }

    /// Whether readings are still of what they were asked for.
    func isValid(_ request: ReadRequest) -> Bool {
        request.edition <= edition && withdrawals[request.edition...].allSatisfy { request.trials <= $0 }
    }

    /// Somebody who knows less of it claims it in an epoch below that one.
    mutating func claim(in epoch: UInt64, _ turn: inout Turn) {
        self.epoch = epoch
        claims += 1
        keep(.accepted(record), &turn)
    }

    // MARK: Time

    func elapsed(_ now: Instant) -> Duration { activeBefore + (activeSince.map { now - $0 } ?? .zero) }

    var isComputing: Bool {
        switch phase {
        case .running, .filling: true
        case .waiting, .paused, .stopping, .concluding, .over: false
        }
    }

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// When it wants to be woken.
    func wakeTime(_ now: Instant) -> Instant? {
        switch phase {
        case .over: nil
        // Whatever it waits for is an event.
        case .waiting(.start(let delay)): now + delay
        case .waiting(.workers) where !hasToldWait && now < takenAt + JobLimits.preparing:
            takenAt + JobLimits.preparing
        case .waiting: nil
        case .stopping(_, let since, let patience): min(nextPicture, since + patience)
        case .running:
            if let duration = spec.goal.duration {
                min(nextPicture, now + max(.zero, duration - elapsed(now)))
            } else {
                nextPicture
            }
        case .paused, .filling, .concluding: nextPicture
        }
    }

    /// What is due: judging, stopping, showing.
    mutating func woke(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        stopInTime(&turn)
        if case .stopping(_, let since, let patience) = phase, turn.now - since >= patience { giveUpLoans(&turn) }
        judgeSilence(&turn)
        conclude(&turn)
        picture(workers, &turn)
    }

    private mutating func stopInTime(_ turn: inout Turn) {
        guard case .running = phase, let duration = spec.goal.duration, elapsed(turn.now) >= duration else { return }
        stop(.duration, patience: JobLimits.patience, &turn)
    }

    /// Nobody is judged by the time that this laptop slept.
    mutating func slept(_ now: Instant) {
        for node in workerProgress.keys { workerProgress.change(node) { $0.lastSign = now } }
        reader.slept(now)
    }

    // MARK: Beginning, pausing

    mutating func begin(_ turn: inout Turn) {
        phase = .running
        activeSince = turn.now
        nextPicture = turn.now + JobLimits.picture
        nextFarPicture = nextPicture
        forecast = Forecast()
        forecast.saw(ledger.totalTrials, at: turn.now)
        for node in workerProgress.keys {
            workerProgress.change(node) {
                $0.lastSign = turn.now
                $0.forecast = Forecast()
                $0.forecast.saw($0.trials, at: turn.now)
            }
        }
        hasNews = true
        // One that is gone on with may have nothing left to do.
        stopInTime(&turn)
        conclude(&turn)
    }

    mutating func pause(_ turn: inout Turn) {
        guard case .running = phase else { return }
        rest(turn.now)
        phase = .paused
        interrupt(&turn)
    }

    /// It does not compute any more; the time until now counts.
    mutating func rest(_ now: Instant) {
        activeBefore = elapsed(now)
        activeSince = nil
    }

    /// Whoever has chunks in hand ends them at the next block, and with them what it looks at.
    mutating func interrupt(_ turn: inout Turn) {
        for node in workerProgress.keys where ledger.count(heldBy: node) > 0 {
            turn.send(.interrupt(id), to: node)
            audits.interrupted(node)
        }
    }

    mutating func resume(_ turn: inout Turn) {
        guard case .paused = phase else { return }
        begin(&turn)
    }
}
