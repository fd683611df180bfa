import Glibc

/// An open store: created if it was missing, checked, and migrated to the newest version.
package struct StoreFile {
    package let database: Database
    /// What happened while it was opened, one line each for users.
    package let notices: [String]
    /// The lock that this process holds while the store is open; nil if the kind of store is shared or only read.
    let lock: FileLock?

    package enum Access {
        /// Takes no lock, and works on a read-only disk.
        case reading
        case writing
    }

    /// A store that was not closed is checked page by page if it has at most this many bytes. Checking a larger one
    /// would take too long.
    private static let mostChecked: Int64 = 256 << 20

    package static func open(
        _ kind: StoreKind, at path: String, _ access: Access = .writing
    ) throws(StoreError) -> StoreFile {
        let lock = kind.isExclusive && access == .writing ? try FileLock(of: path) : nil
        if access == .writing, !StoreHeader.exists(path) { try make(kind, at: path, lock: lock) }
        do throws(StoreError) {
            return try openExisting(kind, at: path, access, lock: lock)
        } catch  where error.kind == .damaged && lock == nil {
            // Another process may have written to it or closed it between two looks.
            return try openExisting(kind, at: path, access, lock: lock)
        }
    }

    /// Runs `body` while no other process can open the store at `path`. The store must be of an exclusive kind.
    package static func holding(_ path: String, _ body: () -> Void) throws(StoreError) {
        let lock = try FileLock(of: path)
        withExtendedLifetime(lock, body)
    }

    /// Moves the content of the write-ahead log into the store and records that, so that a later removal of the log is
    /// no loss.
    func checkpoint() {
        guard let lock, (try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")) != nil,
            StoreHeader.size(of: database.path + "-wal") == 0
        else { return }
        lock.says(writing: false)
    }

    private static func openExisting(
        _ kind: StoreKind, at path: String, _ access: Access, lock: FileLock?
    ) throws(StoreError) -> StoreFile {
        let wasLeftOpen = StoreHeader.size(of: path + "-wal") > 0
        let header = try StoreHeader(of: path)
        let seals = try header.seals(kind, path, wasLeftOpen: wasLeftOpen)
        if !wasLeftOpen, header.isTruncated {
            throw StoreError(.damaged, path, "truncated to \(header.size) of \(header.expectedSize) bytes")
        }
        let loss = try LostWork.look(beside: path, lock: lock)
        let database = try connect(path, access, seals, canBeUnchanging: !wasLeftOpen)
        if wasLeftOpen, header.size <= mostChecked { try quickCheck(database) }
        let version = Int(try database.number("PRAGMA user_version"))
        try refuseNewer(version, kind, path)
        let notices = loss.map { ["\($0)"] } ?? []
        guard version < kind.newest else { return StoreFile(database: database, notices: notices, lock: lock) }
        guard version > 0 else { throw StoreError(.damaged, path, "its version is missing") }
        guard access == .writing else {
            // Reading alone cannot migrate it.
            return try open(kind, at: path, .writing)
        }
        let (newest, backup) = try migrate(database, kind, lock: lock)
        return StoreFile(
            database: newest,
            notices: notices + [
                "\(path): upgraded from version \(version) to \(kind.newest); the old file is kept as \(backup)"
            ], lock: lock)
    }

    /// Throws if the store is newer than this program.
    static func refuseNewer(_ version: Int, _ kind: StoreKind, _ path: String) throws(StoreError) {
        guard version <= kind.newest else {
            throw StoreError(.newer, path, "version \(version); this potluck supports up to \(kind.newest)")
        }
    }

    /// Opens a connection. If reading needs files that a read-only disk cannot have, opens one without locks.
    private static func connect(
        _ path: String, _ access: Access, _ seals: Database.Seals, canBeUnchanging: Bool
    ) throws(StoreError) -> Database {
        guard access == .reading else {
            guard Glibc.access(path, W_OK) == 0 else { throw StoreError(errno: errno, path, cannot: "write it") }
            let database = try Database(path, .writing, seals: seals)
            try database.configure()
            return database
        }
        do throws(StoreError) {
            let database = try Database(path, .reading, seals: seals)
            try database.remember()
            _ = try database.number("PRAGMA user_version")
            return database
        } catch {
            // SQLite wants to make a file beside the store, which is impossible on a read-only disk.
            guard canBeUnchanging, error.kind != .damaged, let database = try? Database(path, .unchanging, seals: seals)
            else {
                throw error
            }
            return database
        }
    }

    /// Throws if SQLite's quick check finds damage.
    static func quickCheck(_ database: Database) throws(StoreError) {
        let findings = try database.texts("PRAGMA quick_check(1)")
        guard findings == ["ok"] else {
            let first = findings.first ?? "no answer"
            throw StoreError(.damaged, database.path, String(first.split(separator: "\n").last ?? ""))
        }
    }

    // MARK: Creation

    /// Creates the store under another name and renames it, so that a store with the final name is always complete.
    private static func make(_ kind: StoreKind, at path: String, lock: FileLock?) throws(StoreError) {
        let held = try briefLock(of: path, unless: lock)
        defer { withExtendedLifetime(held) {} }
        guard !StoreHeader.exists(path) else { return }
        // Files that a removed store left behind must not be taken for this store's.
        unlink(path + "-wal")
        unlink(path + "-shm")
        // A program that was killed while it replaced a damaged store had this ready.
        if rename(repaired(path), path) == 0 { return }
        try draft(path) { (draft) throws(StoreError) in
            let database = try begin(draft, kind)
            try database.configure()
        }
    }

    /// Makes an empty file a store of the newest version.
    private static func begin(_ path: String, _ kind: StoreKind) throws(StoreError) -> Database {
        let database = try Database(path, .writing, seals: kind.seals)
        try database.set("page_size", to: StoreHeader.pageSize)
        if kind.seals == .all { try database.reserveSeals() }
        try raise(database, kind)
        return database
    }

    /// Takes the lock unless this process has it already. If several processes open the store at once, only one creates
    /// or migrates it.
    private static func briefLock(of path: String, unless held: FileLock?) throws(StoreError) -> FileLock {
        if let held { return held }
        return try FileLock(of: path, patience: FileLock.patience)
    }

    /// Creates an empty file that only its owner can read.
    static func makeEmpty(_ path: String) throws(StoreError) {
        for leftover in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(leftover) }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // The file itself should be missing, so its folder is.
            if errno == ENOENT { throw StoreError(.other, path, "no such folder") }
            throw StoreError(errno: errno, path, cannot: "create it")
        }
        close(descriptor)
    }

    // MARK: Versions

    /// Migrates from any version to the newest, in one transaction.
    static func raise(_ database: Database, _ kind: StoreKind, to newest: Int? = nil) throws(StoreError) {
        let newest = newest ?? kind.newest
        try database.transaction { () throws(StoreError) in
            // Another process may have migrated it while this one waited.
            let version = Int(try database.number("PRAGMA user_version"))
            guard version < newest else { return }
            for version in version..<newest {
                try database.execute(kind.scripts[version])
                try kind.rewrites[version + 1]?(database)
            }
            try database.mark(applicationID: kind.applicationID, version: newest)
        }
    }

    /// Backs up the store and migrates it. Returns the connection to use from now on and the path of the backup.
    private static func migrate(
        _ database: Database, _ kind: StoreKind, lock: FileLock?
    ) throws(StoreError) -> (newest: Database, backup: String) {
        let held = try briefLock(of: database.path, unless: lock)
        defer { withExtendedLifetime(held) {} }
        let version = try database.number("PRAGMA user_version")
        let backup = "\(database.path).version-\(version)"
        if version < kind.newest {
            try copy(database, to: backup)
            if kind.seals == .all, !kind.hasSeals(version: Int(version)) { try rewriteWithSeals(database) }
            try raise(database, kind)
        }
        let newest = kind.seals == .all ? try connect(database.path, .writing, .all, canBeUnchanging: false) : database
        if version < kind.newest { try quickCheck(newest) }
        return (newest, backup)
    }

    /// Rewrites every page with a seal. If this is interrupted, the store is of an older version but has seals, and the
    /// next process rewrites it again.
    static func rewriteWithSeals(_ database: Database) throws(StoreError) {
        try database.reserveSeals()
        try database.execute("VACUUM")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Makes a copy in a single file. The copy is complete or does not exist.
    static func copy(_ database: Database, to path: String) throws(StoreError) {
        try draft(path) { (draft) throws(StoreError) in try database.run("VACUUM INTO ?", .text(draft)) }
    }

    /// Creates a store of the newest version in a single file. The store is complete or does not exist.
    static func make(
        _ kind: StoreKind, at path: String, with body: (Database) throws(StoreError) -> Void
    ) throws(StoreError) {
        try draft(path) { (draft) throws(StoreError) in
            let database = try begin(draft, kind)
            try database.transaction { () throws(StoreError) in try body(database) }
        }
    }

    /// The path of the store that is to replace a damaged one.
    package static func repaired(_ path: String) -> String { path + ".repaired" }

    /// Replaces a damaged store by the one that `body` makes. Returns the path at which the damaged one is kept.
    /// Whenever the program is killed, a complete store is left. The store must be locked.
    static func replace(
        _ path: String, by body: (_ repaired: String) throws(StoreError) -> Void
    ) throws(StoreError) -> String {
        let repaired = repaired(path)
        try body(repaired)
        let kept = Files.free(path, ".damaged")
        try Files.putAside(path, as: kept)
        guard rename(repaired, path) == 0 else { throw StoreError(errno: errno, path, cannot: "create it") }
        return kept
    }

    /// Makes a file with `body` under a temporary name, and renames it to `path`.
    private static func draft(
        _ path: String, _ body: (String) throws(StoreError) -> Void
    ) throws(StoreError) {
        let draft = path + ".new"
        do throws(StoreError) {
            try makeEmpty(draft)
            try body(draft)
        } catch {
            unlink(draft)
            throw error.path == draft ? error.at(path) : error
        }
        guard rename(draft, path) == 0 else { throw StoreError(errno: errno, path, cannot: "create it") }
    }
}

