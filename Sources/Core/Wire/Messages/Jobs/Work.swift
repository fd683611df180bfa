import PotluckKit

/// The fields of what workers are lent and return.
extension WorkResult: WireRecord {
    package static let blank = WorkResult(attempt: 0, end: 0, tally: [], busy: .zero)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.number(1, &attempt)
        try v.number(2, &end, atMost: JobMessage.mostBlocks)
        try v.duration(3, &busy)
        try v.slots(4, &tally, atMost: JobMessage.mostSlots)
        try v.blob(5, &output, atMost: BlobReference.largestOutput)
        try v.effort(6, &effort)
    }
}

extension OfferedWork: WireRecord {
    package static let blank = OfferedWork(blocks: 0..<0, tally: [], busy: .zero)

    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.blocks(1, &blocks)
        try v.duration(3, &busy)
        try v.slots(4, &tally, atMost: JobMessage.mostSlots)
    }
}

extension FieldVisitor {
    /// Visits the nodes of a search that were looked at, under two tags.
    mutating func effort(_ tag: UInt64, _ effort: inout SearchEffort) throws(WireError) {
        var (expanded, inVain) = (effort.expanded, effort.inVain)
        try number(tag, &expanded)
        try number(tag + 1, &inVain)
        let (all, lost) = (expanded, inVain)
        try check(lost <= all, "more nodes of a tree in vain than were looked at")
        effort = SearchEffort(expanded: expanded, inVain: inVain)
    }

    /// Visits each number as its difference from the number after the previous one.
    mutating func attempts(_ tag: UInt64, _ attempts: inout [UInt64]) throws(WireError) {
        var expected: UInt64 = 0
        try packed(tag, &attempts, blank: 0, atMost: LentChunk.most) {
            (bytes: inout Bytes, attempt: inout UInt64) throws(WireError) in
            try bytes.difference(&attempt, from: expected)
            expected = attempt &+ 1
        }
    }

    /// Visits three numbers for each chunk: the attempt, as its difference from the number after the previous one; the
    /// first block, as its difference from the end of the previous chunk; and the number of blocks. Consecutive chunks,
    /// the usual case, take only a few bytes each.
    mutating func chunks(_ tag: UInt64, _ chunks: inout [LentChunk]) throws(WireError) {
        var (attempt, block): (UInt64, UInt64) = (0, 0)
        try packed(tag, &chunks, blank: LentChunk(attempt: 0, blocks: 0..<0), atMost: LentChunk.most) {
            (bytes: inout Bytes, chunk: inout LentChunk) throws(WireError) in
            var (number, first, count) = (
                chunk.attempt, chunk.blocks.lowerBound, chunk.blocks.upperBound - chunk.blocks.lowerBound
            )
            try bytes.difference(&number, from: attempt)
            try bytes.difference(&first, from: block)
            try bytes.varint(&count)
            try bytes.check(
                first < JobMessage.mostBlocks && (1...JobMessage.mostBlocks - first).contains(count),
                "a chunk without blocks, or with block numbers that are too large")
            chunk.attempt = number
            chunk.blocks = first..<first + count
            (attempt, block) = (number &+ 1, chunk.blocks.upperBound)
        }
    }

    /// Visits the bounds of a search's chunks: for each chunk whether its bound is fixed, the key, and the point. Absent
    /// for other work.
    mutating func bounds(_ tag: UInt64, of chunks: inout [LentChunk]) throws(WireError) {
        let isSearch = chunks.contains { $0.bound != nil }
        var bounds = isSearch ? chunks.map { $0.bound ?? SearchBound() } : []
        try packed(tag, &bounds, blank: SearchBound(), atMost: chunks.count) {
            (bytes: inout Bytes, bound: inout SearchBound) throws(WireError) in
            var (best, isFixed) = (bound.best, bound.isFixed)
            try bytes.flag(&isFixed)
            try bytes.best(&best)
            bound = SearchBound(best, isFixed: isFixed)
        }
        guard !bounds.isEmpty else { return }
        try check(bounds.count == chunks.count, "bounds without chunks")
        for (index, bound) in zip(chunks.indices, bounds) { chunks[index].bound = bound }
    }

    package mutating func best(_ tag: UInt64, _ best: inout Best?) throws(WireError) {
        try packed(tag, &best, blank: Best()) {
            (bytes: inout Bytes, best: inout Best) throws(WireError) in try bytes.best(&best)
        }
    }

    package mutating func best(_ tag: UInt64, _ best: inout Best) throws(WireError) {
        var optional: Best? = best
        try self.best(tag, &optional)
        try check(optional != nil, "a message without a required field")
        best = optional ?? best
    }
}

extension ByteVisitor {
    fileprivate mutating func best(_ best: inout Best) throws(WireError) {
        try fixed(&best.key)
        try fixed(&best.point)
        let read = best
        try check(
            read.isEmpty ? read.point == .max : read.point < SearchSpace.points, "a bound that no search has")
    }
}
