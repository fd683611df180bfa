import PotluckCore

/// The pieces of jobs in a ledger's file. The pieces of one commit share a row.
///
/// A settled piece stays in its row until the whole row is settled. Readers skip the pieces below the settled blocks.
struct PieceRows {
    let database: Database

    /// The most 64-bit words in a row. More pieces make several rows, so that damage to one loses little.
    private static let most = 1 << 17

    // MARK: Writing

    /// Changes the file's content from `old` to `job`. Both lists are in order, so one pass finds the removed and the
    /// added pieces. A row may still have settled pieces, which count again if the settled blocks are damaged. So all
    /// rows are written again if `isRewritten`: a liar's pieces may be among them.
    func write(_ job: KeptJob, before old: KeptJob?, isRewritten: Bool) throws(StoreError) {
        let settled = job.settled.blocks
        var isAnew = isRewritten || old.map { settled < $0.settled.blocks } ?? false
        var fresh: [BlockTally] = []
        let (before, now) = (old?.pieces ?? [], job.pieces)
        var (i, j) = (0, 0)
        while i < before.count || j < now.count {
            if i < before.count, j < now.count, before[i] == now[j] {
                (i, j) = (i + 1, j + 1)
            } else if i < before.count, j >= now.count || before[i].blocks.lowerBound <= now[j].blocks.lowerBound {
                if before[i].blocks.lowerBound >= settled { isAnew = true }
                i += 1
            } else {
                fresh.append(now[j])
                j += 1
            }
        }
        let id = SQLValue(job.record.id.number)
        if isAnew {
            try remove(id, until: .max)
            fresh = now
        } else if let old, settled > old.settled.blocks {
            try remove(id, until: settled)
        }
        try insert(fresh, of: job.record.id.number)
    }

    /// Removes the rows that have no piece beyond that block.
    private func remove(_ job: SQLValue, until block: UInt64) throws(StoreError) {
        // The column is signed. No job has so many blocks that the highest bit is set.
        let block = SQLValue(min(block, UInt64(Int64.max)))
        try database.run("DELETE FROM batch WHERE job = ? AND ends <= ?", job, block)
        try database.run("DELETE FROM piece WHERE job = ? AND ends <= ?", job, block)
    }

    private func insert(_ pieces: [BlockTally], of job: UInt64) throws(StoreError) {
        var (words, ends): ([UInt64], UInt64) = ([], 0)
        for (place, piece) in pieces.enumerated() {
            let node = piece.node.words
            words += [piece.blocks.lowerBound, piece.blocks.upperBound, node.0, node.1, UInt64(piece.tally.count)]
            words += piece.tally
            ends = max(ends, piece.blocks.upperBound)
            guard words.count >= Self.most || place == pieces.count - 1 else { continue }
            try database.run(
                "INSERT INTO batch(job, ends, pieces, seal) VALUES(?, ?, ?, ?)", SQLValue(job), SQLValue(ends),
                .octets(words.octets), SQLValue(Seal.of(job, ends, tally: words)))
            (words, ends) = ([], 0)
        }
    }

    // MARK: Reading

    /// Returns the pieces beyond the settled blocks, in order. Calls `lost` with a line if some cannot be trusted.
    func read(
        of id: JobID, beyond settled: UInt64, lost: (String) -> Void
    ) throws(StoreError) -> [BlockTally] {
        var found: [BlockTally] = []
        var isDamaged = false
        try database.rows(
            "SELECT ends, pieces, seal FROM batch WHERE job = ?", SQLValue(id.number)
        ) { (row) throws(StoreError) in
            guard let words = [UInt64](octets: row.octets(1)),
                Seal.of(id.number, row.unsigned(0), tally: words) == row.unsigned(2),
                let pieces = Self.pieces(words)
            else {
                isDamaged = true
                return
            }
            found += pieces.filter { $0.blocks.lowerBound >= settled }
        }
        try database.rows(
            "SELECT first, ends, node, tally, seal FROM piece WHERE job = ?", SQLValue(id.number)
        ) { (row) throws(StoreError) in
            let (first, end) = (row.unsigned(0), row.unsigned(1))
            guard end > first, let node = NodeID(row.octets(2)), let tally = [UInt64](octets: row.octets(3)),
                Seal.of(id.number, first, end, tally: tally, octets: node.octets) == row.unsigned(4)
            else {
                isDamaged = true
                return
            }
            if first >= settled { found.append(BlockTally(blocks: first..<end, node: node, tally: tally)) }
        }
        var pieces: [BlockTally] = []
        for piece in found.sorted(by: { $0.blocks.lowerBound < $1.blocks.lowerBound }) {
            if piece.blocks.lowerBound >= pieces.last?.blocks.upperBound ?? 0 {
                pieces.append(piece)
            } else {
                isDamaged = true
            }
        }
        if isDamaged { lost("some results of job \(id) are damaged; their blocks are computed again") }
        return pieces
    }

    private static func pieces(_ words: [UInt64]) -> [BlockTally]? {
        var pieces: [BlockTally] = []
        var rest = words[...]
        while !rest.isEmpty {
            let head = Array(rest.prefix(5))
            rest = rest.dropFirst(5)
            guard head.count == 5, head[0] < head[1], head[4] <= UInt64(rest.count) else { return nil }
            let tally = Array(rest.prefix(Int(head[4])))
            rest = rest.dropFirst(tally.count)
            pieces.append(BlockTally(blocks: head[0]..<head[1], node: NodeID(words: (head[2], head[3])), tally: tally))
        }
        return pieces
    }
}
