import PotluckCore
import PotluckKit

/// One job, from when its simulation is ready until its end: its ledger, its workers, and its pictures.
///
/// `+Work` handles chunks and their results, `+Failures` chunks that fail and silent workers, `+Outputs` the outputs of
/// chunks, `+Audits` checks of results, `+Ends` the end of a job, `+Views` pictures, `+Kept` the journal and the
/// replicas.
struct JobRun: Sendable {
    enum Phase: Sendable {
        case waiting(JobWait)
        /// The first trials are shown one after the other.
        case opening
        case running
        /// Paused by a user or, if `isHeld`, because the journal cannot be written.
        case paused(isHeld: Bool)
        /// Chunks that are lent are being finished.
        case stopping(Completion, since: Instant, patience: Duration)
        /// The gaps before the chosen end are being filled; until that time, if a user waits for the end.
        case filling(Completion, until: Instant?)
        /// Everything is computed. Audits may be under way; then the result is read. `isResultAsked` says whether it is
        /// being read or waits for it.
        case concluding(Completion, isResultAsked: Bool)
        /// `failure` says why the job has no result; nil if it has one.
        case over(failure: JobFailure?)
    }

    let id: JobID
    /// The order and its submitter.
    private(set) var taken: TakenJob
    let spec: JobSpec
    /// This node.
    let own: NodeID
    /// Whether every screen hides the exact answers.
    var hidesExact: Bool
    var lineage: Lineage

    var phase = Phase.waiting(.simulation)
    var ledger: Ledger
    /// Why the job ends where its ledger was cut, by this or an earlier coordinator; nil if it was not cut.
    var ending: Completion?
    var audits: Audits
    var pendingOutputs = PendingOutputs()
    var workerProgress = OrderedTable<NodeID, WorkerProgress>()
    var failures = Failures()
    /// Whether idle workers are to be offered chunks again, because there may be new ones.
    var hasNews = false
    /// Whether a worker was idle because there was nothing for it. Only then a single new audit is offered to all
    /// workers.
    var hasIdle = false
    var capacity = Capacity()

    var clock = RunClock()
    var evaluation = Evaluation()
    var display: Display
    var keeping: Keeping

    /// `kept` is what an earlier coordinator of the job left.
    init(
        id: JobID, _ taken: TakenJob, facts: JobFacts, kept: KeptJob?, epoch: UInt64, own: NodeID, seed: UInt64,
        now: Instant
    ) {
        let order = taken.order
        self.id = id
        self.taken = taken
        self.own = own
        hidesExact = order.hidesExact
        var recipe = order.recipe
        recipe.collects = recipe.collects && facts.writes
        spec = JobSpec(recipe, title: facts.title)
        audits = Audits(seed: seed)
        display = Display(now: now)
        keeping = Keeping(now: now, credits: kept?.credits ?? [])
        // People who saw the beginning need not see it again after a restart.
        if order.startsSlowly, (kept?.ran ?? .zero) == .zero, !facts.layout.isOfSearch {
            display.opening = Opening(blockSize: order.experiment.blockSize, wanted: spec.wanted)
        }
        // Outputs were only at the earlier coordinator. Without them nothing of what was computed counts.
        guard let kept = spec.collects ? kept?.withoutProgress : kept else {
            ledger = Ledger(order.experiment, layout: facts.layout, goal: order.goal)
            lineage = Lineage(takenAt: now, epoch: epoch, kept: nil, trials: 0)
            return
        }
        ledger = Ledger(order.experiment, layout: facts.layout, goal: order.goal, kept: kept)
        lineage = Lineage(takenAt: now, epoch: epoch, kept: kept, trials: ledger.totalTrials)
        // Nodes may still compute chunks of the earlier coordinator. Their attempts must not have the numbers of new
        // ones.
        ledger.loans.begin(after: audits.random.next() >> 24)
        clock = RunClock(before: kept.ran)
        if kept.end != nil {
            // A job whose output is wanted ends at block 0 if a user cancelled it.
            let isInTime = order.goal.duration.map { spec.collects ? ledger.end == 0 : kept.ran < $0 } ?? true
            // The user may have cancelled the job when everything was computed.
            let isWhole =
                spec.wanted != nil && ledger.keptEnd == order.experiment.range(of: order.goal).upperBound
            ending = isWhole ? .trials : isInTime ? .stopped : .duration
        }
        if kept.standing == .paused { phase = .paused(isHeld: false) }
        guard ledger.totalTrials > 0 else { return }
        // Until the first reading the screen shows at least the trials that are known.
        let known = ReadRequest(job: id, tally: ledger.total, trials: ledger.totalTrials, purpose: .picture)
        evaluation.latest = (known, [])
    }

    var layout: TallyLayout { ledger.layout }

    var epoch: UInt64 { lineage.epoch }

    /// Another node that knows less of the job claims it. This node continues it in a higher epoch.
    mutating func claim(in epoch: UInt64, _ turn: inout Turn) {
        lineage.claim(in: epoch)
        keep(.accepted(record), &turn)
    }

    /// Makes the job more or less urgent, also for whoever continues it.
    mutating func prioritize(_ priority: Priority, _ turn: inout Turn) {
        taken.order.priority = priority
        keep(.accepted(record.after(turn.now - lineage.takenAt)), &turn)
    }

