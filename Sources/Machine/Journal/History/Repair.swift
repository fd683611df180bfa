import Glibc
import PotluckCore

extension History {
    /// The result of a repair.
    public struct Repair {
        public let saved: Int
        /// Runs that left traces but could not be saved, and why: the end of a sentence.
        public let lost: [(id: Int64, why: String)]
        /// What was wrong with the store itself; nil if nothing was.
        public let trouble: StoreError?
        /// The path of the damaged history; nil if nothing was wrong and nothing was changed.
        public let kept: String?
        /// The number of saved runs that came from the last good copy.
        public let fromBackup: Int
        /// The time of that copy, in milliseconds since 1970; nil if none of its runs were used.
        public let backupDate: Int64?
    }

    /// Saves the readable runs of a damaged history into a new one, which replaces it. The damaged one is kept beside
    /// it. Runs keep their IDs. `problem` checks each run and returns what is wrong with it, or nil.
    public static func repair(
        at path: String, problem: (RunRecord) -> String?
    ) throws(StoreError) -> Repair {
        // A run that another process records meanwhile would be missing in the new file.
        let writers = try WritersLock(of: path, .replacing)
        let lock = try FileLock(of: path, patience: FileLock.patience)
        defer { withExtendedLifetime((writers, lock)) {} }
        // Reading may write to the file, and migrating does, so work on a copy and keep the original unchanged.
        let copy = path + ".repair"
        defer { removeStore(copy) }
        try copyStore(path, to: copy)
        let findings = try HistoryFindings(copy: copy, of: path)
        var whole: [Int64: RunRecord] = [:]
        var lost: [(id: Int64, why: String)] = []
        for id in findings.numbers.sorted() {
            guard let run = findings.runs[id] else {
                lost.append((id, "cannot be read"))
                continue
            }
            if let why = run.damage ?? problem(run) { lost.append((id, why)) } else { whole[id] = run }
        }
        if lost.isEmpty, findings.trouble == nil {
            return Repair(saved: whole.count, lost: [], trouble: nil, kept: nil, fromBackup: 0, backupDate: nil)
        }
        let backup = HistoryBackup(path: path)
        let older = runs(of: backup, without: whole).filter { $0.value.damage ?? problem($0.value) == nil }
        whole.merge(older) { found, _ in found }
        lost.removeAll { whole[$0.id] != nil }
        let kept = try StoreFile.replace(path) { (repaired) throws(StoreError) in
            let last = max(findings.numbers.max() ?? 0, backup.lastNumber ?? 0)
            try makeStore(at: repaired, of: whole, numbersUntil: last)
        }
        return Repair(
            saved: whole.count, lost: lost, trouble: findings.trouble, kept: kept, fromBackup: older.count,
            backupDate: older.isEmpty ? nil : backup.date)
    }

    /// The runs that the last good copy has and the damaged store lacks.
    private static func runs(of backup: HistoryBackup, without known: [Int64: RunRecord]) -> [Int64: RunRecord] {
        guard backup.exists, let file = try? StoreFile.open(HistorySchema.kind, at: backup.copy, .reading) else {
            return [:]
        }
        let rows = HistoryRows(database: file.database)
        let keys = Set(known.values.map(\.key))
        var runs: [Int64: RunRecord] = [:]
        for id in (try? rows.numbers()) ?? [] where known[id] == nil {
            if let run = (try? rows.run(id)) ?? nil, !keys.contains(run.key) { runs[id] = run }
        }
        return runs
    }

    /// Creates the new history. IDs of lost runs are never used again, because people have them in their notes.
    private static func makeStore(
        at path: String, of runs: [Int64: RunRecord], numbersUntil last: Int64
    ) throws(StoreError) {
        try StoreFile.make(HistorySchema.kind, at: path) { (database) throws(StoreError) in
            let rows = HistoryRows(database: database)
            for (id, run) in runs.sorted(by: { $0.key < $1.key }) { _ = try rows.insert(run, number: id) }
            try database.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'run'", .integer(last))
            if database.changes == 0 {
                try database.run("INSERT INTO sqlite_sequence(name, seq) VALUES('run', ?)", .integer(last))
            }
        }
    }
}
