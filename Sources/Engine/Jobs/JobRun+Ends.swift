import PotluckCore
import PotluckKit

/// How a job ends.
extension JobRun {
    /// Cancels the job. The journal is told at once, with an end that needs no more computing, so that another
    /// coordinator that continues the job ends it there. That holds when everything is computed, too, because the last
    /// audits and the reading may take long.
    mutating func cancel(_ turn: inout Turn) {
        guard !isOver else { return }
        keepEnd(at: ledger.surePart.blocks, after: .stopped, &turn)
        keeping.tellSoon(turn.now)
        stop(.stopped, patience: JobLimits.impatience, &turn)
    }

    /// Tells the journal where the job ends. A cancelled job whose output is wanted ends at block 0, because another
    /// coordinator would have to compute all of its output again.
    private mutating func keepEnd(at block: UInt64, after completion: Completion, _ turn: inout Turn) {
        let end = spec.collects && completion == .stopped ? 0 : block
        guard keeping.isNew(end: end) else { return }
        // Another coordinator sees from this time that the job was not cancelled.
        if completion == .duration, isKept(turn) { keep(.ran(id, elapsed(turn.now)), &turn) }
        keep(.judged(id, end: end), &turn)
    }

    /// Ends the job before its last block, once the chunks that are lent have returned or `patience` has passed.
    mutating func stop(_ completion: Completion, patience: Duration, _ turn: inout Turn) {
        switch phase {
        case .waiting, .opening: break
        case .running, .paused:
            clock.stop(turn.now)
            interrupt(&turn)
        // The user does not wait until the gaps are filled.
        case .filling: interrupt(&turn)
        case .concluding:
            // Everything is computed, and the audits under way are not waited for.
            dropLooks(&turn)
            return conclude(&turn)
        case .stopping, .over: return
        }
        phase = .stopping(completion, since: turn.now, patience: patience)
        // A user who cancels does not wait for audits that have not begun.
        if completion == .stopped { audits.dropWaiting() }
        if !ledger.hasLoans { cut(&turn) }
    }

    /// Ends all audits under way, and tells the witnesses to drop them.
    private mutating func dropLooks(_ turn: inout Turn) {
        for (witness, attempts) in audits.dropLooks() { drop(attempts, at: witness, &turn) }
    }

    /// Gives up all loans.
    mutating func giveUpLoans(_ turn: inout Turn) {
        for node in workerProgress.keys {
            let attempts = ledger.release(allOf: node)
            giveUpResults(of: node)
            drop(attempts, at: node, &turn)
        }
        if case .stopping = phase { cut(&turn) }
    }

    /// Chooses the block that the job ends with, and fills the gaps before it. A search keeps all that was searched.
    mutating func cut(_ turn: inout Turn) {
        guard case .stopping(let completion, _, let patience) = phase else { return }
        var budget: UInt64 = 0
        // Also when the user cancels: otherwise much of what the screen shows would be dropped.
        if patience > .zero, !isSearch, let rate = display.forecast.rate, rate > 0 || completion != .stopped {
            let time = min(elapsed(turn.now) / JobLimits.fillPart, JobLimits.longestFill)
            // At least the first few blocks are worth waiting for.
            budget = max(
                Checkpoint.blocks(0), UInt64(min(rate * time.seconds / Double(spec.experiment.blockSize), 0x1p60)))
        }
        let before = ledger.settledTrials
        if isSearch { ledger.giveUpRest() } else { ledger.cut(filling: budget) }
        ending = completion
        keepEnd(at: ledger.keptEnd, after: completion, &turn)
        if ledger.settledTrials < before { unsettle(&turn) }
        if !ledger.isComplete { clock.start(turn.now) }
        phase = .filling(completion, until: completion == .stopped ? turn.now + JobLimits.longestFill : nil)
        hasNews = true
        settle(&turn)
    }

    /// The gaps are not filled in time, because workers left or became slow. Ends the job before the first of them.
    mutating func stopFilling(_ completion: Completion, _ turn: inout Turn) {
        clock.stop(turn.now)
        phase = .stopping(completion, since: turn.now, patience: .zero)
        giveUpLoans(&turn)
    }

    /// Asks for the result of a job that is complete, once its audits are done.
    mutating func conclude(_ turn: inout Turn) {
        let completion: Completion
        var isAsked = false
        switch phase {
        case .running, .paused:
            guard ledger.isComplete else { return }
            completion = ending ?? .trials
        case .filling(let wanted, _):
            guard ledger.isComplete else { return }
            completion = wanted
        case .concluding(let wanted, let isResultAsked): (completion, isAsked) = (wanted, isResultAsked)
        case .waiting, .opening, .stopping, .over: return
        }
        clock.stop(turn.now)
        guard audits.isEmpty, !isAsked else {
            phase = .concluding(completion, isResultAsked: isAsked)
            hasNews = true
            return
        }
        phase = .concluding(completion, isResultAsked: true)
        let request =
            evaluation.precise?.request.to(.result(.precision), evaluation.edition)
            ?? ReadRequest(
                job: id, tally: readTally, trials: ledger.resultTrials, purpose: .result(completion),
                edition: evaluation.edition)
        ask(request, &turn)
    }

