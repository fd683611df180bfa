import Glibc
import PotluckModel

extension History {
    /// What a repair found.
    public struct Repair {
        public let saved: Int
        /// Runs of which something still shows, each with why it is no more: the end of a sentence.
        public let lost: [(id: Int64, why: String)]
        /// Where the damaged history is; nil where nothing was wrong, and nothing was changed.
        public let kept: String?
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
        try copyFile(path, to: copy)
        defer { removeStore(copy) }
        do throws(StoreTrouble) {
            return try repair(at: path, from: copy, problem)
        } catch {
            throw error.path == copy ? error.at(path) : error
        }
    }

    private static func repair(
        at path: String, from copy: String, _ problem: (RunRecord) -> String?
    ) throws(StoreTrouble) -> Repair {
        let header = try StoreHeader(of: copy)
        guard Int(header.version) <= HistorySchema.kind.newest else {
            throw StoreTrouble(
                .newer, path, "version \(header.version), and this one knows \(HistorySchema.kind.newest)")
        }
        let database = try Database(copy, .writing)
        if header.version < HistorySchema.kind.newest { try StoreFile.raise(database, HistorySchema.kind) }
        let old = HistoryRows(database: database)
        var whole: [Int64] = []
        var lost: [(id: Int64, why: String)] = []
        for id in old.numbersThatShow() {
            // What cannot be read of one run says nothing of the next.
            if let run = (try? old.run(id)) ?? nil {
                if let why = run.problem ?? problem(run) { lost.append((id, why)) } else { whole.append(id) }
            } else {
                lost.append((id, "cannot be read"))
            }
        }
        let findings = (try? database.texts("PRAGMA integrity_check(1)")) ?? []
        if lost.isEmpty, findings == ["ok"] { return Repair(saved: whole.count, lost: [], kept: nil) }
        let repaired = path + ".repaired"
        try StoreFile.make(HistorySchema.kind, at: repaired) { (database) throws(StoreTrouble) in
            let new = HistoryRows(database: database)
            for id in whole { if let run = try old.run(id) { _ = try new.insert(run, number: id) } }
        }
        let kept = try putAside(path)
        guard rename(repaired, path) == 0 else { throw StoreTrouble(errno: errno, path, cannot: "make it") }
        return Repair(saved: whole.count, lost: lost, kept: kept)
    }

    /// Under a name that no earlier damaged one has.
    private static func putAside(_ path: String) throws(StoreTrouble) -> String {
        var kept = path + ".damaged"
        var count = 1
        while StoreHeader.exists(kept) {
            count += 1
            kept = "\(path).damaged-\(count)"
        }
        for ending in ["", "-wal", "-shm"] {
            guard rename(path + ending, kept + ending) == 0 || errno == ENOENT else {
                throw StoreTrouble(errno: errno, path, cannot: "put it aside")
            }
        }
        return kept
    }
}

extension HistoryRows {
    /// All numbers that a damaged store still shows anywhere: from either end of the table and from its indexes.
    fileprivate func numbersThatShow() -> [Int64] {
        var ids: Set<Int64> = []
        let looks: [StaticString] = [
            "SELECT id FROM run ORDER BY id", "SELECT id FROM run ORDER BY id DESC",
            "SELECT id FROM run INDEXED BY run_by_time ORDER BY started_at",
            "SELECT id FROM run INDEXED BY run_by_rate ORDER BY rate",
            "SELECT run FROM detail ORDER BY run", "SELECT run FROM detail ORDER BY run DESC",
        ]
        for look in looks { try? database.rows(look) { (row) throws(StoreTrouble) in ids.insert(row.integer(0)) } }
        return ids.sorted()
    }
}
