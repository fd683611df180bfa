import Glibc
import PotluckModel

/// The last good copy of a history, beside it. It is made by itself when the history is opened and has changed enough.
struct HistoryBackup {
    let path: String
    /// The copy's.
    var copy: String { path + ".backup" }

    /// A copy is made anew once the history has grown by this part of it, and by so many octets,
    private static let growth: Int64 = 16
    private static let leastGrowth: Int64 = 1 << 16
    /// or once it was written so much later than the copy: a day, in seconds.
    private static let longest = 86_400

    var exists: Bool { StoreHeader.exists(copy) }

    /// Milliseconds since 1970; nil where there is none.
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

    /// Where there is no room for a copy the history is none the worse.
    func renewIfDue(_ database: Database) { if isDue(database) { try? renew(database) } }

    /// After runs were removed: no repair shall bring them back.
    func forgetRemoved(_ database: Database) {
        guard exists else { return }
        do { try renew(database) } catch { unlink(copy) }
    }

    /// Reading a damaged page fails, so that a copy that is whole never gives way to one that is not.
    private func renew(_ database: Database) throws(StoreTrouble) {
        // Of those who come at the same time one makes it.
        let lock = try FileLock(of: path)
        defer { withExtendedLifetime(lock) {} }
        try StoreFile.copy(database, to: copy)
    }
}