    /// Ends the job without a result.
    mutating func fail(_ failure: JobFailure, _ turn: inout Turn) {
        guard !isOver else { return }
        phase = .over(failure: failure)
        dropLooks(&turn)
        audits.dropAll()
        turn.end(id, .failed(id, failure))
    }

    // MARK: Readings

    /// Asks for readings of a checkpoint or of the result. They wait for those that were asked for before.
    mutating func ask(_ request: ReadRequest, _ turn: inout Turn) {
        evaluation.reader.add(request)
        readNext(&turn)
    }

    /// Takes readings and asks for the next ones. Returns the job's result if they are its readings.
    mutating func read(
        _ request: ReadRequest, _ readings: [Reading], _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) -> JobResult? {
        if request.purpose == .opening {
            opened(request, readings, workers, &turn)
            return nil
        }
        // Other readings belong to an earlier run of this job on this node.
        guard !isOver, evaluation.reader.took(request, now: turn.now) else { return nil }
        let result = judge(request, readings, workers, &turn)
        readNext(&turn)
        return result
    }

    private mutating func judge(
        _ request: ReadRequest, _ readings: [Reading], _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) -> JobResult? {
        switch request.purpose {
        case .opening: break
        case .question:
            evaluation.latest = (request, readings)
            publish(workers, &turn)
        case .picture:
            evaluation.latest = (request, readings)
            foretell(request, readings)
            if isSearch, evaluation.isBetter(request, readings) { note(request, readings, &turn) }
            publish(workers, &turn)
        case .checkpoint:
            guard evaluation.isValid(request), evaluation.precise == nil else { return nil }
            note(request, readings, &turn)
            // Checkpoints are judged in order and before the result. So the first one that is precise enough ends the
            // job, whatever was computed meanwhile.
            guard let precision = spec.goal.precision, precision.isReached(by: readings) else { return nil }
            evaluation.end(with: (request, readings))
            phase.askAgain()
            giveUpLoans(&turn)
            clock.stop(turn.now)
            phase = .concluding(.precision, isResultAsked: phase.isResultAsked)
            conclude(&turn)
        case .result(let completion):
            // A checkpoint was precise enough meanwhile.
            guard evaluation.precise == nil || completion == .precision else { return nil }
            guard request.edition == evaluation.edition, audits.isEmpty else {
                phase.askAgain()
                conclude(&turn)
                return nil
            }
            if spec.collects, request.trials > 0 {
                // The result may be read twice. Outputs are joined once, and checked when that is done.
                guard evaluation.unsealed == nil else { return nil }
                evaluation.unsealed = (request, readings, completion)
                turn.act(.seal(id, end: spec.blocks(for: request.trials).upperBound))
                return nil
            }
            return finish(request, readings, completion, nil, workers, &turn)
        }
        return nil
    }

    mutating func finish(
        _ request: ReadRequest, _ readings: [Reading], _ completion: Completion, _ output: BlobReference?,
        _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) -> JobResult {
        // A job that was cancelled early may have fewer trials than were shown at its beginning.
        evaluation.forgetCourse(beyond: request.trials)
        if evaluation.precise == nil, request.trials > 0 { note(request, readings, &turn) }
        phase = .over(failure: nil)
        countShares(request.trials)
        evaluation.latest = (request, readings)
        display.forecast.saw(ledger.totalTrials, at: turn.now)
        let snapshot = snapshot(.done(completion), workers, now: turn.now)
        turn.publish(snapshot)
        return JobResult(
            spec: spec, trials: request.trials, tally: request.tally, readings: readings, course: evaluation.course,
            completion: completion, elapsed: elapsed(turn.now), nodes: snapshot.nodes, output: output,
            hidesExact: hidesExact)
    }

    /// A job may end with fewer trials than were computed. Each node is shown with its share of the result; the rest
    /// was computed for earlier coordinators.
    private mutating func countShares(_ trials: UInt64) {
        let shares = ledger.trials(before: ledger.isGivenUp ? ledger.end : spec.blocks(for: trials).upperBound)
        var rest = trials
        for node in workerProgress.keys {
            let share = shares[node] ?? 0
            workerProgress.change(node) { $0.trials = share }
            rest -= min(rest, share)
        }
        lineage.set(rest)
    }

    mutating func note(_ request: ReadRequest, _ readings: [Reading], _ turn: inout Turn) {
        let point = CoursePoint(
            trials: request.trials, readings: readings, elapsed: isSearch ? elapsed(turn.now) : nil)
        for node in workerProgress.keys where node != own && workerProgress[node]?.stage != .gone {
            turn.send(.course(id, index: evaluation.course.count, point), to: node)
        }
        evaluation.note(point)
    }
}

extension JobRun.Phase {
    /// Whether the result is being read or waits for it.
    var isResultAsked: Bool { if case .concluding(_, isResultAsked: true) = self { true } else { false } }

    /// Makes the job ask for its result again. Called when the reading that it asked for has become void.
    mutating func askAgain() {
        if case .concluding(let completion, _) = self { self = .concluding(completion, isResultAsked: false) }
    }
}

extension ReadRequest {
    /// Returns a request to read the same tally for another purpose.
    func to(_ purpose: Purpose, _ edition: Int) -> ReadRequest {
        ReadRequest(job: job, tally: tally, trials: trials, purpose: purpose, edition: edition)
    }
}
