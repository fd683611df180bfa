import PotluckCore

/// The parts of a damaged history that can still be read. It reads with SQLite where possible, and also page by page.
struct HistoryFindings {
    /// The readable runs, by ID.
    private(set) var runs: [Int64: RunRecord] = [:]
    /// The IDs of all runs of which any trace was found.
    private(set) var numbers: Set<Int64> = []
    /// What is wrong with the store; nil if nothing is.
    private(set) var trouble: StoreError?

    /// Reads `copy`, a copy of the store at `path`. May change the copy.
    init(copy: String, of path: String) throws(StoreError) {
        let log = StoreHeader.size(of: copy + "-wal") > 0 ? try Files.octets(of: copy + "-wal") : []
        let pages = SalvagedPages(try Files.octets(of: copy), log: log, hasSeals: true)
        takePages(pages)
        do throws(StoreError) {
            try takeRows(copy)
        } catch {
            // If nothing in it looks like a history, it is another program's file. If it is newer, a newer potluck can
            // read it.
            if error.kind == .foreign && runs.isEmpty || error.kind == .newer { throw error.at(path) }
            trouble = error
        }
        // The pages of an old store have no seals.
        let wrong = pages.damaged
        if trouble != nil, wrong > 0, wrong < pages.count {
            trouble = StoreError(.damaged, path, "\(wrong) of \(pages.count) pages")
        }
        trouble = trouble?.at(path)
    }

    // MARK: With SQLite

    private mutating func takeRows(_ copy: String) throws(StoreError) {
        let header = try StoreHeader(of: copy)
        let kind = HistorySchema.kind
        let seals = try header.seals(kind, copy, wasLeftOpen: StoreHeader.size(of: copy + "-wal") > 0)
        guard seals == .all else { return try takeOldRows(copy, version: Int(header.version)) }
        let database = try StoreFile.open(kind, at: copy).database
        let rows = HistoryRows(database: database)
        readRuns(Self.numbers(in: database)) { (id) throws(StoreError) in try rows.run(id) }
        try check(database)
    }

    /// Reads a store whose version is older than seals.
    private mutating func takeOldRows(_ copy: String, version: Int) throws(StoreError) {
        let database = try Database(copy, .writing)
        let known = Self.version(of: database)
        if version == 0, known > 0 {
            trouble = StoreError(.damaged, copy, "its version is missing")
            try database.set("user_version", to: known)
        }
        guard known > 0 else { throw StoreError(.damaged, copy, "its tables are not those of a history") }
        try StoreFile.raise(database, HistorySchema.kind, to: HistoryVersion3.number)
        let rows = HistoryVersion3(database: database)
        readRuns(Self.numbers(in: database)) { (id) throws(StoreError) in try rows.run(id) }
        try check(database)
    }

    private mutating func readRuns(_ ids: Set<Int64>, _ read: (Int64) throws(StoreError) -> RunRecord?) {
        numbers.formUnion(ids)
        // An unreadable run says nothing about the next one.
        for id in ids { if let run = (try? read(id)) ?? nil { runs[id] = run } }
    }

    private func check(_ database: Database) throws(StoreError) {
        let findings = try database.texts("PRAGMA integrity_check(1)")
        guard findings == ["ok"] else {
            throw StoreError(.damaged, database.path, findings.first ?? "its pages are inconsistent")
        }
    }

    /// The version according to the columns of the tables, whatever the header says; 0 if there are none.
    private static func version(of database: Database) -> Int {
        let columns = (try? database.texts("SELECT name FROM pragma_table_info('detail')")) ?? []
        guard !columns.isEmpty else { return 0 }
        return columns.contains("file") ? 3 : columns.contains("session") ? 2 : 1
    }

    /// The IDs that a damaged store still shows, read from both ends of its tables and from its indexes.
    private static func numbers(in database: Database) -> Set<Int64> {
        var ids: Set<Int64> = []
        let looks: [StaticString] = [
            "SELECT id FROM run ORDER BY id", "SELECT id FROM run ORDER BY id DESC",
            "SELECT id FROM run INDEXED BY run_by_time ORDER BY started_at",
            "SELECT id FROM run INDEXED BY run_by_rate ORDER BY rate",
            "SELECT run FROM piece ORDER BY run", "SELECT run FROM piece ORDER BY run DESC",
            "SELECT run FROM detail ORDER BY run", "SELECT run FROM detail ORDER BY run DESC",
        ]
        for look in looks { try? database.rows(look) { (row) throws(StoreError) in ids.insert(row.integer(0)) } }
        return ids
    }

    // MARK: Page by page

    private mutating func takePages(_ pages: SalvagedPages) {
        for row in pages.rows {
            guard let id = row.rowID, row.values.first == .null else { continue }
            if let run = Self.piece(row, id) {
                runs[id] = run
                numbers.insert(id)
            } else if Self.isRun(row), row.pages.allSatisfy({ pages.isSealed($0) != false }) {
                numbers.insert(id)
            }
        }
    }

    private static func piece(_ row: SalvagedPages.Row, _ id: Int64) -> RunRecord? {
        guard row.values.count == 3, case .octets(let octets) = row.values[1], case .integer(let seal) = row.values[2],
            UInt64(bitPattern: seal) == RunCoding.seal(id, octets)
        else { return nil }
        return RunCoding.run(octets)
    }

    /// Whether the row looks like one of the table `run`.
    private static func isRun(_ row: SalvagedPages.Row) -> Bool {
        guard row.values.count == 14, case .text(let key) = row.values[1], case .text(let digest) = row.values[11]
        else {
            return false
        }
        return key.utf8.count == RunRecord.keyLength && digest.utf8.count == 2 * RunRecord.keyLength
    }
}
