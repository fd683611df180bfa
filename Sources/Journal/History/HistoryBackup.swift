import Glibc
import PotluckModel

/// The last good copy of a history, beside it. It is renewed when the history is opened and has changed enough.
struct HistoryBackup {
    let path: String
    /// The path of the copy.
    var copy: String { path + ".backup" }
    /// The path of the copy while a run is removed from it.
    private var work: String { copy + ".work" }

    /// The copy is renewed once the history has grown by a 16th of the copy's size and by `leastGrowth` bytes,
    private static let growth: Int64 = 16
    private static let leastGrowth: Int64 = 1 << 16
    /// or once the history was written this many seconds, a day, after the copy.
    private static let longest = 86_400

    var exists: Bool { StoreHeader.exists(copy) }

    /// The time of the copy in milliseconds since 1970; nil if there is none.
    var date: Int64? {
        var found = stat()
        return stat(copy, &found) == 0 ? Int64(found.st_mtim.tv_sec) * 1000 : nil
    }

    private func isDue(_ database: Database) -> Bool {
        var (now, then) = (stat(), stat())
        guard stat(path, &now) == 0 else { return false }
        guard stat(copy, &then) == 0 else { return (try? database.number("SELECT id FROM run LIMIT 1")) ?? 0 > 0 }
        let growth = Int64(now.st_size) - Int64(then.st_size)
        return growth >= max(Self.leastGrowth, Int64(then.st_size) / Self.growth)
            || now.st_mtim.tv_sec - then.st_mtim.tv_sec >= Self.longest
    }

    /// Renews the copy if necessary. Without room for a copy the history is still usable, so errors are ignored.
    func renewIfDue(_ database: Database) { if isDue(database) { try? renew(database) } }

    /// Renews the copy after runs were removed, so that no repair restores them.
    func forgetRemoved(_ database: Database) { if exists { replace(database) } }

    /// Removes the run with this key from the copy as well, which takes less time than to renew a large copy.
    func forget(_ key: String, _ database: Database) {
        guard exists else { return }
        do { try remove(key) } catch { replace(database) }
    }

    /// Without room for a copy there is none.
    private func replace(_ database: Database) {
        do { try renew(database, patience: FileLock.patience) } catch { unlink(copy) }
    }

    private func remove(_ key: String) throws(StoreTrouble) {
        let lock = try FileLock(of: path, patience: FileLock.patience)
        defer { withExtendedLifetime(lock) {} }
        var before = stat()
        guard stat(copy, &before) == 0 else { throw StoreTrouble(errno: errno, copy, cannot: "read it") }
        // If this is interrupted, there is no copy, and the next program that opens the history makes one.
        guard rename(copy, work) == 0 else { throw StoreTrouble(errno: errno, copy, cannot: "rename it") }
        do throws(StoreTrouble) {
            let database = try Database(work, .writing, seals: .all)
            try database.configureWithoutLog()
            try database.run("DELETE FROM run WHERE key = ?", .text(key))
        } catch {
            unlink(work)
            throw error
        }
        // The other runs are as old as they were.
        var times = [before.st_atim, before.st_mtim]
        utimensat(AT_FDCWD, work, &times, 0)
        guard rename(work, copy) == 0 else { throw StoreTrouble(errno: errno, copy, cannot: "rename it") }
    }

    /// Reading a damaged page fails, so a damaged copy never replaces a good one.
    private func renew(_ database: Database, patience: Double = 0) throws(StoreTrouble) {
        // If several processes open the history at once, one makes the copy.
        let lock = try FileLock(of: path, patience: patience)
        defer { withExtendedLifetime(lock) {} }
        // A program that was killed while it removed a run left this behind.
        unlink(work)
        try StoreFile.copy(database, to: copy)
    }
}
