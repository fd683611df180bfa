import Glibc
import PotluckModel

/// Changes that were committed beside a store and are there no more. SQLite begins anew in silence where the file with them was
/// removed.
struct LostWork: CustomStringConvertible {
    let path: String
    /// Milliseconds since 1970, when the store itself was last written.
    let since: Int64

    var description: String {
        "\(path): its write-ahead log \(path)-wal was removed; the work since \(WallClock.exactText(since)) is lost"
    }

    /// Looks before SQLite does. Throws where changes are there and damaged: whoever saves what can be saved has to do so before SQLite
    /// writes over them. `lock` is held where nobody else has the store.
    static func look(beside path: String, lock: FileLock?) throws(StoreTrouble) -> LostWork? {
        let shared = SharedState(of: path, isAlone: lock != nil)
        guard StoreHeader.size(of: path + "-wal") >= Int64(WriteAhead.headerLength) else {
            let wasWritten = lock?.wasWriting ?? shared.isOrphan
            return wasWritten ? LostWork(path: path, since: lastWritten(path)) : nil
        }
        guard try isDamaged(path, shared) else { return nil }
        // Somebody may be writing just now.
        if lock == nil { guard try isDamaged(path, shared) else { return nil } }
        throw StoreTrouble(
            .damaged, path,
            "its write-ahead log \(path)-wal has damage since \(WallClock.exactText(lastWritten(path)))"
        )
    }

    private static func isDamaged(_ path: String, _ shared: SharedState) throws(StoreTrouble) -> Bool {
        let log = WriteAhead(try Files.octets(of: path + "-wal"))
        return log.isDamaged || shared.salts == log.salts && shared.frames > log.readable
    }

    private static func lastWritten(_ path: String) -> Int64 {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_mtim.tv_sec) * 1000 : 0
    }
}

/// What SQLite's processes know together of what is written beside a store (`-shm`). It outlives them where they are killed.
private struct SharedState {
    /// How many frames were committed; 0 where that is not known.
    private(set) var frames = 0
    private(set) var salts: UInt64 = 0
    /// Whether it is there without the file that it is about. Whoever closes a store removes this one first.
    let isOrphan: Bool

    /// `isAlone` where nobody else has the store: SQLite's own locks on this file would be lost by our closing it.
    init(of path: String, isAlone: Bool) {
        isOrphan = StoreHeader.exists(path + "-shm") && !StoreHeader.exists(path + "-wal")
        guard isAlone, let octets = try? Files.octets(of: path + "-shm"), octets.count >= 48, octets[12] == 1 else {
            return
        }
        // In the order of this machine, but for the salts.
        octets.withUnsafeBytes { bytes in
            frames = Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
            salts = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self))
        }
    }
}
