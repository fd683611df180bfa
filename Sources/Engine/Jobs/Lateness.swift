import PotluckCore

/// Which nodes take longer than they should at one moment of a job.
struct Lateness {
    private let workerProgress: OrderedTable<NodeID, WorkerProgress>
    private let ledger: Ledger
    private let audits: Audits
    private let pendingOutputs: PendingOutputs
    private let now: Instant

    init(_ run: JobRun, _ now: Instant) {
        (workerProgress, ledger, audits) = (run.workerProgress, run.ledger, run.audits)
        (pendingOutputs, self.now) = (run.pendingOutputs, now)
    }

    /// Whether the node is late with a chunk or an audit that it has in hand. It may have stopped.
    func isLate(_ node: NodeID) -> Bool {
        if mayHaveStopped(node) { return true }
        let isLateWithChunk = ledger.loans.attempts(heldBy: node).contains { attempt in
            ledger.lent(attempt, to: node).map { isLate($0.loan, $0.holder) } ?? false
        }
        return isLateWithChunk
            || audits.underWay(at: node).contains { isOver($0.blocks, at: node, since: $0.since) }
    }

    /// Whether the node is late with that chunk.
    func isLate(_ loan: Loan, _ holder: Loan.Holder) -> Bool {
        if pendingOutputs[holder.attempt] != nil || audits.proofs.isHeld(holder.attempt) { return false }
        return mayHaveStopped(holder.node) || isOver(loan.blocks, at: holder.node, since: holder.since)
    }

    /// Whether the node has returned nothing since its latest chunks went to others. What it has in hand is late at
    /// once. Otherwise each chunk that it gets near the end would hold up the job.
    private func mayHaveStopped(_ node: NodeID) -> Bool {
        guard let progress = workerProgress[node] else { return true }
        return progress.contact != .regular
    }

    private func isOver(_ blocks: Range<UInt64>, at node: NodeID, since: Instant) -> Bool {
        guard let progress = workerProgress[node] else { return true }
        let ahead = progress.pace.time(for: UInt64(blocks.count)) * (1 + ledger.count(heldBy: node))
        return now - since > ahead * JobLimits.late
    }
}
