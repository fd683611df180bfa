import PotluckCore
import PotluckKit

/// Counts results, settles blocks, and takes wrong results out.
extension Ledger {
    struct Settled {
        /// The blocks that are done now.
        let blocks: Range<UInt64>
        let trials: UInt64
        let since: Instant
        /// The other nodes that have the same blocks, and whose work is not needed.
        let others: [Loan.Holder]
    }

    /// Returns the loan of an attempt and its holder; nil if that node has no such attempt, because its result has come
    /// or the loan has ended.
    func lent(_ attempt: UInt64, to node: NodeID) -> (loan: Loan, holder: Loan.Holder)? {
        loans.find(attempt, of: node)
    }

    /// Returns why a result does not fit its blocks, or nil if it does.
    func misfit(_ blocks: Range<UInt64>, end: UInt64, tally: [UInt64]) -> String? {
        if let why = layout.misfit(tally) { return why }
        guard blocks.lowerBound <= end, end <= blocks.upperBound else {
            return "it returned blocks that it was not given"
        }
        return nil
    }

    /// Counts a result. Returns nil if it does not fit, or if that node has no such attempt.
    mutating func count(_ attempt: UInt64, by node: NodeID, end: UInt64, tally: [UInt64]) -> Settled? {
        guard let (loan, holder) = lent(attempt, to: node), misfit(loan.blocks, end: end, tally: tally) == nil else {
            return nil
        }
        let others = close(loan, but: attempt)
        giveBack(end..<loan.blocks.upperBound)
        let done = loan.blocks.lowerBound..<end
        let trials = trials(in: done)
        if !done.isEmpty {
            layout.merge(tally, into: &total)
            totalTrials += trials
            add(BlockTally(blocks: done, node: node, tally: tally))
        }
        return Settled(blocks: done, trials: trials, since: holder.since, others: others)
    }

    /// Adds a piece that is done. It is joined with the piece before it if both are of the same node and together have
    /// at most `grain` blocks.
    mutating func add(_ piece: BlockTally) {
        var low = loose.startIndex
        var high = loose.endIndex
        while low < high {
            let middle = (low + high) / 2
            if loose[middle].blocks.lowerBound < piece.blocks.lowerBound { low = middle + 1 } else { high = middle }
        }
        if low > loose.startIndex, UInt64(loose[low - 1].blocks.count + piece.blocks.count) <= grain,
            loose[low - 1].join(piece, layout)
        {
            return
        }
        loose.insert(piece, at: low)
    }

    /// Settles the blocks up to the first gap or the next checkpoint. Returns the checkpoint if it is reached, so that
    /// its tally can be judged; nil if nothing more can be settled.
    mutating func advance() -> Passed? {
        while true {
            if let piece = loose.first, piece.blocks.lowerBound == settled {
                loose.removeFirst()
                share(piece)
                settle(to: piece.blocks.upperBound, piece.tally)
            } else if isPatched, let end = shared(from: settled) {
                settle(to: end, nil)
            } else {
                return nil
            }
            if settled == Checkpoint.blocks(checkpoint) {
                checkpoint += 1
                return Passed(
                    checkpoint: checkpoint - 1, trials: settledTrials, tally: tally(ofIntervals: checkpoint))
            }
        }
    }

    /// Settles the blocks before `block`. `tally` is the tally of the newly settled blocks; nil if it is only known as
    /// part of shares.
    private mutating func settle(to block: UInt64, _ tally: [UInt64]?) {
        precondition(block <= end, "no block beyond the job's end can be settled")
        let wasPatched = isPatched
        settled = block
        if let tally, !wasPatched {
            layout.merge(tally, into: &settledTally)
        } else if wasPatched, !isPatched {
            settledTally = self.tally(ofIntervals: intervals.count)
        }
    }

    private mutating func share(_ piece: BlockTally) {
        let interval = Checkpoint.after(piece.blocks.lowerBound)
        while intervals.count <= interval { intervals.append([]) }
        let index = place(of: piece.node, in: interval)
        layout.merge(piece.tally, into: &intervals[interval][index].tally)
        intervals[interval][index].ranges.join(piece.blocks)
    }

    /// Returns the index of the node's share of an interval. Adds an empty share if there is none.
    private mutating func place(of node: NodeID, in interval: Int) -> Int {
        if let found = intervals[interval].firstIndex(where: { $0.node == node }) { return found }
        intervals[interval].append(Share(node: node, tally: layout.empty))
        return intervals[interval].count - 1
    }

