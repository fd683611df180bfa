import Glibc

/// A store's file, opened: made where it is missing, checked, and brought to the newest version.
package struct StoreFile {
    package let database: Database
    /// What happened to it on the way, in lines for people.
    package let notices: [String]
    /// Held as long as the store is open, where one process has it to itself.
    let lock: FileLock?

    package enum Access {
        /// Takes nobody's lock, and is content with a disk that cannot be written.
        case reading
        case writing
    }

    /// A store that was not closed is looked through page by page, up to this size: more would keep people waiting.
    private static let mostChecked: Int64 = 256 << 20

    package static func open(
        _ kind: StoreKind, at path: String, _ access: Access = .writing
    ) throws(StoreTrouble) -> StoreFile {
        let lock = kind.isExclusive && access == .writing ? try FileLock(of: path) : nil
        if access == .writing, !StoreHeader.exists(path) { try make(kind, at: path, lock: lock) }
        return try openExisting(kind, at: path, access, lock: lock)
    }

    /// Does something to the files of a store that one process has to itself, while nobody has it.
    package static func holding(_ path: String, _ body: () -> Void) throws(StoreTrouble) {
        let lock = try FileLock(of: path)
        withExtendedLifetime(lock, body)
    }

    /// Brings what was written beside the store into it, and says so, so that nobody misses that file after its removal.
    func settle() {
        guard let lock, (try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")) != nil,
            StoreHeader.size(of: database.path + "-wal") == 0
        else { return }
        lock.says(writing: false)
    }

    private static func openExisting(
        _ kind: StoreKind, at path: String, _ access: Access, lock: FileLock?
    ) throws(StoreTrouble) -> StoreFile {
        let wasLeftOpen = StoreHeader.size(of: path + "-wal") > 0
        let header = try StoreHeader(of: path)
        let seals = try header.seals(kind, path, wasLeftOpen: wasLeftOpen)
        if !wasLeftOpen, header.isTruncated {
            throw StoreTrouble(.damaged, path, "truncated to \(header.size) of \(header.expectedSize) bytes")
        }
        let loss = try LostWork.look(beside: path, lock: lock)
        let database = try connect(path, access, seals, canBeUnchanging: !wasLeftOpen)
        if wasLeftOpen, header.size <= mostChecked { try quickCheck(database) }
        let version = Int(try database.number("PRAGMA user_version"))
        try refuseNewer(version, kind, path)
        let notices = loss.map { ["\($0)"] } ?? []
        guard version < kind.newest else { return StoreFile(database: database, notices: notices, lock: lock) }
        guard version > 0 else { throw StoreTrouble(.damaged, path, "its version is missing") }
        guard access == .writing else {
            // Reading alone cannot bring it up to date.
            return try open(kind, at: path, .writing)
        }
        let (newest, backup) = try migrate(database, kind, lock: lock)
        return StoreFile(
            database: newest,
            notices: notices + [
                "\(path): upgraded from version \(version) to \(kind.newest); the old file is kept as \(backup)"
            ], lock: lock)
    }

    static func refuseNewer(_ version: Int, _ kind: StoreKind, _ path: String) throws(StoreTrouble) {
        guard version <= kind.newest else {
            throw StoreTrouble(.newer, path, "version \(version); this potluck supports up to \(kind.newest)")
        }
    }

    private static func connect(
        _ path: String, _ access: Access, _ seals: Database.Seals, canBeUnchanging: Bool
    ) throws(StoreTrouble) -> Database {
        guard access == .reading else {
            guard Glibc.access(path, W_OK) == 0 else { throw StoreTrouble(errno: errno, path, cannot: "write it") }
            let database = try Database(path, .writing, seals: seals)
            try database.settle()
            return database
        }
        do throws(StoreTrouble) {
            let database = try Database(path, .reading, seals: seals)
            try database.remember()
            _ = try database.number("PRAGMA user_version")
            return database
        } catch {
            // SQLite wants a file of its own beside the store, which a read-only disk does not give.
            guard canBeUnchanging, error.kind != .damaged, let database = try? Database(path, .unchanging, seals: seals)
            else {
                throw error
            }
            return database
        }
    }

    static func quickCheck(_ database: Database) throws(StoreTrouble) {
        let findings = try database.texts("PRAGMA quick_check(1)")
        guard findings == ["ok"] else {
            let first = findings.first ?? "no answer"
            throw StoreTrouble(.damaged, database.path, String(first.split(separator: "\n").last ?? ""))
        }
    }

    // MARK: Making

    /// Made whole under another name first: a store that is there is one that was finished.
    private static func make(_ kind: StoreKind, at path: String, lock: FileLock?) throws(StoreTrouble) {
        let held = try briefLock(of: path, unless: lock)
        defer { withExtendedLifetime(held) {} }
        guard !StoreHeader.exists(path) else { return }
        // What a store that somebody removed has left must not be taken for this one's.
        unlink(path + "-wal")
        unlink(path + "-shm")
        try draft(path) { (draft) throws(StoreTrouble) in
            let database = try begin(draft, kind)
            try database.settle()
        }
    }

    /// An empty file becomes a store of the newest version.
    private static func begin(_ path: String, _ kind: StoreKind) throws(StoreTrouble) -> Database {
        let database = try Database(path, .writing, seals: kind.seals)
        try database.set("page_size", to: StoreHeader.pageSize)
        if kind.seals == .all { try database.reserveSeals() }
        try raise(database, kind)
        return database
    }

    /// Of those who come at the same time one makes the store or brings it up to date.
    private static func briefLock(of path: String, unless held: FileLock?) throws(StoreTrouble) -> FileLock {
        if let held { return held }
        return try FileLock(of: path, patience: FileLock.patience)
    }

    /// For nobody else to read.
    static func makeEmpty(_ path: String) throws(StoreTrouble) {
        for leftover in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(leftover) }
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // The file itself is not there, as it should be.
            if errno == ENOENT { throw StoreTrouble(.other, path, "no such folder") }
            throw StoreTrouble(errno: errno, path, cannot: "create it")
        }
        close(descriptor)
    }

    // MARK: Versions

    /// From whatever version there is straight to the newest, in one transaction.
    static func raise(_ database: Database, _ kind: StoreKind, to newest: Int? = nil) throws(StoreTrouble) {
        let newest = newest ?? kind.newest
        try database.transaction { () throws(StoreTrouble) in
            // Somebody may have done it while we waited.
            let version = Int(try database.number("PRAGMA user_version"))
            guard version < newest else { return }
            for version in version..<newest {
                try database.execute(kind.scripts[version])
                try kind.rewrites[version + 1]?(database)
            }
            try database.mark(applicationID: kind.applicationID, version: newest)
        }
    }

    /// Tells where the backup is, and gives the connection to go on with.
    private static func migrate(
        _ database: Database, _ kind: StoreKind, lock: FileLock?
    ) throws(StoreTrouble) -> (newest: Database, backup: String) {
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

    /// Every page is written anew. Whoever dies on the way leaves an older version that has seals, which the next one rewrites again.
    static func rewriteWithSeals(_ database: Database) throws(StoreTrouble) {
        try database.reserveSeals()
        try database.execute("VACUUM")
        try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// A copy that is whole or not there, in a file of its own without anything beside it.
    static func copy(_ database: Database, to path: String) throws(StoreTrouble) {
        try draft(path) { (draft) throws(StoreTrouble) in try database.run("VACUUM INTO ?", .text(draft)) }
    }

    /// A new store of the newest version, whole or not there, without anything beside it.
    static func make(
        _ kind: StoreKind, at path: String, with body: (Database) throws(StoreTrouble) -> Void
    ) throws(StoreTrouble) {
        try draft(path) { (draft) throws(StoreTrouble) in
            let database = try begin(draft, kind)
            try database.transaction { () throws(StoreTrouble) in try body(database) }
        }
    }

    private static func draft(
        _ path: String, _ body: (String) throws(StoreTrouble) -> Void
    ) throws(StoreTrouble) {
        let draft = path + ".new"
        do throws(StoreTrouble) {
            try makeEmpty(draft)
            try body(draft)
        } catch {
            unlink(draft)
            throw error.path == draft ? error.at(path) : error
        }
        guard rename(draft, path) == 0 else { throw StoreTrouble(errno: errno, path, cannot: "create it") }
    }
}

extension StoreTrouble {
    /// The same trouble, of another file.
    func at(_ path: String) -> StoreTrouble { StoreTrouble(kind, path, detail) }
}

extension Database {
    /// As every store is written: readers and a writer at a time, and what is committed is safe from a program's death.
    func settle() throws(StoreTrouble) {
        let mode = try texts("PRAGMA journal_mode = WAL")
        guard mode == ["wal"] else {
            throw StoreTrouble(.other, path, "its file system does not support shared memory")
        }
        try execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON")
        // What was removed is gone, and no repair finds it again.
        try execute("PRAGMA secure_delete = ON")
        try remember()
    }

    /// Lists go through indexes in one order and rows in another. All that a list of ten thousand runs looks at fits in
    /// 16 MB; without it each page would be read from the system again and again.
    func remember() throws(StoreTrouble) { try set("cache_size", to: -16_384) }

    fileprivate func mark(applicationID: Int32, version: Int) throws(StoreTrouble) {
        try set("application_id", to: Int(applicationID))
        try set("user_version", to: version)
    }
}
