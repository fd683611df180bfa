import PotluckCore
import PotluckKit

/// How a ledger outlives its coordinator.
extension Ledger {
    /// Makes a ledger from a journal or a replica. Its unusable parts are computed again.
    init(_ experiment: Experiment, layout: TallyLayout, goal: Goal, kept: KeptJob) {
        let isWhole =
            kept.settled.blocks > experiment.range(of: goal).lowerBound && Self.isWhole(kept, experiment, layout, goal)
        self.init(experiment, layout: layout, goal: goal, base: isWhole ? kept.settled : nil)
        if let end = kept.end, !layout.isOfSearch { self.end = max(min(end, self.end), settled) }
        for piece in kept.pieces where layout.misfit(piece.tally) == nil {
            guard piece.blocks.lowerBound >= fresh, piece.blocks.upperBound <= end,
                Self.liesInOneInterval(piece.blocks)
            else { continue }
            if piece.blocks.lowerBound > fresh { giveBack(fresh..<piece.blocks.lowerBound) }
            fresh = piece.blocks.upperBound
            loose.append(piece)
            layout.merge(piece.tally, into: &total)
            totalTrials += trials(in: piece.blocks)
        }
        if let end = kept.end, layout.isOfSearch, end < self.end { giveUpRest() }
        assert(isSound)
    }

    /// Whether all checkpoints that were passed are there. Without one of them the stop rule might end the job
    /// elsewhere.
    private static func isWhole(
        _ kept: KeptJob, _ experiment: Experiment, _ layout: TallyLayout, _ goal: Goal
    ) -> Bool {
        guard layout.misfit(kept.settled.tally) == nil,
            kept.settled.blocks <= experiment.range(of: goal).upperBound
        else { return false }
        // A slice needs them for the stop rule of the whole job.
        if let slice = goal.slice, !layout.isOfSearch {
            let inside = Checkpoint.inside(slice).filter { $0 <= kept.settled.blocks }
            return kept.checkpoints.map(\.blocks).starts(with: inside)
        }
        guard goal.precision != nil else { return true }
        let passed = Checkpoint.after(kept.settled.blocks)
        let last = passed - 1
        // The checkpoint at the end of all trials is the result, which is read anyway.
        let isAtEnd =
            last >= 0 && Checkpoint.blocks(last) == kept.settled.blocks
            && goal.trials.map(experiment.blocks) == kept.settled.blocks
        let expected = (0..<passed).map(Checkpoint.blocks).dropLast(isAtEnd ? 1 : 0)
        return kept.checkpoints.map(\.blocks).starts(with: expected)
    }

    static func liesInOneInterval(_ blocks: Range<UInt64>) -> Bool {
        Checkpoint.after(blocks.lowerBound) == Checkpoint.after(blocks.upperBound - 1)
    }

    /// The settled blocks and their tally; nil while the ledger is patched.
    var settledPart: SettledTally? { isPatched ? nil : SettledTally(blocks: settled, tally: settledTally) }

    /// The part of the settled blocks whose tally is known. While the ledger is patched it ends at a checkpoint, or
    /// where earlier coordinators had settled.
    var surePart: SettledTally {
        if let settledPart { return settledPart }
        let interval = Checkpoint.after(settled)
        let border = interval == 0 ? 0 : Checkpoint.blocks(interval - 1)
        guard border > base.blocks else { return base }
        return SettledTally(blocks: border, tally: tally(ofIntervals: interval))
    }

    /// The end that the journal keeps. Blocks that a search has done beyond it count, too.
    var keptEnd: UInt64 { isGivenUp ? surePart.blocks : end }

    var loosePieces: [BlockTally] { Array(loose) }

    /// Counts blocks that a node offers. Returns false if any of them is done, lent or set apart.
    mutating func accept(_ offered: BlockTally) -> Bool {
        let blocks = offered.blocks
        guard layout.misfit(offered.tally) == nil, !blocks.isEmpty, blocks.upperBound <= end,
            Self.liesInOneInterval(blocks), claim(blocks)
        else { return false }
        layout.merge(offered.tally, into: &total)
        totalTrials += trials(in: blocks)
        add(offered)
        assert(isSound)
        return true
    }

    /// Takes blocks out of the free ones.
    private mutating func claim(_ blocks: Range<UInt64>) -> Bool {
        if blocks.lowerBound >= fresh {
            if blocks.lowerBound > fresh { giveBack(fresh..<blocks.lowerBound) }
            fresh = blocks.upperBound
            return true
        }
        guard
            let index = returned.firstIndex(where: {
                $0.blocks.lowerBound <= blocks.lowerBound && blocks.upperBound <= $0.blocks.upperBound
            })
        else { return false }
        let part = returned.remove(at: index)
        giveBack(part.blocks.lowerBound..<blocks.lowerBound, failedOn: part.failedOn)
        giveBack(blocks.upperBound..<part.blocks.upperBound, failedOn: part.failedOn)
        return true
    }
}
