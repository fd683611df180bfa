import PotluckModel
import PotluckWire

/// How much a node knows of a job: of two that would coordinate it, the one that knows more does.
struct Knowledge: Sendable {
    /// So many of its blocks are done; `whole` where it is known how it ends.
    let blocks: UInt64
    /// For how long it was computed until then.
    let ran: Duration

    static let whole = JobMessage.mostBlocks

    /// Whether what another one knows less is worth a change: it would take more than a moment to compute it again, or it has not heard
    /// how the job ends.
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

    /// What everybody is told of it first.
    func claim(_ now: Instant) -> JobMessage { .job(id, spec, epoch: epoch, known: knowledge(now).blocks) }
}
