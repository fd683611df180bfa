import Glibc
import PotluckCore

/// Exports runs to a file and imports them. The file is a history of the version that wrote it, so it is checked and
/// migrated like any other store.
extension History {
    /// Writes the matching runs to a new file. Returns their number.
    public func export(_ query: HistoryQuery, to path: String) throws(StoreError) -> Int {
        guard !StoreHeader.exists(path) else {
            throw StoreError(.other, path, "the file already exists; remove it, or choose another name")
        }
        let found = try numbers(query)
        try StoreFile.make(HistorySchema.kind, at: path) { (database) throws(StoreError) in
            let others = HistoryRows(database: database)
            // Oldest first, in the order in which they were recorded.
            for id in found.sorted() { if let run = try rows.run(id) { _ = try others.insert(run) } }
        }
        return found.count
    }

    /// Imports the runs of an exported file, all or none. Runs that are already recorded stay unchanged. `problem`
    /// checks each run and returns what is wrong with it, or nil.
    public func importRuns(
        from path: String, problem: (RunRecord) -> String?
    ) throws(StoreError) -> (added: Int, known: Int) {
        try writing { () throws(StoreError) in
            // The copy's name is the same for every program that imports.
            let lock = try FileLock(of: database.path, patience: backup.patience)
            defer { withExtendedLifetime(lock) {} }
            return try importRuns(from: path, by: database.path + ".import", problem)
        }
    }

    private func importRuns(
        from path: String, by copy: String, _ problem: (RunRecord) -> String?
    ) throws(StoreError) -> (added: Int, known: Int) {
        // Migrating the file, and even reading it, may write to it, so work on a copy.
        do throws(StoreError) {
            try Self.copyFile(path, to: copy)
        } catch  where error.kind == .foreign {
            throw StoreError(.other, path, "not a file of 'potluck history export' (\(error.detail))")
        }
        defer { Self.removeStore(copy) }
        do throws(StoreError) {
            let others = try StoreFile.open(HistorySchema.kind, at: copy).database
            try StoreFile.quickCheck(others)
            try others.refuseOtherSchema(than: HistorySchema.kind)
            return try importRuns(HistoryRows(database: others), from: path, problem)
        } catch {
            throw error.path == copy ? error.at(path) : error
        }
    }

    private func importRuns(
        _ others: HistoryRows, from path: String, _ problem: (RunRecord) -> String?
    ) throws(StoreError) -> (added: Int, known: Int) {
        // Its texts are this user's own; see `textProblem`.
        let isOwn = path.hasPrefix(database.path + HistoryBackup.earlier)
        let ids = try others.numbers()
        return try database.transaction { () throws(StoreError) in
            var (added, known) = (0, 0)
            for id in ids {
                guard let run = try others.run(id) else {
                    throw StoreError(.damaged, path, "a part of run \(id) is missing")
                }
                if let problem = (isOwn ? run.damage : run.problem) ?? problem(run) {
                    throw StoreError(.other, path, "run \(id) \(problem); nothing was imported")
                }
                if try rows.insert(run).isNew { added += 1 } else { known += 1 }
            }
            return (added, known)
        }
    }

    private static func copyFile(_ path: String, to copy: String) throws(StoreError) {
        let header = try StoreHeader(of: path)
        guard header.applicationID == HistorySchema.kind.applicationID else {
            throw StoreError(.foreign, path, "not a history")
        }
        try copyStore(path, to: copy)
    }

    /// Copies a file of any content, and its write-ahead log. Tests interfere with `meanwhile`, between the two.
    static func copyStore(_ path: String, to copy: String, meanwhile: () -> Void = {}) throws(StoreError) {
        try StoreFile.makeEmpty(copy)
        // A store that was not closed has some of its runs in the log. Copy the log first: a process that closes the
        // store meanwhile moves the log's pages into the store and deletes the log.
        if StoreHeader.size(of: path + "-wal") > 0 {
            try StoreFile.makeEmpty(copy + "-wal")
            do throws(StoreError) {
                try Files.copy(path + "-wal", to: copy + "-wal")
            } catch  where error.kind == .missing {
                unlink(copy + "-wal")
            }
        }
        meanwhile()
        try Files.copy(path, to: copy)
    }

    static func removeStore(_ path: String) {
        for ending in ["", "-wal", "-shm", "-journal", ".lock"] { unlink(path + ending) }
        for version in 1...HistorySchema.kind.newest { unlink("\(path).version-\(version)") }
    }
}

extension Database {
    /// Throws if the tables differ from ours. A stranger's file could have tables of its own under the same names.
    func refuseOtherSchema(than kind: StoreKind) throws(StoreError) {
        let ours = try Database(":memory:", .writing)
        try StoreFile.raise(ours, kind)
        guard try schema() == ours.schema() else {
            throw StoreError(.foreign, path, "its tables are not those of a history")
        }
    }

    private func schema() throws(StoreError) -> Set<String> {
        Set(try texts("SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema"))
    }
}

extension RunRecord {
    /// More than any computed run has, and few enough that a stranger's file cannot exhaust memory.
    private static let most = 100_000
    private static let longestText = 1000

    /// What is wrong with a run from another source, as the end of a sentence; nil if nothing is.
    var problem: String? { damage ?? textProblem }

    /// A sign that Potluck cannot have recorded this run itself, as the end of a sentence; nil if there is none.
    var damage: String? {
        func isHexadecimal(_ text: String, _ count: Int) -> Bool {
            text.utf8.count == count && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
        }
        guard isHexadecimal(key, Self.keyLength) else { return "has no key" }
        guard isHexadecimal(digest, 64), isHexadecimal(simulation.source, 64) || simulation.source.isEmpty else {
            return "has no digest"
        }
        let counts = [parameters.count, readings.count, nodes.count, notes.count, tally.count, course.count]
        guard counts.allSatisfy({ $0 <= Self.most }), blockSize > 0, trials <= Goal.mostTrials else {
            return "is larger than any run"
        }
        guard nodes.allSatisfy(\.isPossible) else { return "has a node with impossible numbers" }
        return simulation.name.isEmpty ? "has no simulation" : nil
    }

    /// What is wrong with its texts. A user's own runs may have such texts, for example in the path of a file.
    private var textProblem: String? {
        let texts =
            [simulation.name, program, file ?? ""] + parameters.flatMap { [$0.name, $0.text] } + counts.map(\.name)
            + (files?.inputs.flatMap { [$0.name, $0.path] } ?? []) + readings.map(\.name) + nodes.map(\.name)
            + (origin.map { [$0.session, $0.submitter] } ?? []) + (goal.precision?.names.map(\.reading) ?? [])
        guard texts.allSatisfy({ $0.utf8.count <= Self.longestText && $0.isFitForScreen }) else {
            return "has unprintable text"
        }
        guard notes.allSatisfy({ $0.text.utf8.count <= RunNote.longest }) else { return "has a note that is too long" }
        return notes.allSatisfy(\.text.isFitForScreen) ? nil : "has an unprintable note"
    }
}
