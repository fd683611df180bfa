import PotluckCore

/// Opens a ledger's file. Saves its jobs that can be trusted if the file is damaged.
enum LedgerOpening {
    static func open(
        _ path: String, notices: inout [String]
    ) throws(StoreError) -> (file: StoreFile, jobs: KeptJobs) {
        do throws(StoreError) {
            return try read(path, &notices)
        } catch {
            let isDamaged =
                switch error.kind {
                case .damaged: true
                case .foreign: isOurs(path)
                default: false
                }
            guard isDamaged else { throw error }
            notices.append("\(error)")
        }
        // The file's lock must be free: a damaged file is not touched while another process writes to it.
        try repair(path, &notices)
        return try read(path, &notices)
    }

    /// Whether a file with a wrong header contains rows of a ledger.
    private static func isOurs(_ path: String) -> Bool {
        guard let octets = try? Files.octets(of: path) else { return false }
        let jobs = try? LedgerSalvage.jobs(SalvagedPages(octets, hasSeals: false)) { _ in }
        return jobs.map { !$0.jobs.isEmpty } ?? false
    }

    private static func read(
        _ path: String, _ notices: inout [String]
    ) throws(StoreError) -> (file: StoreFile, jobs: KeptJobs) {
        let file = try StoreFile.open(LedgerStore.kind, at: path)
        var lost: [String] = []
        let jobs = try LedgerStore(database: file.database).read { lost.append($0) }
        notices += file.notices
        // Treat it as damaged, so that it is rewritten and contains exactly the jobs that are resumed.
        if let first = lost.first { throw StoreError(.damaged, path, first) }
        return (file, jobs)
    }

    /// Replaces the file by one with the jobs that can be trusted. The damaged one is kept.
    private static func repair(_ path: String, _ notices: inout [String]) throws(StoreError) {
        let lock = try FileLock(of: path)
        defer { withExtendedLifetime(lock) {} }
        let log = StoreHeader.size(of: path + "-wal") > 0 ? try Files.octets(of: path + "-wal") : []
        var lost: [String] = []
        let pages = SalvagedPages(try Files.octets(of: path), log: log, hasSeals: false)
        let jobs = try LedgerSalvage.jobs(pages) { lost.append($0) }
        let aside = try StoreFile.replace(path) { (repaired) throws(StoreError) in
            try StoreFile.make(LedgerStore.kind, at: repaired) { (database) throws(StoreError) in
                try LedgerStore(database: database).write(jobs.jobs.keys, from: KeptJobs(), to: jobs)
            }
            // The changes in the old write-ahead log are now in the new store or reported as lost.
            lock.says(writing: false)
        }
        notices += lost.map { "\(path): \($0)" }
        let count = jobs.unfinished.count
        notices.append(
            "\(path): the damaged file is kept as \(aside); \(count == 1 ? "1 unfinished job was" : "\(count) unfinished jobs were") saved"
        )
    }
}

/// Extracts jobs from a damaged ledger: any rows that look like those of its tables, wherever they are. Their seals
/// tell which rows can be trusted.
enum LedgerSalvage {
    static func jobs(_ pages: SalvagedPages, lost: (String) -> Void) throws(StoreError) -> KeptJobs {
        // Insert the rows into fresh tables, and read those in the usual way, which checks the seals.
        let database = try Database(":memory:", .writing)
        try StoreFile.raise(database, LedgerStore.kind)
        for row in pages.rows { try insert(row, database) }
        return try LedgerStore(database: database).read(lost: lost)
    }

    private static func insert(_ row: SalvagedPages.Row, _ database: Database) throws(StoreError) {
        var values = row.values
        if let id = row.rowID {
            guard values.first == .null else { return }
            values[0] = .integer(id)
        }
        let insert: StaticString
        switch (row.rowID == nil, values.count, values.dropFirst(2).first) {
        case (false, 7, .text): insert = "INSERT OR IGNORE INTO job VALUES(?, ?, ?, ?, ?, ?, ?)"
        case (false, 7, .integer): insert = "INSERT OR IGNORE INTO progress VALUES(?, ?, ?, ?, ?, ?, ?)"
        case (false, 3, .integer): insert = "INSERT OR IGNORE INTO credit VALUES(?, ?, ?)"
        case (false, 5, .integer): insert = "INSERT OR IGNORE INTO batch VALUES(?, ?, ?, ?, ?)"
        case (true, 4, .octets): insert = "INSERT OR IGNORE INTO checkpoint VALUES(?, ?, ?, ?)"
        case (true, 6, .integer): insert = "INSERT OR IGNORE INTO piece VALUES(?, ?, ?, ?, ?, ?)"
        default: return
        }
        try database.run(SQL(insert, all: values))
    }
}
