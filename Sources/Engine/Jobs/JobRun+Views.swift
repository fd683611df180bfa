import PotluckCore
import PotluckKit

/// The pictures of a job for the users of this and other nodes.
extension JobRun {
    /// Asks for readings of the current tally, ten times a second or as often as the simulation can make them.
    mutating func picture(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        guard !isOver, display.isDue(turn.now) else { return }
        if case .opening = phase { return publish(workers, &turn) }
        keepTime(workers, &turn)
        display.forecast.saw(ledger.totalTrials, at: turn.now)
        for node in workerProgress.keys { workerProgress.change(node) { $0.forecast.saw($0.trials, at: turn.now) } }
        // The readings are chosen, but the audits or the output may take long, and others have not seen that it ends.
        guard evaluation.precise == nil else { return publish(workers, &turn) }
        // The first trials are shown until there is more.
        guard !display.opening.hasBegun || ledger.totalTrials > 0 else { return publish(workers, &turn) }
        evaluation.reader.wantsPicture = true
        readNext(&turn)
        // Nodes and times are shown while the readings are awaited.
        if evaluation.reader.isSlow(turn.now) { publish(workers, &turn) }
    }

    /// Asks for the readings of a job that was not running: of its question, or of what an earlier coordinator computed.
    mutating func readPicture(_ turn: inout Turn) {
        guard ledger.totalTrials > 0 || taken.order.startsPaused else { return }
        evaluation.reader.wantsPicture = true
        readNext(&turn)
    }

    /// People guess before the first trial, so that they must see what the readings are called.
    private var picturePurpose: ReadRequest.Purpose {
        taken.order.startsPaused && ledger.totalTrials == 0 ? .question : .picture
    }

    mutating func readNext(_ turn: inout Turn) {
        let request: ReadRequest
        switch evaluation.reader.next(turn.now) {
        case nil: return
        case .waiting(let waiting): request = waiting
        case .picture:
            request = ReadRequest(
                job: id, tally: readTally, trials: ledger.totalTrials, purpose: picturePurpose,
                edition: evaluation.edition)
        }
        evaluation.reader.began(request, now: turn.now)
        turn.act(.read(request))
    }

    /// Shows the job on this node, and from time to time on the others.
    mutating func publish(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        let snapshot = snapshot(state, workers, now: turn.now)
        turn.publish(snapshot)
        display.isShownPaused = isPaused
        let others = workerProgress.keys.filter { $0 != own && workers[$0]?.isConnected == true }
        guard display.showsOthers(others.count, trials: snapshot.trials, now: turn.now) else { return }
        let picture = snapshot.picture
        for node in others { turn.send(.picture(picture), to: node) }
    }

    /// Shows the whole job to a node that has just connected.
    func show(to node: NodeID, _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        for (index, point) in evaluation.course.enumerated() { turn.send(.course(id, index: index, point), to: node) }
        if !taken.guesses.list.isEmpty { turn.send(.guesses(id, taken.guesses.list), to: node) }
        turn.send(.picture(snapshot(state, workers, now: turn.now).picture), to: node)
    }

    var state: JobState {
        switch phase {
        case .waiting(let wait): .waiting(wait)
        case .opening, .running: .running
        case .paused: .paused
        case .stopping, .filling: .stopping
        case .concluding(let completion, _): completion == .trials ? .running : .stopping
        case .over: .stopping
        }
    }

    func snapshot(_ state: JobState, _ workers: OrderedTable<NodeID, Worker>, now: Instant) -> JobSnapshot {
        let elapsed = elapsed(now)
        let tally = evaluation.latest?.request.tally ?? layout.empty
        return JobSnapshot(
            spec, course: evaluation.course, guesses: taken.guesses.list,
            JobPicture(
                id: id, submitter: taken.submitterName, state: state, trials: evaluation.latest?.request.trials ?? 0,
                counts: spec.title.counts.map { $0.slot < tally.count ? tally[$0.slot] : 0 },
                readings: evaluation.latest?.readings ?? [], elapsed: elapsed,
                rate: isPaused || isSearch ? nil : display.forecast.rate, remaining: remaining(elapsed),
                nodes: rows(workers, now), isReadSlowly: !state.isOver && evaluation.reader.isSlow(now),
                hidesExact: hidesExact, best: layout.best(in: tally).flatMap { $0.isEmpty ? nil : $0 },
                priority: taken.order.priority))
    }

