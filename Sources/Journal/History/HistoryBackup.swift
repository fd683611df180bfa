import Glibc
import PotluckModel

/// The last good copy of a history, beside it. It is renewed when the history is opened and has changed enough.
struct HistoryBackup {
    let path: String
    /// The path of the copy.
    var copy: String { path + ".backup" }

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
    func forgetRemoved(_ database: Database) {
        guard exists else { return }
        do { try renew(database) } catch { unlink(copy) }
    }

    /// Reading a damaged page fails, so a damaged copy never replaces a good one.
    private func renew(_ database: Database) throws(StoreTrouble) {
        // If several processes open the history at once, one makes the copy.
        let lock = try FileLock(of: path)
        defer { withExtendedLifetime(lock) {} }
        try StoreFile.copy(database, to: copy)
    }
}
