import Glibc

/// Operations on whole files.
enum Files {
    private static let chunk = 1 << 20

    static func octets(of path: String) throws(StoreError) -> [UInt8] {
        var octets: [UInt8] = []
        try read(path) { (part) throws(StoreError) in octets.append(contentsOf: part) }
        return octets
    }

    /// Copies into an existing file.
    static func copy(_ path: String, to copy: String) throws(StoreError) {
        let to = open(copy, O_WRONLY | O_CLOEXEC)
        guard to >= 0 else { throw StoreError(errno: errno, copy, cannot: "write it") }
        defer { close(to) }
        try read(path) { (part) throws(StoreError) in
            var done = 0
            while done < part.count {
                let written = part.withUnsafeBytes { write(to, $0.baseAddress! + done, $0.count - done) }
                guard written > 0 else { throw StoreError(errno: errno, copy, cannot: "write it") }
                done += written
            }
        }
    }

    private static func read(
        _ path: String, _ body: (ArraySlice<UInt8>) throws(StoreError) -> Void
    ) throws(StoreError) {
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { throw StoreError(errno: errno, path, cannot: "read it") }
        defer { close(from) }
        var bytes = [UInt8](repeating: 0, count: chunk)
        while true {
            let count = Glibc.read(from, &bytes, bytes.count)
            guard count >= 0 else { throw StoreError(errno: errno, path, cannot: "read it") }
            if count == 0 { return }
            try body(bytes[..<count])
        }
    }

    /// Returns the first unused of the names `PATH.damaged`, `PATH.damaged-2` and so on, with `ending` for `.damaged`.
    static func free(_ path: String, _ ending: String) -> String {
        let first = path + ending
        var (name, count) = (first, 1)
        while StoreHeader.exists(name) {
            count += 1
            name = "\(first)-\(count)"
        }
        return name
    }

    /// Renames a store together with the files that SQLite keeps beside it.
    static func putAside(_ path: String, as kept: String) throws(StoreError) {
        for ending in ["", "-wal", "-shm"] {
            guard rename(path + ending, kept + ending) == 0 || errno == ENOENT else {
                throw StoreError(errno: errno, path, cannot: "rename it")
            }
        }
    }
}
