import Glibc

/// A private folder of files that can be created again. It keeps a limited number of files and removes the least
/// recently used ones. Only this user can write to it, and files of other users are not read.
public struct CacheFolder: Sendable {
    private let path: String
    /// The most files.
    private let most: Int
    /// The most bytes in a file.
    private let largest: Int

    /// Creates the folder if it does not exist. Returns nil if there is no usable folder. `largest` is in bytes.
    public init?(_ path: String, most: Int, largest: Int) {
        guard path.hasPrefix("/") else { return nil }
        do throws(FolderError) { try makeOwnFolder(path, denying: S_IRWXG | S_IRWXO) } catch { return nil }
        self.path = path
        self.most = most
        self.largest = largest
    }

    /// Returns the contents of a file, and marks it as used now. Returns nil if
    /// there is no such file or it is not usable.
    public func read(_ name: String) -> [UInt8]? {
        let descriptor = open("\(path)/\(name)", O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid == geteuid(),
            found.st_mode & 0o077 == 0, (1...largest).contains(Int(found.st_size))
        else { return nil }
        futimens(descriptor, nil)
        let size = Int(found.st_size)
        let octets = [UInt8](unsafeUninitializedCapacity: size) { memory, used in
            while used < size, let start = memory.baseAddress {
                let count = Glibc.read(descriptor, start + used, size - used)
                if count <= 0 { break }
                used += count
            }
        }
        return octets.count == size ? octets : nil
    }

    /// Stores a file completely or not at all. After a power failure it may be
    /// incomplete, so readers must check the contents.
    public func keep(_ octets: [UInt8], as name: String) {
        guard octets.count <= largest else { return }
        let draft = "\(path)/\(name).\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWritten = write(descriptor, octets, octets.count) == octets.count
        close(descriptor)
        if !isWritten || rename(draft, "\(path)/\(name)") != 0 { unlink(draft) }
        prune()
    }

    private func prune() {
        var files: [(path: String, used: Int)] = []
        for name in names(inFolder: path) {
            var found = stat()
            guard lstat("\(path)/\(name)", &found) == 0, found.st_mode & S_IFMT == S_IFREG else { continue }
            files.append(("\(path)/\(name)", found.st_mtim.tv_sec))
        }
        guard files.count > most else { return }
        for file in files.sorted(by: { ($0.used, $0.path) < ($1.used, $1.path) }).prefix(files.count - most) {
            unlink(file.path)
        }
    }
}
