import PotluckCore
import PotluckKit

/// The history of finished runs. Any number of a user's programs may have the store open at once. Only one thread may
/// use this object at a time.
///
///     let history = try History.open(at: path)
///     try history.record(run)
///     for run in try history.list(HistoryQuery()) { … }
public final class History {
    private var file: StoreFile
    private(set) var rows: HistoryRows
    var backup: HistoryBackup
    /// The time to wait for a repair, in seconds.
    var patience = WritersLock.patience
    /// What users should know about how the store was opened, one line each.
    public private(set) var notices: [String]

    /// `writing` creates a missing store. `reading` also works on a read-only disk.
    public enum Access {
        case reading
        case writing
    }

    public static func open(at path: String, _ access: Access = .writing) throws(StoreError) -> History {
        do throws(StoreError) {
            let file = try StoreFile.open(HistorySchema.kind, at: path, access == .reading ? .reading : .writing)
            let history = History(file)
            if access == .writing, let notice = history.backup.renewIfDue(file.database) {
                history.notices.append(notice)
            }
            return history
        } catch {
            throw error.advised(HistorySchema.kind)
        }
    }

    init(_ file: StoreFile) {
        self.file = file
        rows = HistoryRows(database: file.database)
        backup = HistoryBackup(path: file.database.path)
        notices = file.notices
    }

    var database: Database { file.database }