    private func remaining(_ elapsed: Duration) -> Remaining {
        // The points that are left may be done at once, or take a hundred times as long as those before.
        if isSearch { return spec.goal.duration.map { .about(max(.zero, $0 - elapsed)) } ?? .unknown }
        return display.forecast.remaining(
            spec, trials: ledger.totalTrials, elapsed: elapsed, precisionTrials: evaluation.precisionTrials)
    }

    private func rows(_ workers: OrderedTable<NodeID, Worker>, _ now: Instant) -> [NodeRow] {
        let earlier = earlierRows
        let credited = Set(earlier.map(\.node))
        return JoinedRows.joined(
            earlier
                + workerProgress.elements.compactMap { node, progress in
                    let worker = workers[node]
                    // A node that only watches is not listed.
                    let cores = worker?.cores ?? 0
                    if cores == 0, progress.trials == 0, !credited.contains(node) { return nil }
                    return NodeRow(
                        node: node, name: worker?.name ?? "node \(node.short)", cores: cores, trials: progress.trials,
                        rate: isPaused || isSearch ? nil : progress.forecast.rate,
                        work: work(node, progress, cores, now),
                        roundTrip: worker?.roundTrip, since: now - progress.since, effort: progress.effort,
                        recomputed: progress.recomputed.map { min($0, progress.trials) })
                })
    }

    /// The rows for the trials of earlier coordinators.
    private var earlierRows: [NodeRow] {
        let liars = Set(workerProgress.elements.filter { $0.value.stage == .shutOut }.map(\.key))
        return lineage.credits(without: liars).map {
            NodeRow(
                node: $0.node, name: $0.name, cores: 0, trials: $0.trials, rate: nil, work: .gone, effort: $0.effort,
                recomputed: $0.recomputed)
        }
    }

    /// The trials of each node so far.
    func credits(_ workers: OrderedTable<NodeID, Worker>, _ now: Instant) -> [Credit] {
        rows(workers, now).filter { $0.trials > 0 && $0.work != .shutOut }
            .map {
                Credit(node: $0.node, name: $0.name, trials: $0.trials, effort: $0.effort, recomputed: $0.recomputed)
            }
    }

    var isPaused: Bool { if case .paused = phase { true } else { false } }

    private func work(_ node: NodeID, _ progress: WorkerProgress, _ cores: Int, _ now: Instant) -> NodeWork {
        switch progress.stage {
        case .preparing where cores == 0: .resting
        // A job may end before every node is ready.
        case .preparing: isOver ? .idle : .preparing
        case .unable(let why): .unable(why)
        case .gone: .gone
        case .shutOut: .shutOut
        case .ready:
            if progress.isSilent {
                .silent
            } else if let until = progress.asideUntil, until > now {
                .setAside
            } else if cores == 0 {
                .resting
            } else {
                inHand(of: node) > 0 ? .computing : .idle
            }
        }
    }

    /// Estimates when the precision will be reached: the interval narrows with the square root of the trials, and the
    /// job ends at the checkpoint after that.
    mutating func foretell(_ request: ReadRequest, _ readings: [Reading]) {
        guard let precision = spec.goal.precision else { return }
        evaluation.precisionTrials = nil
        guard let excess = precision.widest(of: readings)?.excess else { return }
        let blocks = Double(request.trials) * excess * excess / Double(spec.experiment.blockSize)
        guard blocks > 0, blocks < 0x1p58 else { return }
        let end = Checkpoint.blocks(Checkpoint.after(UInt64(blocks)))
        evaluation.precisionTrials = end.multipliedClamped(spec.experiment.blockSize)
    }
}
