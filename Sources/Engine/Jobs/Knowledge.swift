import PotluckCore

/// How much of a job a node has done. Of two nodes that claim to coordinate the job, the one that knows more continues
/// it.
struct Knowledge: Sendable {
    /// The number of blocks done; `whole` if it is known how the job ends.
    let blocks: UInt64
    /// How long the job had been computed by then.
    let ran: Duration

    static let whole = JobMessage.mostBlocks

    /// Whether this knowledge is worth a change of coordinator, compared with a node that has `other` blocks. It is if
    /// computing the difference again would take longer than `JobLimits.replica`, or if only this node knows how the
    /// job ends.
    func outweighs(_ other: UInt64) -> Bool {
        guard blocks > other else { return false }
        if blocks == Self.whole { return true }
        return Double(blocks - other) / Double(blocks) * ran.seconds > JobLimits.replica.seconds
    }
}

extension KeptJob {
    var knowledge: Knowledge {
        let known = pieces.reduce(settled.blocks) { $0.addingClamped(UInt64($1.blocks.count)) }
        return Knowledge(blocks: end == nil ? min(known, Knowledge.whole - 1) : Knowledge.whole, ran: ran)
    }
}

extension JobRun {
    func knowledge(_ now: Instant) -> Knowledge {
        let known = spec.experiment.blocks(for: ledger.totalTrials)
        return Knowledge(
            blocks: ending == nil ? min(known, Knowledge.whole - 1) : Knowledge.whole, ran: elapsed(now))
    }

    /// Returns the message that announces the job and its coordinator to a node.
    func claim(_ now: Instant) -> JobMessage { .job(id, spec, epoch: epoch, known: knowledge(now).blocks) }
}
