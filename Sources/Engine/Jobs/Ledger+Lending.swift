import PotluckCore
import PotluckKit

/// Lends blocks to nodes, and takes them back.
extension Ledger {
    /// The least length, in chunks, of an extent of which another node may take half.
    private static let divisible: UInt64 = 4

    /// Lends a node the next blocks, at most `most` of them and never across a checkpoint. First come free blocks that
    /// were handed out before, then those that are set apart for the node, then new ones, of which it sets `extent`
    /// apart. Nil if everything is handed out.
    ///
    /// Blocks that a node failed at go to others, unless all nodes that are `capable` have failed at them.
    mutating func lend(
        to node: NodeID, atMost most: UInt64, extent: UInt64, capable: [NodeID], now: Instant
    ) -> LentChunk? {
        let most = max(1, most)
        let index = returned.firstIndex { part in
            !part.failedOn.contains(node) || capable.allSatisfy { part.failedOn.contains($0) }
        }
        if let index {
            let part = returned[index]
            let blocks = part.blocks.prefix(most)
            if blocks.upperBound == part.blocks.upperBound {
                returned.remove(at: index)
            } else {
                returned[index].blocks = blocks.upperBound..<part.blocks.upperBound
            }
            return loans.add(blocks, to: node, failedOn: part.failedOn, now: now)
        }
        if extents[node] == nil { begin(extent: max(extent, most), for: node, chunk: most) }
        guard let own = extents[node] else { return nil }
        let blocks = own.prefix(most)
        extents[node] = blocks.upperBound == own.upperBound ? nil : blocks.upperBound..<own.upperBound
        return loans.add(blocks, to: node, failedOn: [], now: now)
    }

    /// Returns a new number for an attempt. Audits take theirs here, too.
    mutating func newAttempt() -> UInt64 { loans.newAttempt() }

    private mutating func begin(extent: UInt64, for node: NodeID, chunk: UInt64) {
        let border = Checkpoint.blocks(Checkpoint.after(fresh))
        // When all of an interval is set apart, nodes help with it before they begin the next one. So checkpoints are
        // reached soon, and all nodes end together.
        let isAtBorder = fresh == end || fresh == 0 || Checkpoint.blocks(Checkpoint.after(fresh - 1)) == fresh
        if isAtBorder, takeHalf(for: node, chunk: chunk) { return }
        guard fresh < end else { return }
        // A node gets at most an eighth of the rest of the interval, but at least a chunk.
        let rest = min(border, end) - fresh
        let size = min(rest, max(chunk, min(extent, rest / 8)))
        extents[node] = fresh..<fresh + size
        fresh += size
    }

    /// Sets apart half of the longest extent for a node. Returns false if the longest extent is too short.
    private mutating func takeHalf(for node: NodeID, chunk: UInt64) -> Bool {
        var longest: (node: NodeID, blocks: Range<UInt64>)?
        for other in extents.nodes {
            guard let blocks = extents[other], blocks.count > longest?.blocks.count ?? 0 else { continue }
            longest = (other, blocks)
        }
        guard let longest, UInt64(longest.blocks.count) >= Self.divisible * chunk else { return false }
        let middle = longest.blocks.lowerBound + UInt64(longest.blocks.count) / 2
        extents[longest.node] = longest.blocks.lowerBound..<middle
        extents[node] = middle..<longest.blocks.upperBound
        return true
    }

    /// Frees the blocks that are set apart for late nodes, which `isLate` decides. Returns false if there are none.
    mutating func freeExtents(where isLate: (NodeID) -> Bool) -> Bool {
        let owners = extents.nodes.filter(isLate)
        for owner in owners { releaseExtent(of: owner) }
        return !owners.isEmpty
    }

    /// Lends a node the blocks of a loan with which all its holders are late, which `isLate` decides. Returns nil if
    /// there is none.
    mutating func lendAgain(
        to node: NodeID, now: Instant, where isLate: (Loan, Loan.Holder) -> Bool
    ) -> LentChunk? {
        loans.addAgain(to: node, now: now, where: isLate)
    }

    // MARK: Taking back

    /// Ends a loan. Returns the holders of its other attempts.
    mutating func close(_ loan: Loan, but attempt: UInt64? = nil) -> [Loan.Holder] {
        loans.end(loan)
        return loan.holders.filter { $0.attempt != attempt }
    }

    /// Ends one attempt without a result. Its blocks are free again, unless another node has them, too. Returns the
    /// blocks.
    mutating func release(_ attempt: UInt64, by node: NodeID, failed: Bool = false) -> Range<UInt64>? {
        guard let loan = loans.end(attempt, of: node, failed: failed) else { return nil }
        if loan.holders.isEmpty { giveBack(loan.blocks, failedOn: loan.failedOn) }
        return loan.blocks
    }

    /// Ends all attempts of a node and frees its extent. Returns the attempts.
    @discardableResult
    mutating func release(allOf node: NodeID) -> [UInt64] {
        let own = loans.attempts(heldBy: node)
        for attempt in own { _ = release(attempt, by: node) }
        releaseExtent(of: node)
        return own
    }

    /// Frees the blocks that are set apart for a node.
    mutating func releaseExtent(of node: NodeID) {
        guard let extent = extents[node] else { return }
        extents[node] = nil
        giveBack(extent)
    }

    mutating func giveBack(_ blocks: Range<UInt64>, failedOn: [NodeID] = []) {
        if isGivenUp { return }
        var rest = blocks.clamped(to: 0..<end)
        // An extent may be longer than an interval, and no chunk crosses a checkpoint.
        while !rest.isEmpty {
            let border = min(rest.upperBound, Checkpoint.blocks(Checkpoint.after(rest.lowerBound)))
            insert(Returned(blocks: rest.lowerBound..<border, failedOn: failedOn))
            rest = border..<rest.upperBound
        }
    }

    /// Inserts free blocks in order, and joins them with their neighbours. So a node that leaves with thousands of
    /// chunks leaves a few ranges.
    private mutating func insert(_ part: Returned) {
        var (low, high) = (0, returned.count)
        while low < high {
            let middle = (low + high) / 2
            if returned[middle].blocks.lowerBound < part.blocks.lowerBound { low = middle + 1 } else { high = middle }
        }
        var part = part
        if low < returned.count, part.continues(with: returned[low]) {
            part.blocks = part.blocks.lowerBound..<returned.remove(at: low).blocks.upperBound
        }
        if low > 0, returned[low - 1].continues(with: part) {
            returned[low - 1].blocks = returned[low - 1].blocks.lowerBound..<part.blocks.upperBound
        } else {
            returned.insert(part, at: low)
        }
    }
}

extension Ledger.Returned {
    /// Whether the two can be one: they touch, lie before the same checkpoint, and the same nodes failed at them.
    fileprivate func continues(with next: Self) -> Bool {
        blocks.upperBound == next.blocks.lowerBound && failedOn == next.failedOn
            && Checkpoint.after(blocks.lowerBound) == Checkpoint.after(next.blocks.lowerBound)
    }
}

extension Range<UInt64> {
    func prefix(_ most: UInt64) -> Range<UInt64> { lowerBound..<Swift.min(upperBound, lowerBound.addingClamped(most)) }
}
