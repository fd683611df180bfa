import PotluckCore
import PotluckKit

/// How results are checked by a second node.
extension JobRun {
    /// Returns whether a second node shall compute a finished chunk, too. It shall compute the first chunks of each
    /// worker. Of later ones it computes some at random: one block in 200, or one chunk in ten of a browser.
    mutating func wantsAudit(_ node: NodeID, _ blocks: Range<UInt64>) -> Bool {
        guard let progress = workerProgress[node], workerProgress.count > 1 else { return false }
        if progress.chunks <= JobLimits.auditedChunks { return true }
        // The points of a search say nothing about the work in them.
        let size = isSearch ? 1 : UInt64(blocks.count)
        // Each chunk of a browser by itself, because a page that was closed and opened again is a new worker.
        if progress.recomputed != nil { return audits.random.next(below: UInt64(JobLimits.auditedPartOfBrowsers)) == 0 }
        if let unaudited = progress.unaudited, unaudited >= size {
            workerProgress.change(node) { $0.unaudited = unaudited - size }
            return false
        }
        // The distance varies from half to one and a half times the mean, so that a worker cannot know which chunk is
        // audited.
        let mean = size.multipliedClamped(UInt64(JobLimits.auditedPart))
        let next = (mean / 2).addingClamped(audits.random.next(below: max(1, mean)))
        workerProgress.change(node) { $0.unaudited = next }
        return progress.unaudited != nil
    }

    mutating func audit(
        for worker: Worker, _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) -> LentChunk? {
        let capable = capacity.capable
        /// Two nodes at one address may belong to one person. They audit each other only if there is no other node.
        func mayJudge(_ claim: Audits.Claim, _ judge: Worker) -> Bool {
            let address = workers[claim.node]?.address
            return !judge.isBrowser && claim.node != judge.node
                && (address != judge.address
                    || !capable.contains { workers[$0].map { $0.address != address && !$0.isBrowser } ?? false })
        }
        switch phase {
        case .running, .filling: break
        case .concluding: takeLateAudit(for: worker.node, where: { mayJudge($0, worker) }, &turn)
        case .waiting, .opening, .paused, .stopping, .over: return nil
        }
        guard !audits.waiting.isEmpty else { return nil }
        let attempt = ledger.newAttempt()
        let blocks = audits.lend(to: worker.node, attempt: attempt, now: turn.now) { claim in
            // A node that has begun an audit continues it. It does not if it is no longer able to, or if a node at
            // another address has come, which must do it then.
            if let other = claim.seen?.node, other != worker.node, capable.contains(other),
                workers[other].map({ mayJudge(claim, $0) }) ?? false
            {
                return false
            }
            return mayJudge(claim, worker)
        }
        guard let blocks else { return nil }
        var chunk = LentChunk(attempt: attempt, blocks: blocks)
        chunk.bound = audits.claim(of: attempt, by: worker.node).flatMap { bound(of: $0) }
        return chunk
    }

    /// Everything is computed, and the job waits for its last audits. Takes one from a node that is late with it, if an
    /// idle node can do it.
    private mutating func takeLateAudit(
        for node: NodeID, where mayJudge: (Audits.Claim) -> Bool, _ turn: inout Turn
    ) {
        guard audits.waiting.isEmpty, inHand(of: node) == 0, let pace = workerProgress[node]?.pace,
            let late = audits.late(for: node, pace, now: turn.now, where: mayJudge)
        else { return }
        drop(audits.release(late.holder, attempt: late.attempt, isLate: true), at: late.holder, &turn)
    }

    /// Returns the nodes that may audit. Nodes that have stopped are left out: two of them would take the audit from
    /// each other without end.
    private func witnesses(_ workers: OrderedTable<NodeID, Worker>, _ now: Instant) -> [NodeID] {
        workerProgress.keys.filter { node in
            guard let progress = workerProgress[node], progress.isAble(now), !progress.isSilent,
                let worker = workers[node]
            else { return false }
            return worker.isConnected && worker.cores > 0 && !worker.isBrowser && isAllowed(worker)
        }
    }

    /// Drops the audits at the end of a job that no node can do. An audit that only this node can do waits while it
    /// prepares.
    mutating func dropUncheckableAudits(
        _ workers: OrderedTable<NodeID, Worker>, _ turn: inout Turn
    ) {
        guard case .concluding = phase, !audits.waiting.isEmpty else { return }
        var witnesses = witnesses(workers, turn.now)
        if let progress = workerProgress[own], progress.stage == .preparing,
            turn.now - progress.lastSign < JobLimits.silence,
            let worker = workers[own], worker.cores > 0, isAllowed(worker)
        {
            witnesses.append(own)
        }
        guard !audits.waiting.contains(where: { claim in witnesses.contains { $0 != claim.node } }) else { return }
        audits.dropWaiting()
        conclude(&turn)
    }

