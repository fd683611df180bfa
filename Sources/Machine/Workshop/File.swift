import Glibc
import PotluckSystem

/// Operations on whole files.
enum File {
    /// The largest file in bytes. No source or module is larger.
    static let largest = 16 << 20

    static func read(_ path: String) -> [UInt8]? { readWithOwner(path)?.octets }

    /// Returns the contents of a file, and the user to whom this very file belongs.
    static func readWithOwner(_ path: String) -> (octets: [UInt8], owner: uid_t)? {
        // To open a pipe would wait until somebody writes into it.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        guard found.st_mode & S_IFMT == S_IFREG else {
            errno = found.st_mode & S_IFMT == S_IFDIR ? EISDIR : ENOTSUP
            return nil
        }
        var octets: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 { return nil }
            if count == 0 { return (octets, found.st_uid) }
            octets += buffer[..<count]
            if octets.count > largest { return nil }
        }
    }

    /// Writes the file completely or not at all.
    static func write(_ octets: [UInt8], to path: String) throws(WorkshopError) {
        let draft = path + ".\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw cannot("write \(path)") }
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 { break }
            rest = rest.dropFirst(count)
        }
        close(descriptor)
        guard rest.isEmpty, rename(draft, path) == 0 else {
            let error = cannot("write \(path)")
            unlink(draft)
            throw error
        }
    }

    static func write(_ text: String, to path: String) throws(WorkshopError) { try write(Array(text.utf8), to: path) }

    /// Creates a folder and its missing parents.
    static func makeFolder(_ path: String) throws(WorkshopError) {
        makeFolders(path)
        guard access(path, W_OK) == 0 else { throw cannot("write into \(path)") }
    }

    /// Removes a folder and everything in it. It does not follow links: another user may have put one there that leads
    /// to files of this user.
    static func removeFolder(_ path: String) { removeFolder(path, from: AT_FDCWD) }

    private static func removeFolder(_ name: String, from parent: Int32) {
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        guard let folder = fdopendir(descriptor) else {
            close(descriptor)
            return
        }
        defer { closedir(folder) }
        for inner in names(inOpen: folder) where unlinkat(descriptor, inner, 0) != 0 {
            removeFolder(inner, from: descriptor)
        }
        unlinkat(parent, name, AT_REMOVEDIR)
    }

    /// The current folder.
    static var current: String {
        var path = [CChar](repeating: 0, count: 4096)
        guard getcwd(&path, path.count) != nil else { return "." }
        return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

    static func cannot(_ deed: String) -> WorkshopError {
        .refused("cannot \(deed): \(String(cString: strerror(errno)))")
    }
}
