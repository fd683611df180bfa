import CSQLite
import Glibc

/// The header of a store's file, read without SQLite.
struct StoreHeader {
    let size: Int64
    let applicationID: Int32
    let version: UInt32
    /// The file's size when it was last closed, in bytes.
    let expectedSize: Int64
    /// Whether the header says that the pages have seals.
    let saysSeals: Bool
    /// Whether the first page has a correct seal.
    let isSealed: Bool

    /// Whether a page at the beginning or the last one has a correct seal, which only Potluck's files have.
    let isOurs: Bool

    var isTruncated: Bool { size < expectedSize }

    static let length = 100
    /// The size of a store's page in bytes, which is also SQLite's default.
    static let pageSize = 4096
    static let sealLength = Int(POTLUCK_SQLITE_SEAL_LENGTH)
    private static let magic = Array("SQLite format 3\0".utf8)
    /// How many pages at the beginning are checked for a seal: 256 KB. Damage of a disk seldom covers all of them.
    private static let checkedPages = 64

    init(of path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path, cannot: "read it") }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.foreign, path, "not a regular file")
        }
        size = Int64(found.st_size)
        var bytes = [UInt8](repeating: 0, count: Self.pageSize)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw StoreError(errno: errno, path, cannot: "read it") }
        guard count > 0 else { throw StoreError(.damaged, path, "it is empty") }
        isSealed = Self.isSealed(bytes, at: 0)
        isOurs = isSealed || Self.hasSeal(descriptor, size: size)
        guard count >= Self.length else {
            let isBeginning = bytes.starts(with: Self.magic.prefix(count))
            throw StoreError(isBeginning ? .damaged : .foreign, path, "only \(count) bytes")
        }
        guard bytes.starts(with: Self.magic) else {
            throw StoreError(
                isOurs ? .damaged : .foreign, path, isOurs ? "its header is damaged" : "not an SQLite database"
            )
        }
        func number(_ place: Int) -> UInt32 { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        applicationID = Int32(bitPattern: number(68))
        version = number(60)
        let pageSize = Int64(bytes[16]) << 8 | Int64(bytes[17])
        expectedSize = Int64(number(28)) * (pageSize == 1 ? 65_536 : pageSize)
        saysSeals = Int(bytes[20]) == Self.sealLength
    }

    /// Whether a page after the first has a correct seal.
    private static func hasSeal(_ descriptor: Int32, size: Int64) -> Bool {
        let count = Int(size) / pageSize
        var page = [UInt8](repeating: 0, count: pageSize)
        return (Array(1..<max(1, min(count, checkedPages))) + [count - 1]).contains { place in
            pread(descriptor, &page, pageSize, place * pageSize) == pageSize && isSealed(page, at: place)
        }
    }

    /// Whether the page has the correct seal for its place, counted from 0.
    static func isSealed(_ page: some Collection<UInt8>, at place: Int) -> Bool {
        guard page.count == pageSize else { return false }
        let octets = Array(page)
        return octets.withUnsafeBytes { bytes in
            let length = pageSize - sealLength
            return potluck_sqlite_seal(bytes.baseAddress, length, UInt64(place * pageSize))
                == bytes.loadUnaligned(fromByteOffset: length, as: UInt64.self)
        }
    }

    static func exists(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 || errno != ENOENT
    }

    /// The size of a file in bytes; 0 if it does not exist.
    static func size(of path: String) -> Int64 {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_size) : 0
    }
}

extension StoreHeader {
    /// How to read a store of this kind. Throws if the file is no such store, or damaged, or too new.
    func seals(_ kind: StoreKind, _ path: String, wasLeftOpen: Bool) throws(StoreError) -> Database.Seals {
        let isOurs = isOurs && kind.sealedSince != nil
        guard applicationID == kind.applicationID || isOurs else {
            throw StoreError(.foreign, path, "its kind is \(applicationID)")
        }
        let hasSeals = kind.hasSeals(version: Int(version)) || saysSeals && isOurs
        guard hasSeals else {
            try StoreFile.refuseNewer(Int(version), kind, path)
            return kind.sealedSince == nil ? .none : .coming
        }
        guard isSealed else {
            // The correct first page may be in the write-ahead log.
            guard wasLeftOpen else { throw StoreError(.damaged, path, "its first page is damaged") }
            return .all
        }
        try StoreFile.refuseNewer(Int(version), kind, path)
        guard applicationID == kind.applicationID else {
            throw StoreError(.foreign, path, "its kind is \(applicationID)")
        }
        return kind.hasSeals(version: Int(version)) ? .all : .coming
    }
}
