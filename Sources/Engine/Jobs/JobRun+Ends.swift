import PotluckKit
import PotluckModel
import PotluckWire

/// How a job ends.
extension JobRun {
    /// Somebody does not want it any more. That is written down before it is confirmed, with an end for which nothing has to be
    /// computed: whoever goes on with it before it has come to its real end tells that one. Also where all is computed: the last
    /// audits and the reading may take long, and nobody is to do any of it again.
    mutating func cancel(_ deeds: inout Deeds, now: Instant) {
        guard !isOver else { return }
        keepEnd(at: ledger.surePart.blocks, after: .stopped, &deeds)
        nextReplica = now
        stop(.stopped, patience: JobLimits.impatience, &deeds, now: now)
    }

    /// Whoever goes on with it computes nothing for somebody who does not want it any more. Where what it writes is wanted all of it
    /// would have to be written again, so it ends with nothing.
    private mutating func keepEnd(at block: UInt64, after completion: Completion, _ deeds: inout Deeds) {
        keep(.judged(id, end: spec.collects && completion == .stopped ? 0 : block), &deeds)
    }

    mutating func stop(_ completion: Completion, patience: Duration, _ deeds: inout Deeds, now: Instant) {
        switch phase {
        case .waiting: break
        case .running, .paused:
            rest(now)
            interrupt(&deeds)
        // Somebody will not wait for the gaps.
        case .filling: interrupt(&deeds)
        case .concluding:
            // All is computed. Whoever still looks at some of it is not waited for.
            for (witness, attempts) in audits.dropLooks() { drop(attempts, at: witness, &deeds) }
            return conclude(&deeds, now: now)
        case .stopping, .over: return
        }
        phase = .stopping(completion, since: now, patience: patience)
        // Whoever cancels it does not wait for what nobody has begun to look at.
        if completion == .stopped { audits.dropWaiting() }
        if !ledger.hasLoans { cut(&deeds, now: now) }
    }

    /// Whoever has not brought anything by now is not waited for.
    mutating func giveUpLoans(_ deeds: inout Deeds, now: Instant) {
        for node in workerProgress.keys {
            let attempts = ledger.release(allOf: node)
            pendingOutputs.giveUp(allOf: node)
            drop(attempts, at: node, &deeds)
        }
        if case .stopping = phase { cut(&deeds, now: now) }
    }

    /// Settles where the job ends.
    mutating func cut(_ deeds: inout Deeds, now: Instant) {
        guard case .stopping(let completion, _, let patience) = phase else { return }
        var budget: UInt64 = 0
        if patience == JobLimits.patience, let rate = forecast.rate {
            let time = min(elapsed(now) / JobLimits.fillPart, JobLimits.longestFill)
            // A result of the first few blocks is worth waiting for.
            budget = max(
                Checkpoint.blocks(0), UInt64(min(rate * time.seconds / Double(spec.experiment.blockSize), 0x1p60)))
        }
        let before = ledger.settledTrials
        ledger.cut(filling: budget)
        ending = completion
        keepEnd(at: ledger.end, after: completion, &deeds)
        if ledger.settledTrials < before { unsettle(&deeds) }
        if !ledger.isComplete, activeSince == nil { activeSince = now }
        phase = .filling(completion)
        hasNews = true
        settle(&deeds, now: now)
    }

    /// Ends what is complete, once all audits that somebody can do are done.
    mutating func conclude(_ deeds: inout Deeds, now: Instant) {
        let completion: Completion
        switch phase {
        case .running, .paused:
            guard ledger.isComplete else { return }
            completion = ending ?? .trials
        case .filling(let wanted):
            guard ledger.isComplete else { return }
            completion = wanted
        case .concluding(let wanted): completion = wanted
        case .waiting, .stopping, .over: return
        }
        rest(now)
        phase = .concluding(completion)
        guard audits.isEmpty, !isRead else {
            hasNews = true
            return
        }
        isRead = true
        let request =
            precise?.request.to(.result(.precision), edition)
            ?? ReadRequest(
                job: id, tally: ledger.total, trials: ledger.settledTrials, purpose: .result(completion),
                edition: edition)
        ask(request, &deeds, now: now)
    }

    /// Nothing comes of it.
    mutating func fail(_ why: String, _ deeds: inout Deeds) {
        guard !isOver else { return }
        phase = .over(failure: why)
        audits.dropAll()
        deeds.end(id, .failed(id, why))
    }

