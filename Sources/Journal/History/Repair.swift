import Glibc
import PotluckModel

extension History {
    /// What a repair found.
    public struct Repair {
        public let saved: Int
        /// Runs of which something still shows, each with why it is no more: the end of a sentence.
        public let lost: [(id: Int64, why: String)]
        /// What was wrong with the store itself, where something was.
        public let trouble: StoreTrouble?
        /// Where the damaged history is; nil where nothing was wrong, and nothing was changed.
        public let kept: String?
        /// How many of the runs are from the last good copy.
        public let fromBackup: Int
        /// When that was made: milliseconds since 1970.
        public let backupDate: Int64?
    }

    /// Reads what can be read of a damaged history into a new one, which takes its place; the damaged one is kept beside it. Runs keep
    /// their numbers. `problem` looks at each and says what is wrong with it, where something is.
    public static func repair(
        at path: String, problem: (RunRecord) -> String?
    ) throws(StoreTrouble) -> Repair {
        let lock = try FileLock(of: path, patience: FileLock.patience)
        defer { withExtendedLifetime(lock) {} }
        // Reading it may write to it, and bringing it up to date does; what is kept is as it was found.
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
            if let why = run.problem ?? problem(run) { lost.append((id, why)) } else { whole[id] = run }
        }
        if lost.isEmpty, findings.trouble == nil {
            return Repair(saved: whole.count, lost: [], trouble: nil, kept: nil, fromBackup: 0, backupDate: nil)
        }
        let backup = HistoryBackup(path: path)
        let older = runs(of: backup, without: whole).filter { $0.value.problem ?? problem($0.value) == nil }
        whole.merge(older) { found, _ in found }
        lost.removeAll { whole[$0.id] != nil }
        let repaired = path + ".repaired"
        try makeStore(at: repaired, of: whole, numbersUntil: findings.numbers.max() ?? 0)
        let kept = Files.free(path, ".damaged")
        try Files.putAside(path, as: kept)
        guard rename(repaired, path) == 0 else { throw StoreTrouble(errno: errno, path, cannot: "create it") }
        return Repair(
            saved: whole.count, lost: lost, trouble: findings.trouble, kept: kept, fromBackup: older.count,
            backupDate: older.isEmpty ? nil : backup.date)
    }

    /// What the last good copy has and a damaged store has not.
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

    /// The numbers of runs that are lost are never given to others: people have them in their notes.
    private static func makeStore(
        at path: String, of runs: [Int64: RunRecord], numbersUntil last: Int64
    ) throws(StoreTrouble) {
        try StoreFile.make(HistorySchema.kind, at: path) { (database) throws(StoreTrouble) in
            let rows = HistoryRows(database: database)
            for (id, run) in runs.sorted(by: { $0.key < $1.key }) { _ = try rows.insert(run, number: id) }
            try database.run("UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'run'", .integer(last))
        }
    }
}
