import Glibc

/// The first hundred octets of a store's file: what it is, before anything is made of it.
struct StoreHeader {
    let size: Int64
    let applicationID: Int32
    let version: UInt32
    /// What the file was when it was last closed.
    let expectedSize: Int64

    var isTruncated: Bool { size < expectedSize }

    static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    init(of path: String) throws(StoreTrouble) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreTrouble(errno: errno, path, cannot: "read it") }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw StoreTrouble(.foreign, path, "no plain file")
        }
        size = Int64(found.st_size)
        var bytes = [UInt8](repeating: 0, count: Self.length)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw StoreTrouble(errno: errno, path, cannot: "read it") }
        guard count > 0 else { throw StoreTrouble(.damaged, path, "it is empty") }
        guard count == Self.length else {
            let isOurs = bytes.starts(with: Self.magic.prefix(count))
            throw StoreTrouble(isOurs ? .damaged : .foreign, path, "only \(count) octets")
        }
        guard bytes.starts(with: Self.magic) else { throw StoreTrouble(.foreign, path, "no database of SQLite's") }
        func number(_ place: Int) -> UInt32 { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
        applicationID = Int32(bitPattern: number(68))
        version = number(60)
        let pageSize = Int64(bytes[16]) << 8 | Int64(bytes[17])
        expectedSize = Int64(number(28)) * (pageSize == 1 ? 65_536 : pageSize)
    }

    static func exists(_ path: String) -> Bool {
        var found = stat()
        return stat(path, &found) == 0 || errno != ENOENT
    }

    /// 0 where there is none.
    static func size(of path: String) -> Int64 {
        var found = stat()
        return stat(path, &found) == 0 ? Int64(found.st_size) : 0
    }
}
