import PotluckCore
import PotluckKit

/// Writes runs to rows and reads them.
struct HistoryRows {
    let database: Database

    // MARK: Writing

    /// Inserts a run with the ID `number`, or with the next free one. Returns its ID; if the key of the run is already
    /// recorded, the existing ID.
    func insert(_ run: RunRecord, number: Int64? = nil) throws(StoreError) -> (id: Int64, isNew: Bool) {
        try database.run(
            "INSERT INTO run VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(key) DO NOTHING",
            number.map(SQLValue.integer) ?? .null, .text(run.key), .text(run.simulation.name), .integer(run.startedAt),
            SQLValue(run.trials),
            .integer(run.elapsed.nanoseconds), SQLValue(run.rate), SQLValue(run.cores), SQLValue(run.nodeCount),
            .integer(RowCoding.number(run.completion)), SQLValue(run.seed), .text(run.digest),
            SQLValue(run.origin?.session), SQLValue(run.origin?.submitter))
        guard database.changes > 0 else {
            return (try database.number("SELECT id FROM run WHERE key = ?", .text(run.key)), false)
        }
        let id = database.lastRow
        try insertPiece(run, id)
        for (place, parameter) in run.effective.enumerated() {
            try database.run(
                "INSERT INTO parameter VALUES(?, ?, ?, ?, ?)", .integer(id), SQLValue(place), .text(parameter.name),
                .text(parameter.text), SQLValue(parameter.number))
        }
        for (place, reading) in run.readings.enumerated() { try insert(reading, of: id, at: place) }
        try insertShares(run, id)
        for note in run.notes { try insert(note, of: id) }
        return (id, true)
    }

    /// Writes the whole run as one piece, which can be found and read without any other row of the store.
    func insertPiece(_ run: RunRecord, _ id: Int64) throws(StoreError) {
        let octets = RunCoding.octets(run)
        try database.run(
            "INSERT OR REPLACE INTO piece VALUES(?, ?, ?)", .integer(id), .octets(octets),
            SQLValue(RunCoding.seal(id, octets)))
    }

    private func insertShares(_ run: RunRecord, _ id: Int64) throws(StoreError) {
        let nodes = JSON.object(run.nodeShares.map { ($0.name, .number($0.share)) })
        try database.run("INSERT INTO share VALUES(?, ?)", .integer(id), .text(nodes.text))
    }

    /// Writes the shares of each run, which version 5 of a history has for searching.
    static let sharesOfPieces: StoreKind.Rewrite = { (database) throws(StoreError) in
        let rows = HistoryRows(database: database)
        for id in try rows.numbers() {
            // A damaged run has no nodes to search for, and stays as it is for a repair.
            if let run = (try? rows.run(id)) ?? nil { try rows.insertShares(run, id) }
        }
    }

    private func insert(_ reading: Reading, of id: Int64, at place: Int) throws(StoreError) {
        try database.run(
            "INSERT INTO reading VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", .integer(id), SQLValue(place),
            .text(reading.name), SQLValue(Int(reading.kind.rawValue)), SQLValue(reading.value),
            SQLValue(reading.interval?.lowerBound), SQLValue(reading.interval?.upperBound), SQLValue(reading.exact),
            SQLValue(reading.varies ? 1 : 0), SQLValue(reading.isSpoilt ? 1 : 0))
    }

    private func insert(_ note: RunNote, of id: Int64) throws(StoreError) {
        try database.run(
            "INSERT INTO note(run, at, text) VALUES(?, ?, ?)", .integer(id), .integer(note.at), .text(note.text))
    }

    /// Adds a note. Returns false if there is no run with this ID.
    func add(_ note: RunNote, to id: Int64) throws(StoreError) -> Bool {
        guard var run = try run(id) else { return false }
        run.notes.append(note)
        try insertPiece(run, id)
        try insert(note, of: id)
        return true
    }

    // MARK: Reading

    func run(_ id: Int64) throws(StoreError) -> RunRecord? {
        var found: RunRecord?
        try database.rows("SELECT octets, seal FROM piece WHERE run = ?", .integer(id)) { (row) throws(StoreError) in
            let octets = row.octets(0)
            guard row.unsigned(1) == RunCoding.seal(id, octets), let run = RunCoding.run(octets) else {
                throw StoreError(.damaged, database.path, "run \(id) does not match its checksum")
            }
            found = run
        }
        return found
    }

    func numbers() throws(StoreError) -> [Int64] {
        var ids: [Int64] = []
        try database.rows("SELECT id FROM run ORDER BY id") { (row) throws(StoreError) in ids.append(row.integer(0)) }
        return ids
    }

    func fillParameters(of runs: inout [RunSummary]) throws(StoreError) {
        try fill(
            &runs, \.parameters, of: "SELECT run, name, text FROM parameter WHERE run = ? ORDER BY place",
            of: "SELECT run, name, text FROM parameter WHERE run BETWEEN ? AND ? ORDER BY run, place"
        ) { RecordedValue(name: $0.text(1), text: $0.text(2)) }
    }

    func fillShares(of runs: inout [RunSummary]) throws(StoreError) {
        try fill(
            &runs, \.nodeShares,
            of: """
                SELECT share.run, part.key, part.value FROM share, json_each(share.nodes) AS part
                WHERE share.run = ? ORDER BY part.id
                """,
            of: """
                SELECT share.run, part.key, part.value FROM share, json_each(share.nodes) AS part
                WHERE share.run BETWEEN ? AND ? ORDER BY share.run, part.id
                """
        ) { NodeShare(name: $0.text(1), share: $0.real(2) ?? 0) }
    }

    /// Fills in a list of each run, from the rows of one run or of a range of IDs, whose first column is the run. If the
    /// list has most runs of a range, one pass over it takes a third of the time of a query for each run.
    private func fill<Value>(
        _ runs: inout [RunSummary], _ part: WritableKeyPath<RunSummary, [Value]>, of one: StaticString,
        of range: StaticString, _ value: (Statement) -> Value
    ) throws(StoreError) {
        guard let first = runs.lazy.map(\.id).min(), let last = runs.lazy.map(\.id).max() else { return }
        let (span, isTooFar) = last.subtractingReportingOverflow(first)
        guard !isTooFar, span < 4 * Int64(runs.count) else {
            for index in runs.indices {
                var values: [Value] = []
                try database.rows(one, .integer(runs[index].id)) { (row) throws(StoreError) in
                    values.append(value(row))
                }
                runs[index][keyPath: part] = values
            }
            return
        }
        var places = [Int](repeating: -1, count: Int(span) + 1)
        for (place, run) in runs.enumerated() { places[Int(run.id - first)] = place }
        var values: [Value] = []
        var current = first
        // Assign whole lists, because each change of a list in place would cost as much.
        func put() {
            let place = places[Int(current - first)]
            if place >= 0 { runs[place][keyPath: part] = values }
            values.removeAll(keepingCapacity: true)
        }
        try database.rows(range, .integer(first), .integer(last)) { (row) throws(StoreError) in
            let run = row.integer(0)
            if run != current {
                put()
                current = run
            }
            values.append(value(row))
        }
        put()
    }
}
