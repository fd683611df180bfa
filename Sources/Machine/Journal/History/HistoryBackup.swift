import Glibc
import PotluckCore

/// The last good copy of a history, beside it. It is renewed when the history is opened and has changed enough.
struct HistoryBackup {
    let path: String
    /// The time to wait for another program that changes the copy or repairs the history, in seconds.
    var patience = FileLock.patience
    /// The path of the copy.
    var copy: String { path + ".backup" }
    /// The path of the copy while runs are removed.
    private var work: String { copy + ".work" }

    /// The copy is renewed once the history has grown by a 16th of the copy's size and by `leastGrowth` bytes,
    private static let growth: Int64 = 16
    private static let leastGrowth: Int64 = 1 << 16
    /// or once the history was written this many seconds, a day, after the copy.
    private static let longest = 86_400

    /// The end of the name of an earlier history's copy, after the history's own name.
    static let earlier = ".earlier"

    var exists: Bool { StoreHeader.exists(copy) }

    /// The time of the copy in milliseconds since 1970; nil if there is none.
    var date: Int64? {
        var found = stat()
        return stat(copy, &found) == 0 ? Int64(found.st_mtim.tv_sec) * 1000 : nil
    }

    private func isDue(_ database: Database) -> Bool {
        var (now, then) = (stat(), stat())
        guard stat(path, &now) == 0 else { return false }
        guard stat(copy, &then) == 0 else { return !isEmpty(database) }
        let growth = Int64(now.st_size) - Int64(then.st_size)
        return growth >= max(Self.leastGrowth, Int64(then.st_size) / Self.growth)
            || now.st_mtim.tv_sec - then.st_mtim.tv_sec >= Self.longest
    }

    /// Renews the copy if necessary. Without room for a copy the history is still usable, so errors are ignored.
    /// Returns a line for users if the copy is of an earlier history.
    func renewIfDue(_ database: Database) -> String? {
        guard isDue(database) || isEmpty(database) && exists || StoreHeader.exists(work) else { return nil }
        // If several processes open the history at once, one makes the copy. A removal may hold the lock, too.
        guard let lock = try? FileLock(of: path) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        // A program that was killed while it removed runs left this behind.
        unlink(work)
        let notice = keepIfEarlier(database)
        // Reading a damaged page fails, so a damaged copy never replaces a good one.
        if isDue(database) { try? StoreFile.copy(database, to: copy) }
        return notice
    }

    /// The highest number of a run that was used when the copy was made; nil if there is no copy.
    var lastNumber: Int64? {
        guard exists, let file = try? StoreFile.open(HistorySchema.kind, at: copy, .reading) else { return nil }
        return Self.lastNumber(of: file.database)
    }

    private static func lastNumber(of database: Database) -> Int64? {
        try? database.number("SELECT seq FROM sqlite_sequence WHERE name = 'run'")
    }

    private func isEmpty(_ database: Database) -> Bool { (try? database.number("SELECT id FROM run LIMIT 1")) == 0 }

    /// Renames the copy if it is of an earlier history, whose file was removed or moved away: a copy of the new one would
    /// replace it. Returns a line for users then.
    private func keepIfEarlier(_ database: Database) -> String? {
        // No number of a run is used twice, so a history has used every number that its copy has.
        guard let theirs = lastNumber, let ours = Self.lastNumber(of: database), theirs > ours else { return nil }
        let kept = Files.free(path, Self.earlier)
        guard rename(copy, kept) == 0 else { return nil }
        return "\(path) is new; the runs of the earlier one are in \(kept), which 'potluck history import' reads"
    }

    /// Removes runs from the history with `remove`, which returns their number, and from the copy, so that no repair
    /// restores them. A single run, whose key is `key`, is deleted in the copy, which takes less time than to renew a
    /// large one. Throws, and removes nothing, if another program keeps the lock for too long.
    func removing(
        key: String? = nil, from database: Database, _ remove: () throws(StoreError) -> Int
    ) throws(StoreError) -> Int {
        let lock = try FileLock(of: path, patience: patience)
        defer { withExtendedLifetime(lock) {} }
        var before = stat()
        stat(copy, &before)
        // If this program is killed from here on, there is no copy, and the next one that opens the history makes one.
        let hasCopy = rename(copy, work) == 0
        guard hasCopy || errno == ENOENT else { throw StoreError(errno: errno, copy, cannot: "rename it") }
        var count = 0
        defer { if hasCopy, count == 0 { rename(work, copy) } }
        count = try remove()
        guard hasCopy, count > 0 else { return count }
        if let key, (try? delete(key, times: [before.st_atim, before.st_mtim])) != nil { return count }
        unlink(work)
        // Without room for a copy there is none.
        try? StoreFile.copy(database, to: copy)
        return count
    }

    /// Deletes a run in the copy, and puts the copy back. The other runs are as old as they were.
    private func delete(_ key: String, times: [timespec]) throws(StoreError) {
        do {
            let database = try Database(work, .writing, seals: .all)
            try database.configureWithoutLog()
            try database.run("DELETE FROM run WHERE key = ?", .text(key))
        }
        utimensat(AT_FDCWD, work, times, 0)
        guard rename(work, copy) == 0 else { throw StoreError(errno: errno, copy, cannot: "rename it") }
    }
}
