import PotluckCore

/// The trials of the jobs in a ledger's file by the nodes that computed them: one row a job.
///
/// A credit is seven 64-bit words and a name. The words are the ID in two, the trials, the nodes of a search's tree in
/// two, for a browser the recomputed trials and one more, and the length of the name in bytes. The name is padded with
/// zeros to whole words. A row that cannot be trusted is left out, because no result depends on it.
struct CreditRows {
    let database: Database

    func write(_ job: KeptJob, before old: [Credit]) throws(StoreError) {
        guard job.credits != old else { return }
        let id = job.record.id.number
        guard !job.credits.isEmpty else { return try database.run("DELETE FROM credit WHERE job = ?", SQLValue(id)) }
        let words = job.credits.flatMap(\.words)
        try database.run(
            "INSERT OR REPLACE INTO credit VALUES(?, ?, ?)", SQLValue(id), .octets(words.octets),
            SQLValue(Seal.of(id, tally: words)))
    }

    func read(of job: JobID) throws(StoreError) -> [Credit] {
        var credits: [Credit] = []
        try database.rows("SELECT credits, seal FROM credit WHERE job = ?", SQLValue(job.number)) {
            (row) throws(StoreError) in
            guard let words = [UInt64](octets: row.octets(0)), Seal.of(job.number, tally: words) == row.unsigned(1)
            else { return }
            credits = Credit.list(words[...])
        }
        return credits
    }
}

extension Credit {
    private static let head = 7

    fileprivate var words: [UInt64] {
        let name = Array(name.utf8)
        let padding = [UInt8](repeating: 0, count: (8 - name.count % 8) % 8)
        let checked = recomputed?.addingClamped(1) ?? 0
        return [node.words.0, node.words.1, trials, effort.expanded, effort.inVain, checked, UInt64(name.count)]
            + ([UInt64](octets: name + padding) ?? [])
    }

    fileprivate static func list(_ words: ArraySlice<UInt64>) -> [Credit] {
        var (credits, rest): ([Credit], ArraySlice<UInt64>) = ([], words)
        while rest.count >= head {
            let fields = Array(rest.prefix(head))
            rest = rest.dropFirst(head)
            guard fields[6] <= 8 * UInt64(rest.count) else { break }
            let length = Int(fields[6])
            let name = Array(rest.prefix((length + 7) / 8)).octets.prefix(length)
            rest = rest.dropFirst((length + 7) / 8)
            credits.append(
                Credit(
                    node: NodeID(words: (fields[0], fields[1])), name: String(decoding: name, as: UTF8.self),
                    trials: fields[2], effort: SearchEffort(expanded: fields[3], inVain: fields[4]),
                    recomputed: fields[5] == 0 ? nil : fields[5] - 1))
        }
        return credits
    }
}