    /// Adds guesses, also for whoever continues the job. Returns those that are new. Once the job has begun, people know too
    /// much to guess.
    mutating func guessed(_ guesses: [Guess], _ turn: inout Turn) -> [Guess] {
        guard !hasBegun else { return [] }
        let new = taken.guesses.add(guesses)
        if !new.isEmpty { keep(.accepted(record.after(turn.now - lineage.takenAt)), &turn) }
        return new
    }

    /// Whether the phase agrees with the rest.
    var isSound: Bool {
        switch phase {
        case .waiting, .opening, .paused: !clock.isRunning && evaluation.precise == nil
        case .running: clock.isRunning && evaluation.precise == nil
        case .stopping: evaluation.precise == nil
        case .filling: clock.isRunning && ending != nil && evaluation.precise == nil
        case .concluding(let completion, _):
            !clock.isRunning && (completion == .precision || evaluation.precise == nil)
        case .over: true
        }
    }

    // MARK: Time

    func elapsed(_ now: Instant) -> Duration { clock.elapsed(now) }

    var isComputing: Bool {
        switch phase {
        case .running, .filling: true
        case .waiting, .opening, .paused, .stopping, .concluding, .over: false
        }
    }

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// Returns when `woke` must be called next; nil if only another event can change the job.
    func wakeTime(_ now: Instant) -> Instant? {
        switch phase {
        case .over: nil
        case .waiting(.start(let delay)): now + delay
        case .waiting(.workers) where now < lineage.takenAt + JobLimits.preparing:
            lineage.takenAt + JobLimits.preparing
        case .waiting: nil
        case .opening: display.opening.wakeTime.map { min(display.next, $0) } ?? display.next
        case .stopping(_, let since, let patience): min(display.next, since + patience)
        case .running:
            if let duration = spec.goal.duration {
                min(display.next, now + max(.zero, duration - elapsed(now)))
            } else {
                display.next
            }
        case .paused, .filling, .concluding: display.next
        }
    }

    /// Does everything that is due: ends the job in time, gives up loans, finds silent workers, shows the job.
    mutating func woke(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        stopInTime(&turn)
        if case .stopping(_, let since, let patience) = phase, turn.now - since >= patience { giveUpLoans(&turn) }
        if case .filling(let completion, let until?) = phase, turn.now >= until { stopFilling(completion, &turn) }
        judgeSilence(&turn)
        conclude(&turn)
        advanceOpening(&turn)
        picture(workers, &turn)
    }

    private mutating func stopInTime(_ turn: inout Turn) {
        guard case .running = phase, let duration = spec.goal.duration, elapsed(turn.now) >= duration else { return }
        stop(.duration, patience: JobLimits.patience, &turn)
    }

    /// Starts the timeouts of all workers over, and takes the sleep out of the computing time. Called after this laptop
    /// slept. `last` is when it was last awake.
    mutating func slept(since last: Instant, until now: Instant) {
        clock.skip(now - last)
        display.forecast.skip(now - last)
        for node in workerProgress.keys {
            workerProgress.change(node) {
                $0.lastSign = now
                $0.forecast.skip(now - last)
            }
        }
        evaluation.reader.slept(now)
    }

    // MARK: Beginning, pausing

    /// Begins or continues: with the first trials one after the other, if the job is to, and then with chunks.
    mutating func begin(_ turn: inout Turn) {
        if !lineage.hasBegun, !display.opening.hasBegun { keep(.ran(id, KeptJob.leastTime), &turn) }
        guard display.opening.isOver(turn.now) else {
            phase = .opening
            return advanceOpening(&turn)
        }
        phase = .running
        clock.start(turn.now)
        display.begin(trials: ledger.totalTrials, now: turn.now)
        for node in workerProgress.keys {
            workerProgress.change(node) {
                $0.lastSign = turn.now
                $0.forecast = Forecast()
                $0.forecast.saw($0.trials, at: turn.now)
            }
        }
        (hasNews, hasIdle) = (true, false)
        // A job that an earlier coordinator left may have nothing left to do but to settle the pieces that it kept.
        stopInTime(&turn)
        settle(&turn)
    }

    /// A job that has not begun only leaves the queue.
    mutating func pause(isHeld: Bool = false, _ turn: inout Turn) {
        switch phase {
        case .running:
            clock.stop(turn.now)
            phase = .paused(isHeld: isHeld)
            interrupt(&turn)
        case .opening: phase = .paused(isHeld: isHeld)
        case .waiting where !isHeld: phase = .paused(isHeld: false)
        case .waiting, .paused, .stopping, .filling, .concluding, .over: break
        }
    }

    /// Every worker ends its chunks and audits at the next block and returns them.
    mutating func interrupt(_ turn: inout Turn) {
        for node in workerProgress.keys where ledger.count(heldBy: node) > 0 {
            turn.send(.interrupt(id), to: node)
            audits.interrupted(node)
        }
    }

    /// A job that has begun continues at once. Another one takes its old place in the queue again.
    mutating func resume(_ turn: inout Turn) {
        guard case .paused = phase else { return }
        guard !hasBegun else { return begin(&turn) }
        phase = .waiting(.simulation)
        display.forgetWait()
    }
}
