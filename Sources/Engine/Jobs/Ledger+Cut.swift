import PotluckCore

/// Ends a job before its last block.
extension Ledger {
    /// Chooses the block that the job ends with: the latest one with at most `budget` blocks still to be computed
    /// before it. Drops the blocks that were done beyond it. There must be no loan.
    mutating func cut(filling budget: UInt64) {
        precondition(loans.isEmpty, "a ledger with loans cannot be cut")
        let gaps = self.gaps
        guard !gaps.isEmpty else { return }
        let wasPatched = isPatched
        end = latestEnd(gaps, budget)
        returned.removeAll { $0.blocks.lowerBound >= end }
        for node in extents.nodes where extents[node].map({ $0.lowerBound >= end }) ?? false {
            extents[node] = nil
        }
        fresh = min(fresh, end)
        loose.removeAll { $0.blocks.lowerBound >= end }
        for interval in intervals.indices {
            intervals[interval].removeAll { $0.ranges.allSatisfy { $0.lowerBound >= end } }
        }
        settled = min(settled, end)
        patchEnd = min(patchEnd, end)
        checkpoint = Checkpoint.after(settled)
        if wasPatched, !isPatched { settledTally = tally(ofIntervals: intervals.count) }
        recount()
        assert(isSound)
    }

    /// Ends a search before all of it is searched. All searched points count, gaps or not: the best is not that of the
    /// first points anyway, and a search that was stopped cannot be repeated as a prefix. There must be no loan.
    mutating func giveUpRest() {
        precondition(loans.isEmpty, "a ledger with loans cannot be cut")
        guard !gaps.isEmpty else { return }
        (returned, extents, fresh, isGivenUp) = ([], Extents(), end, true)
    }

    /// The blocks that are neither done nor lent, in order.
    private var gaps: [Range<UInt64>] {
        var gaps = returned.map(\.blocks) + extents.nodes.compactMap { extents[$0] }
        if fresh < end { gaps.append(fresh..<end) }
        return gaps.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The latest block that the job can end with for at most `budget` blocks more. The job ends where a gap begins,
    /// because that keeps all that is done before it, or at a checkpoint, because a node's share of an interval is kept
    /// or dropped whole.
    private func latestEnd(_ gaps: [Range<UInt64>], _ budget: UInt64) -> UInt64 {
        let borders = intervals.indices.dropLast().map(Checkpoint.blocks)
        let begins = gaps.map(\.lowerBound)
        let choices = Set(begins + borders + [0, base.blocks, end]).sorted()
        var latest = base.blocks
        var cost: UInt64 = 0
        var next = 0
        for choice in choices where choice >= base.blocks && choice <= end {
            while next < gaps.count, gaps[next].lowerBound < choice {
                cost += UInt64(gaps[next].count)
                next += 1
            }
            guard cost <= budget else { break }
            // An end right after a gap is no better than one before it.
            let isAfterGap = next > 0 && gaps[next - 1].upperBound == choice
            if !isAfterGap, canEnd(at: choice) { latest = choice }
        }
        return latest
    }

    /// Whether every share lies before that block or beyond it.
    private func canEnd(at block: UInt64) -> Bool {
        let interval = Checkpoint.after(block)
        guard intervals.indices.contains(interval) else { return true }
        return intervals[interval].allSatisfy { share in
            share.ranges.allSatisfy { $0.upperBound <= block } || share.ranges.allSatisfy { $0.lowerBound >= block }
        }
    }
}
