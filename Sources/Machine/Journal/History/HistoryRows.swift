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

    private func parameters(of id: Int64) throws(StoreError) -> [RecordedValue] {
        var values: [RecordedValue] = []
        try database.rows(
            "SELECT name, text FROM parameter WHERE run = ? ORDER BY place", .integer(id)
        ) { (row) throws(StoreError) in values.append(RecordedValue(name: row.text(0), text: row.text(1))) }
        return values
    }

    /// Fills in the parameters of each run. If the list has most runs of a range of IDs, one pass over the range takes
    /// a third of the time of a query for each run.
    func fillParameters(of runs: inout [RunSummary]) throws(StoreError) {
        guard let first = runs.lazy.map(\.id).min(), let last = runs.lazy.map(\.id).max() else { return }
        let (span, isTooFar) = last.subtractingReportingOverflow(first)
        guard !isTooFar, span < 4 * Int64(runs.count) else {
            for index in runs.indices {
                runs[index].parameters = try parameters(of: runs[index].id)
            }
            return
        }
        var places = [Int](repeating: -1, count: Int(span) + 1)
        for (place, run) in runs.enumerated() { places[Int(run.id - first)] = place }
        var values: [RecordedValue] = []
        var current = first
        // Assign whole lists, because each change of a list in place would cost as much.
        func put() {
            let place = places[Int(current - first)]
            if place >= 0 { runs[place].parameters = values }
            values.removeAll(keepingCapacity: true)
        }
        try database.rows(
            "SELECT run, name, text FROM parameter WHERE run BETWEEN ? AND ? ORDER BY run, place",
            .integer(first), .integer(last)
        ) { (row) throws(StoreError) in
            let run = row.integer(0)
            if run != current {
                put()
                current = run
            }
            values.append(RecordedValue(name: row.text(1), text: row.text(2)))
        }
        put()
    }
}