    /// Returns the end of the shared range that contains this block; nil if there is none.
    private func shared(from block: UInt64) -> UInt64? {
        let interval = Checkpoint.after(block)
        guard interval < intervals.count else { return nil }
        for share in intervals[interval] {
            if let range = share.ranges.first(where: { $0.contains(block) }) { return range.upperBound }
        }
        return nil
    }

    /// Returns the tally of all shares before that checkpoint, and of what an earlier coordinator settled.
    func tally(ofIntervals count: Int) -> [UInt64] {
        var tally = base.tally
        for interval in intervals.prefix(count) {
            for share in interval { layout.merge(share.tally, into: &tally) }
        }
        return tally
    }

    /// Returns the number of trials before that block that each node has done. Trials that an earlier coordinator
    /// settled are of no known node.
    func trials(before end: UInt64) -> [NodeID: UInt64] {
        var trials: [NodeID: UInt64] = [:]
        func add(_ blocks: Range<UInt64>, _ node: NodeID) {
            trials[node, default: 0] += self.trials(in: blocks.clamped(to: 0..<end))
        }
        for share in intervals.joined() { for range in share.ranges { add(range, share.node) } }
        for piece in loose { add(piece.blocks, piece.node) }
        return trials
    }

    // MARK: Taking out and cutting

    /// Takes out everything that a node has done, so that it is computed again. Returns the number of trials taken out.
    mutating func withdraw(_ node: NodeID) -> UInt64 {
        release(allOf: node)
        var taken: [Range<UInt64>] = []
        for interval in intervals.indices {
            // Blocks that earlier coordinators settled or that forgotten nodes computed may be this node's work, too.
            // So they are computed again.
            while let index = intervals[interval].firstIndex(where: { $0.node == node || $0.node == .nobody }) {
                taken += intervals[interval].remove(at: index).ranges
            }
        }
        if base.blocks > first { taken.insert(first..<base.blocks, at: 0) }
        base = SettledTally(blocks: first, tally: layout.empty)
        if let lowest = taken.map(\.lowerBound).min(), lowest < settled {
            patchEnd = max(patchEnd, settled)
            settled = lowest
            checkpoint = Checkpoint.after(lowest)
        }
        taken += loose.filter { $0.node == node }.map(\.blocks)
        loose.removeAll { $0.node == node }
        var trials: UInt64 = 0
        for blocks in taken {
            trials += self.trials(in: blocks)
            giveBack(blocks)
        }
        recount()
        assert(isSound)
        return trials
    }

    /// Forgets which blocks a node has done. It left for good, and shares are not kept for ever.
    mutating func forget(_ node: NodeID) {
        for interval in intervals.indices {
            guard let index = intervals[interval].firstIndex(where: { $0.node == node }) else { continue }
            let share = intervals[interval].remove(at: index)
            let nobody = place(of: .nobody, in: interval)
            layout.merge(share.tally, into: &intervals[interval][nobody].tally)
            for range in share.ranges { intervals[interval][nobody].ranges.join(range) }
        }
    }

    /// Computes the totals again.
    mutating func recount() {
        total = tally(ofIntervals: intervals.count)
        totalTrials = trials(in: first..<base.blocks)
        for share in intervals.joined() { for range in share.ranges { totalTrials += trials(in: range) } }
        for piece in loose {
            layout.merge(piece.tally, into: &total)
            totalTrials += trials(in: piece.blocks)
        }
    }
}

extension [Range<UInt64>] {
    /// Adds a range to ranges in order that it does not overlap, and joins it with those it touches.
    mutating func join(_ range: Range<UInt64>) {
        if let last, last.upperBound == range.lowerBound {
            self[count - 1] = last.lowerBound..<range.upperBound
            return
        }
        let place = firstIndex { $0.lowerBound >= range.upperBound } ?? endIndex
        var joined = range
        var replaced = place..<place
        if place < endIndex, self[place].lowerBound == range.upperBound {
            joined = joined.lowerBound..<self[place].upperBound
            replaced = replaced.lowerBound..<place + 1
        }
        if place > 0, self[place - 1].upperBound == range.lowerBound {
            joined = self[place - 1].lowerBound..<joined.upperBound
            replaced = place - 1..<replaced.upperBound
        }
        replaceSubrange(replaced, with: [joined])
    }
}
