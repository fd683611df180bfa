import PotluckModel

/// Opens a ledger's file, whatever state it is in, as far as that can be done without guessing.
enum LedgerOpening {
    static func open(
        _ path: String, notices: inout [String]
    ) throws(StoreTrouble) -> (file: StoreFile, jobs: KeptJobs) {
        do throws(StoreTrouble) {
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
        // Nobody else has it: a damaged file is not touched while somebody writes to it.
        let saved = try putAside(path, &notices)
        let file = try StoreFile.open(LedgerStore.kind, at: path)
        try file.database.transaction { () throws(StoreTrouble) in
            try LedgerStore(database: file.database).write(saved.jobs.keys, from: KeptJobs(), to: saved)
        }
        file.settle()
        return (file, saved)
    }

    /// Whether somebody who looks at its rows alone finds jobs in it.
    private static func isOurs(_ path: String) -> Bool {
        guard let octets = try? Files.octets(of: path) else { return false }
        let jobs = try? LedgerSalvage.jobs(SalvagedPages(octets, hasSeals: false)) { _ in }
        return jobs.map { !$0.jobs.isEmpty } ?? false
    }

    private static func read(
        _ path: String, _ notices: inout [String]
    ) throws(StoreTrouble) -> (file: StoreFile, jobs: KeptJobs) {
        let file = try StoreFile.open(LedgerStore.kind, at: path)
        var lost: [String] = []
        let jobs = try LedgerStore(database: file.database).read { lost.append($0) }
        notices += file.notices
        // The file is written anew then, so that it says what we go on with and nothing beside it.
        if let first = lost.first { throw StoreTrouble(.damaged, path, first) }
        return (file, jobs)
    }

    /// Renames the file and what belongs to it, and tells what of it can be trusted.
    private static func putAside(_ path: String, _ notices: inout [String]) throws(StoreTrouble) -> KeptJobs {
        let lock = try FileLock(of: path)
        defer { withExtendedLifetime(lock) {} }
        let aside = Files.free(path, ".damaged")
        try Files.putAside(path, as: aside)
        let log = StoreHeader.size(of: aside + "-wal") > 0 ? try Files.octets(of: aside + "-wal") : []
        var lost: [String] = []
        let pages = SalvagedPages(try Files.octets(of: aside), log: log, hasSeals: false)
        let jobs = try LedgerSalvage.jobs(pages) { lost.append($0) }
        // What the last one had beside the store is in the new one now, or said to be lost.
        lock.says(writing: false)
        notices += lost.map { "\(path): \($0)" }
        let count = jobs.unfinished.count
        notices.append(
            "\(path): the damaged file is kept as \(aside); \(count == 1 ? "1 unfinished job was" : "\(count) unfinished jobs were") saved"
        )
        return jobs
    }
}

/// What a damaged ledger still has: rows that look like those of its tables, wherever they are. Their seals say which can be trusted.
enum LedgerSalvage {
    static func jobs(_ pages: SalvagedPages, lost: (String) -> Void) throws(StoreTrouble) -> KeptJobs {
        // In tables of our own they are read, and their seals compared, as ever.
        let database = try Database(":memory:", .writing)
        try StoreFile.raise(database, LedgerStore.kind)
        for row in pages.rows { try insert(row, database) }
        return try LedgerStore(database: database).read(lost: lost)
    }

    private static func insert(_ row: SalvagedPages.Row, _ database: Database) throws(StoreTrouble) {
        var values = row.values
        if let id = row.rowID {
            guard values.first == .null else { return }
            values[0] = .integer(id)
        }
        let insert: StaticString
        switch (row.rowID == nil, values.count, values.dropFirst(2).first) {
        case (false, 7, .text): insert = "INSERT OR IGNORE INTO job VALUES(?, ?, ?, ?, ?, ?, ?)"
        case (false, 7, .integer): insert = "INSERT OR IGNORE INTO progress VALUES(?, ?, ?, ?, ?, ?, ?)"
        case (false, 5, .integer): insert = "INSERT OR IGNORE INTO batch VALUES(?, ?, ?, ?, ?)"
        case (true, 4, .octets): insert = "INSERT OR IGNORE INTO checkpoint VALUES(?, ?, ?, ?)"
        case (true, 6, .integer): insert = "INSERT OR IGNORE INTO piece VALUES(?, ?, ?, ?, ?, ?)"
        default: return
        }
        try database.run(SQL(insert, all: values))
    }
}