    /// Two nodes disagree about a chunk. This node computes it twice, as a whole and in two parts.
    mutating func dispute(_ claim: Audits.Claim, _ witness: NodeID, _ other: [UInt64], _ turn: inout Turn) {
        let blocks = claim.blocks
        let middle = blocks.lowerBound + UInt64(blocks.count) / 2
        let pieces = [blocks, blocks.lowerBound..<middle, middle..<blocks.upperBound].filter { !$0.isEmpty }
        var own: [Audits.Dispute.Own] = []
        for piece in pieces {
            let attempt = ledger.newAttempt()
            // A single block cannot be split. An instance that has computed other blocks computes it again, which shows
            // whether the simulation keeps state between blocks.
            let isFresh = blocks.count > 1 || own.isEmpty
            own.append(
                Audits.Dispute.Own(
                    attempt: attempt, rest: piece, isFresh: isFresh, tally: layout.empty, bound: bound(of: claim)))
            judge(own[own.count - 1], &turn)
        }
        audits.open(Audits.Dispute(claim: claim, witness: witness, other: other, own: own))
    }

    private func judge(_ own: Audits.Dispute.Own, _ turn: inout Turn) {
        let chunk = Chunk(attempt: AttemptID(job: id, number: own.attempt), blocks: own.rest, bound: own.bound)
        turn.act(.compute(chunk, spec.experiment, trials: spec.goal.trials, as: .referee(isFresh: own.isFresh)))
    }

    /// Takes the result of a chunk of a dispute, which this node computed. Returns the nodes that were wrong.
    mutating func judged(_ outcome: ChunkOutcome, _ turn: inout Turn) -> [NodeID] {
        let attempt = outcome.attempt.number
        if audits.proofs.isOurs(attempt) { return searched(outcome, &turn) }
        guard audits.isOurs(attempt) else { return [] }
        switch outcome {
        case .failed(let failure):
            fail("it fails at block \(failure.block) with seed \(spec.experiment.seed): \(failure.text)", &turn)
            return []
        case .done(let result):
            let dispute = audits.judge(attempt, end: result.end, tally: result.tally, layout)
            if audits.isOurs(attempt), let own = audits.goOn(attempt, as: ledger.newAttempt()) {
                // The chunk ended early, because it wrote much or the job was interrupted. The dispute continues.
                judge(own, &turn)
                return []
            }
            guard let dispute, let ruling = dispute.ruling(layout) else { return [] }
            audits.close(dispute)
            guard case .liars(let nodes) = ruling, !nodes.contains(own) else {
                // Two results that differ, both computed here, cannot be a lie.
                let blocks = dispute.claim.blocks
                let why =
                    "it is not repeatable: blocks \(blocks.lowerBound) to \(blocks.upperBound - 1) with seed "
                    + "\(spec.experiment.seed) gave two different results on one machine, so it has hidden state"
                fail(.other(why), &turn)
                return []
            }
            conclude(&turn)
            return nodes
        }
    }

    /// Shuts out a node: none of its results count, and all of its blocks are computed again.
    mutating func shutOut(_ node: NodeID, _ turn: inout Turn) {
        guard let progress = workerProgress[node], !isOver else { return }
        workerProgress.change(node) {
            $0.stage = .shutOut
            $0.trials = 0
        }
        for (witness, attempts) in audits.forget(node) { drop(attempts, at: witness, &turn) }
        takeBack(from: node, &turn)
        // The node may have computed for an earlier coordinator, too.
        let before = ledger.withdraw(node).subtractingReportingOverflow(progress.trials)
        if !before.overflow { lineage.withdraw(before.partialValue) }
        unsettle(&turn)
        // A complete job becomes incomplete, unless it was precise enough before the first wrong result.
        switch phase {
        case .concluding(let completion, _) where evaluation.precise == nil:
            guard !ledger.isComplete || completion == .precision else { break }
            clock.start(turn.now)
            switch completion {
            case .trials, .precision: phase = .running
            case .duration, .stopped:
                phase = .filling(completion, until: nil)
                stopAgain(completion, &turn)
            }
        case .filling(let completion, _): stopAgain(completion, &turn)
        case .concluding, .waiting, .opening, .running, .paused, .stopping, .over: break
        }
        settle(&turn)
    }

    /// Chooses the end again, because many blocks that were done at the first choice may be missing now.
    private mutating func stopAgain(_ completion: Completion, _ turn: inout Turn) {
        let patience = completion == .stopped ? JobLimits.impatience : JobLimits.patience
        stop(completion, patience: patience, &turn)
    }

    /// Some blocks are no longer settled, so readings of them are void.
    mutating func unsettle(_ turn: inout Turn) {
        keepRest(&turn)
        evaluation.withdraw(settled: ledger.settledTrials)
        phase.askAgain()
        hasNews = true
    }
}