extension StoreError {
    /// The same error for another file.
    func at(_ path: String) -> StoreError { StoreError(kind, path, detail) }
}

extension Database {
    /// Applies the settings for every store: several readers beside one writer, and commits that survive a crash of the
    /// program.
    func configure() throws(StoreError) {
        let mode = try texts("PRAGMA journal_mode = WAL")
        guard mode == ["wal"] else {
            throw StoreError(.other, path, "its file system does not support shared memory")
        }
        try configureChanges()
        try remember()
    }

    /// Applies the settings for a copy that only this connection uses, and that nobody keeps if a change is interrupted.
    func configureWithoutLog() throws(StoreError) {
        try execute("PRAGMA journal_mode = MEMORY")
        try configureChanges()
    }

    private func configureChanges() throws(StoreError) {
        try execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON")
        // Overwrite removed data, so that no repair finds it again.
        try execute("PRAGMA secure_delete = ON")
    }

    /// Sets the size of the page cache to 16 MB. Lists follow indexes in one order and rows in another, and this holds
    /// all pages that a list of ten thousand runs needs; otherwise each page would be read again and again.
    func remember() throws(StoreError) { try set("cache_size", to: -16_384) }

    fileprivate func mark(applicationID: Int32, version: Int) throws(StoreError) {
        try set("application_id", to: Int(applicationID))
        try set("user_version", to: version)
    }
}