    // MARK: What was read

    /// Asks for readings of what is passed or complete, once those before it are back.
    mutating func ask(_ request: ReadRequest, _ deeds: inout Deeds, now: Instant) {
        reader.add(request)
        readNext(&deeds, now: now)
    }

    /// A reading is back, and the next one may be asked for. Tells what the job came to, where that is what was read.
    mutating func read(
        _ request: ReadRequest, _ readings: [Reading], _ workers: OrderedTable<NodeID, Worker>, _ deeds: inout Deeds,
        now: Instant
    ) -> JobResult? {
        // What nobody here asked for is of a run of this job before this one.
        guard !isOver, reader.took(request, now: now) else { return nil }
        let result = take(request, readings, workers, &deeds, now: now)
        readNext(&deeds, now: now)
        return result
    }

    private mutating func take(
        _ request: ReadRequest, _ readings: [Reading], _ workers: OrderedTable<NodeID, Worker>, _ deeds: inout Deeds,
        now: Instant
    ) -> JobResult? {
        switch request.purpose {
        case .picture:
            latest = (request, readings)
            foretell(request, readings)
            publish(workers, &deeds, now: now)
        case .checkpoint:
            guard isValid(request), precise == nil else { return nil }
            note(request, readings, &deeds)
            // Judged in order of checkpoint and before the result is read, so the first one precise enough ends the job, whatever
            // was computed meanwhile.
            guard let precision = spec.goal.precision, precision.isReached(by: readings) else { return nil }
            precise = (request, readings)
            isRead = false
            reader.dropWaiting()
            giveUpLoans(&deeds, now: now)
            rest(now)
            phase = .concluding(.precision)
            conclude(&deeds, now: now)
        case .result(let completion):
            // It turned out precise enough before its end.
            guard precise == nil || completion == .precision else { return nil }
            guard request.edition == edition, audits.isEmpty else {
                isRead = false
                conclude(&deeds, now: now)
                return nil
            }
            if spec.collects, request.trials > 0 {
                // It may have been read twice. Once is joined, and looked at again then.
                guard unsealed == nil else { return nil }
                unsealed = (request, readings, completion)
                deeds.effects.append(.seal(id, end: spec.experiment.blocks(for: request.trials)))
                return nil
            }
            return finish(request, readings, completion, nil, workers, &deeds, now: now)
        }
        return nil
    }

    mutating func finish(
        _ request: ReadRequest, _ readings: [Reading], _ completion: Completion, _ output: BlobReference?,
        _ workers: OrderedTable<NodeID, Worker>, _ deeds: inout Deeds, now: Instant
    ) -> JobResult {
        if precise == nil, request.trials > 0 { note(request, readings, &deeds) }
        phase = .over(failure: nil)
        countShares(request.trials)
        latest = (request, readings)
        forecast.saw(ledger.totalTrials, at: now)
        let snapshot = snapshot(.done(completion), workers, now: now)
        deeds.publish(snapshot)
        return JobResult(
            spec: spec, trials: request.trials, tally: request.tally, readings: readings, course: course,
            completion: completion, elapsed: elapsed(now), nodes: snapshot.nodes, output: output)
    }

    /// What a job ends with may be less than was done. Nodes have their shares of that and no more; what nobody here is known for
    /// was done before.
    private mutating func countShares(_ trials: UInt64) {
        let shares = ledger.trials(before: spec.experiment.blocks(for: trials))
        var rest = trials
        for node in workerProgress.keys {
            let share = shares[node] ?? 0
            workerProgress.change(node) { $0.trials = share }
            rest -= min(rest, share)
        }
        earlierTrials = rest
    }

    private mutating func note(_ request: ReadRequest, _ readings: [Reading], _ deeds: inout Deeds) {
        let point = CoursePoint(trials: request.trials, readings: readings)
        for node in workerProgress.keys where node != own && workerProgress[node]?.stage != .gone {
            deeds.send(.course(id, index: course.count, point), to: node)
        }
        course.append(point)
    }
}

extension ReadRequest {
    /// The same tally for another purpose.
    func to(_ purpose: Purpose, _ edition: Int) -> ReadRequest {
        ReadRequest(job: job, tally: tally, trials: trials, purpose: purpose, edition: edition)
    }
}