    private func advised<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) { return try body() } catch { throw error.advised(HistorySchema.kind) }
    }

    // MARK: Writing

    /// Runs `body` while no other process replaces the file. If one did since, opens the new file first.
    func writing<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        try advised { () throws(StoreError) in
            let lock = try WritersLock(of: database.path, .writing, patience: patience)
            defer { withExtendedLifetime(lock) {} }
            if database.hasMoved {
                file = try StoreFile.open(HistorySchema.kind, at: database.path)
                rows = HistoryRows(database: file.database)
                notices += file.notices
            }
            return try body()
        }
    }

    /// Records a run. Returns its ID, or the existing ID if the run is already recorded. That record gets the exact answers
    /// that it lacks: another node may have recorded the run while they were hidden.
    @discardableResult
    public func record(_ run: RunRecord) throws(StoreError) -> Int64 {
        try writing { () throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                let (id, isNew) = try rows.insert(run)
                if !isNew { try complete(id, run.readings) }
                return id
            }
        }
    }

    /// Adds exact answers to the run with this key, which was recorded while they were hidden. Returns false if there is no
    /// such run.
    @discardableResult
    public func complete(_ key: String, with readings: [Reading]) throws(StoreError) -> Bool {
        try writing { () throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                let id = try database.number("SELECT id FROM run WHERE key = ?", .text(key))
                if id > 0 { try complete(id, readings) }
                return id > 0
            }
        }
    }

    private func complete(_ id: Int64, _ readings: [Reading]) throws(StoreError) {
        if let known = try rows.run(id), let whole = known.completed(with: readings) { try replace(id, with: whole) }
    }

    private func replace(_ id: Int64, with run: RunRecord) throws(StoreError) {
        try database.run("DELETE FROM run WHERE id = ?", .integer(id))
        _ = try rows.insert(run, number: id)
    }

    /// Records a resumed run. It replaces the record from before it was resumed, and keeps that record's ID and notes.
    @discardableResult
    public func record(goneOnWith run: RunRecord) throws(StoreError) -> Int64 {
        try writing { () throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                let (id, isNew) = try rows.insert(run)
                guard !isNew else { return id }
                var run = run
                run.notes = (try rows.run(id)?.notes ?? []) + run.notes
                try replace(id, with: run)
                return id
            }
        }
    }

    /// Records several runs, all or none.
    public func record(_ runs: [RunRecord]) throws(StoreError) {
        try writing { () throws(StoreError) in
            try database.transaction { () throws(StoreError) in for run in runs { _ = try rows.insert(run) } }
        }
    }

    /// Adds a note to a run. Returns false if there is no run with this ID.
    public func note(_ id: Int64, _ note: RunNote) throws(StoreError) -> Bool {
        try writing { () throws(StoreError) in
            try database.transaction { () throws(StoreError) in
                try rows.add(note, to: id)
            }
        }
    }

    /// Removes a run with everything that belongs to it. Returns false if there is no run with this ID.
    public func remove(_ id: Int64) throws(StoreError) -> Bool {
        try writing { () throws(StoreError) in
            var key: String?
            try database.rows("SELECT key FROM run WHERE id = ?", .integer(id)) { key = $0.text(0) }
            guard let key else { return false }
            return try backup.removing(key: key, from: database) { () throws(StoreError) in
                try database.run("DELETE FROM run WHERE id = ?", .integer(id))
                return database.changes
            } > 0
        }
    }

    /// Removes all runs that match a query, whose order and limit are ignored. Returns their number.
    public func remove(_ query: HistoryQuery) throws(StoreError) -> Int {
        try writing { () throws(StoreError) in
            try backup.removing(from: database) { () throws(StoreError) in
                try database.run("DELETE FROM run " + query.filter)
                return database.changes
            }
        }
    }

    // MARK: Reading

    /// Returns everything about a run; nil if there is no run with this ID.
    public func run(_ id: Int64) throws(StoreError) -> RunRecord? {
        try advised { () throws(StoreError) in
            try database.reading { () throws(StoreError) in try rows.run(id) }
        }
    }

    /// Returns the runs of a sweep, in the order of its points.
    public func runs(ofSweep sweep: JobID) throws(StoreError) -> [RunRecord] {
        try advised { () throws(StoreError) in
            try database.reading { () throws(StoreError) in
                var ids: [Int64] = []
                let points = SweepPoints.filter(SQL("?", .text(sweep.text)))
                try database.rows("SELECT id FROM run AS point WHERE " + points + " ORDER BY key") {
                    (row) throws(StoreError) in ids.append(row.integer(0))
                }
                var runs: [RunRecord] = []
                for id in ids { if let run = try rows.run(id) { runs.append(run) } }
                return runs
            }
        }
    }

    /// Returns the ID of the newest run.
    public func newest() throws(StoreError) -> Int64? {
        let id = try advised { () throws(StoreError) in
            try database.number("SELECT id FROM run ORDER BY started_at DESC, id DESC LIMIT 1")
        }
        return id > 0 ? id : nil
    }

    public func count(_ query: HistoryQuery = HistoryQuery()) throws(StoreError) -> Int {
        var count = 0
        try advised { () throws(StoreError) in
            try database.rows("SELECT count(*) FROM run " + query.filter) { (row) throws(StoreError) in
                count = row.count(0)
            }
        }
        return count
    }

    /// Returns the IDs of the matching runs, in the query's order.
    public func numbers(_ query: HistoryQuery) throws(StoreError) -> [Int64] {
        var numbers: [Int64] = []
        try advised { () throws(StoreError) in
            try database.rows("SELECT run.id FROM run " + query.filter + query.order) { (row) throws(StoreError) in
                numbers.append(row.integer(0))
            }
        }
        return numbers
    }

    /// Returns the names of simulations, parameters and readings that occur in the store, and if asked for, those of nodes,
    /// for which it looks at all runs.
    public func names(withNodes: Bool = false) throws(StoreError) -> (simulations: [String], terms: Term.Names) {
        try advised { () throws(StoreError) in try allNames(withNodes: withNodes) }
    }

    /// Returns these names for the runs of one simulation: shared names that it does not have are left out. So a name
    /// that is unique in its runs needs no prefix.
    public func names(_ names: Term.Names, of simulation: String) throws(StoreError) -> Term.Names {
        let shared = Term.shared(names)
        guard !shared.isEmpty else { return names }
        return try advised { () throws(StoreError) in
            func lacking(_ table: SQL) throws(StoreError) -> [String] {
                var lacking = shared
                for name in shared {
                    let named = SQL("run.simulation = ? AND +named.name = ? LIMIT 1", .text(simulation), .text(name))
                    let source = "SELECT 1 FROM run JOIN " + table + " AS named ON named.run = run.id WHERE " + named
                    try database.rows(source) { _ in lacking.removeAll { $0 == name } }
                }
                return lacking
            }
            let (parameters, readings) = (try lacking("parameter"), try lacking("reading"))
            return Term.Names(
                parameters: names.parameters.filter { !parameters.contains($0) },
                readings: names.readings.filter { !readings.contains($0) }, nodes: names.nodes)
        }
    }

    private func allNames(withNodes: Bool) throws(StoreError) -> (simulations: [String], terms: Term.Names) {
        // Each query finds the next name in an index and does not read all runs.
        (
            try database.texts(
                """
                WITH RECURSIVE name(n) AS (SELECT min(simulation) FROM run
                    UNION ALL SELECT (SELECT min(simulation) FROM run WHERE simulation > n) FROM name WHERE n NOT NULL)
                SELECT n FROM name WHERE n NOT NULL
                """),
            Term.Names(
                parameters: try database.texts(
                    """
                    WITH RECURSIVE one(n) AS (SELECT min(name) FROM parameter
                        UNION ALL SELECT (SELECT min(name) FROM parameter WHERE name > n) FROM one WHERE n NOT NULL)
                    SELECT n FROM one WHERE n NOT NULL
                    """),
                readings: try database.texts(
                    """
                    WITH RECURSIVE one(n) AS (SELECT min(name) FROM reading
                        UNION ALL SELECT (SELECT min(name) FROM reading WHERE name > n) FROM one WHERE n NOT NULL)
                    SELECT n FROM one WHERE n NOT NULL
                    """),
                nodes: withNodes
                    ? try database.texts(
                        "SELECT DISTINCT part.key FROM share, json_each(share.nodes) AS part ORDER BY part.key") : [])
        )
    }

    /// Returns the matching runs, in the query's order, and if asked for, with the shares of their nodes.
    public func list(_ query: HistoryQuery, withShares: Bool = false) throws(StoreError) -> [RunSummary] {
        try advised { () throws(StoreError) in
            try database.reading { () throws(StoreError) in
                var runs = try summaries(query)
                try rows.fillParameters(of: &runs)
                if withShares { try rows.fillShares(of: &runs) }
                return runs
            }
        }
    }

    private func summaries(_ query: HistoryQuery) throws(StoreError) -> [RunSummary] {
        var runs: [RunSummary] = []
        let columns: SQL = """
            SELECT run.id, started_at, simulation, trials, elapsed, run.rate, cores, nodes, completion, digest,
                EXISTS (SELECT 1 FROM note WHERE run = run.id), reading.name, kind, value, low, high, exact, varies, spoilt,

            """
        let source: SQL = " FROM run LEFT JOIN reading ON reading.run = run.id AND reading.place = 0 "
        try database.rows(columns + SweepPoints.number + ", " + query.points + source + query.filter + query.order) {
            (row) throws(StoreError) in
            runs.append(Self.summary(row))
        }
        return runs
    }

    private static func summary(_ row: Statement) -> RunSummary {
        let reading =
            row.isNull(11)
            ? nil
            : Reading(
                name: row.text(11), kind: UInt8(exactly: row.integer(12)).flatMap(ReadingKind.init) ?? .derived,
                value: row.real(13), interval: RowCoding.interval(row.real(14), row.real(15)), exact: row.real(16),
                varies: row.integer(17) != 0, isSpoilt: row.integer(18) != 0)
        return RunSummary(
            id: row.integer(0), startedAt: row.integer(1), simulation: row.text(2), parameters: [],
            trials: row.unsigned(3), elapsed: .nanoseconds(row.integer(4)), rate: row.real(5), cores: row.count(6),
            nodes: row.count(7), completion: RowCoding.completion(row.integer(8)), digest: row.text(9),
            hasNote: row.integer(10) != 0, reading: reading,
            sweep: row.count(20) == 0
                ? nil : UInt64(row.text(19), radix: 16).map { SweepSummary(id: JobID($0), points: row.count(20)) })
    }
}

extension StoreError {
    /// Adds the advice for this kind of store to an error about damage.
    func advised(_ kind: StoreKind) -> StoreError {
        guard self.kind == .damaged, !detail.contains(kind.advice) else { return self }
        return StoreError(.damaged, path, "\(detail); \(kind.advice)")
    }
}
