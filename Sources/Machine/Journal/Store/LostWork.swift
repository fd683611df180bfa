import Glibc
import PotluckCore

/// Committed changes that are missing, because somebody removed the write-ahead log (`-wal`) beside a store. SQLite
/// itself would continue without an error.
struct LostWork: CustomStringConvertible {
    let path: String
    /// The time of the last write to the store itself, in milliseconds since 1970.
    let since: Int64

    var description: String {
        "\(path): its write-ahead log \(path)-wal was removed; the work since \(WallClock.exactText(since)) is lost"
    }

    /// Looks for lost changes before SQLite opens the store. Returns nil if nothing is lost. Throws if the log exists
    /// but is damaged, because a repair must read it before SQLite overwrites it. `lock` is nil if other processes may
    /// use the store.
    static func look(beside path: String, lock: FileLock?) throws(StoreError) -> LostWork? {
        let shared = SharedState(of: path, isAlone: lock != nil)
        guard StoreHeader.size(of: path + "-wal") >= Int64(WriteAhead.headerLength) else {
            let wasWritten = lock?.wasWriting ?? shared.isOrphan
            return wasWritten ? LostWork(path: path, since: lastWritten(path)) : nil
        }
        guard try isDamaged(path, shared) else { return nil }
        // Another process may be writing at this moment, so look again.
        if lock == nil { guard try isDamaged(path, shared) else { return nil } }
        throw StoreError(
            .damaged, path,
            "its write-ahead log \(path)-wal has damage since \(WallClock.exactText(lastWritten(path)))"
        )
    }

    private static func isDamaged(_ path: String, _ shared: SharedState) throws(StoreError) -> Bool {
        let octets: [UInt8]
        do throws(StoreError) {
            octets = try Files.octets(of: path + "-wal")
        } catch  where error.kind == .missing {
            // Another process has closed the store in the meantime.
            return false
        }
        let log = WriteAhead(octets)
        return log.isDamaged || shared.salts == log.salts && shared.frames > log.readable
    }

    private static func lastWritten(_ path: String) -> Int64 {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_mtim.tv_sec) * 1000 : 0
    }
}

/// The index of the write-ahead log (`-shm`), which SQLite's processes share. It stays behind if they are killed.
private struct SharedState {
    /// The number of committed frames in the log; 0 if unknown.
    private(set) var frames = 0
    private(set) var salts: UInt64 = 0
    /// Whether the index exists without its log. A process that closes a store removes the index first, so somebody
    /// removed the log.
    let isOrphan: Bool

    /// `isAlone` means that no other process uses the store. Otherwise the index must not be read, because closing it
    /// would release SQLite's own locks on it.
    init(of path: String, isAlone: Bool) {
        // Another process may open or close the store meanwhile.
        func hasLog() -> Bool { StoreHeader.exists(path + "-wal") }
        isOrphan = !hasLog() && StoreHeader.exists(path + "-shm") && !hasLog()
        guard isAlone, let octets = try? Files.octets(of: path + "-shm"), octets.count >= 48, octets[12] == 1 else {
            return
        }
        // Numbers are in this machine's byte order, except for the salts.
        octets.withUnsafeBytes { bytes in
            frames = Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            salts = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self))
        }
    }
}
