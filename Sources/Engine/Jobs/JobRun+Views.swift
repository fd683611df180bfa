import PotluckKit
import PotluckModel
import PotluckWire

/// What is shown of a job.
extension JobRun {
    /// Asks for readings of what there is now, ten times a second, or as often as they come.
    mutating func picture(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        guard turn.now >= nextPicture, !isOver else { return }
        nextPicture = turn.now + JobLimits.picture
        keepTime(&turn)
        forecast.saw(ledger.totalTrials, at: turn.now)
        for node in workerProgress.keys { workerProgress.change(node) { $0.forecast.saw($0.trials, at: turn.now) } }
        guard precise == nil else { return }
        reader.wantsPicture = true
        readNext(&turn)
        // Nodes and times are shown meanwhile.
        if reader.isSlow(turn.now) { publish(workers, &turn) }
    }

    mutating func readNext(_ turn: inout Turn) {
        let request: ReadRequest
        switch reader.next(turn.now) {
        case nil: return
        case .waiting(let waiting): request = waiting
        case .picture:
            request = ReadRequest(
                job: id, tally: ledger.total, trials: ledger.totalTrials, purpose: .picture, edition: edition)
        }
        reader.began(request, now: turn.now)
        turn.effects.append(.read(request))
    }

    /// Shows it here, and from time to time to the others: the first tally at once, because a room waits for it.
    mutating func publish(_ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        let snapshot = snapshot(state, workers, now: turn.now)
        turn.publish(snapshot)
        isShownPaused = isPaused
        let others = workerProgress.keys.filter { $0 != own && workers[$0]?.isConnected == true }
        let isFirst = !hasShownTally && snapshot.trials > 0
        guard turn.now >= nextFarPicture || isFirst, !others.isEmpty else { return }
        hasShownTally = snapshot.trials > 0
        let pause = max(JobLimits.farPicture, JobLimits.farPicturePerNode * others.count)
        nextFarPicture = turn.now + min(pause, JobLimits.rarestFarPicture)
        let picture = JobPicture(snapshot)
        for node in others { turn.send(.picture(picture), to: node) }
    }

    /// All of it, for a node that has just come.
    func show(to node: NodeID, _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn) {
        for (index, point) in course.enumerated() { turn.send(.course(id, index: index, point), to: node) }
        turn.send(.picture(JobPicture(snapshot(state, workers, now: turn.now))), to: node)
    }

    var state: JobState {
        switch phase {
        case .waiting(let wait): .waiting(wait)
        case .running: .running
        case .paused: .paused
        case .stopping, .filling: .stopping
        case .concluding(let completion): completion == .trials ? .running : .stopping
        case .over: .stopping
        }
    }

    func snapshot(_ state: JobState, _ workers: OrderedTable<NodeID, Worker>, now: Instant) -> JobSnapshot {
        let elapsed = elapsed(now)
        let tally = latest?.request.tally ?? layout.empty
        return JobSnapshot(
            id: id, spec: spec, submitter: taken.submitterName, state: state, trials: latest?.request.trials ?? 0,
            counts: spec.title.counts.map { $0.slot < tally.count ? tally[$0.slot] : 0 },
            readings: latest?.readings ?? [], course: course, elapsed: elapsed, rate: isPaused ? nil : forecast.rate,
            remaining: forecast.remaining(
                spec.goal, trials: ledger.totalTrials, elapsed: elapsed, precisionTrials: precisionTrials),
            nodes: rows(workers, now), isReadSlowly: !state.isOver && reader.isSlow(now))
    }

    private func rows(_ workers: OrderedTable<NodeID, Worker>, _ now: Instant) -> [NodeRow] {
        earlierRow
            + workerProgress.keys.compactMap { node in
                guard let progress = workerProgress[node] else { return nil }
                let worker = workers[node]
                // Who only looks on is not listed.
                let cores = worker?.cores ?? 0
                if cores == 0, progress.trials == 0 { return nil }
                return NodeRow(
                    node: node, name: worker?.name ?? "node \(node.short)", cores: cores, trials: progress.trials,
                    rate: isPaused ? nil : progress.forecast.rate, work: work(node, progress, cores, now),
                    roundTrip: worker?.roundTrip, since: now - progress.since)
            }
    }

    /// What coordinators before this one left: whose most of it was is not known any more.
    private var earlierRow: [NodeRow] {
        guard earlierTrials > 0 else { return [] }
        return [NodeRow(node: .nobody, name: "before", cores: 0, trials: earlierTrials, rate: nil, work: .gone)]
    }

    var isPaused: Bool { if case .paused = phase { true } else { false } }

    private func work(_ node: NodeID, _ progress: WorkerProgress, _ cores: Int, _ now: Instant) -> NodeWork {
        switch progress.stage {
        case .preparing: cores > 0 ? .preparing : .resting
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

    /// The interval narrows with the square root of the trials; the job ends at the checkpoint after that.
    mutating func foretell(_ request: ReadRequest, _ readings: [Reading]) {
        guard let precision = spec.goal.precision else { return }
        precisionTrials = nil
        var needed = 0.0
        for reading in readings {
            guard let half = reading.halfWidth else { continue }
            guard reading.varies, let value = reading.value else { return }
            let limit =
                switch precision {
                case .absolute(let limit): limit
                case .relative(let fraction): fraction * value.magnitude
                }
            guard limit > 0 else { return }
            needed = max(needed, Double(request.trials) * (half / limit) * (half / limit))
        }
        let blocks = needed / Double(spec.experiment.blockSize)
        guard blocks > 0, blocks < 0x1p58 else { return }
        let end = Checkpoint.blocks(Checkpoint.after(UInt64(blocks)))
        precisionTrials = end.multipliedClamped(spec.experiment.blockSize)
    }
}
