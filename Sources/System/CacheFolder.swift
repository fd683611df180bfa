import Glibc

/// A folder of this user's with files that can be made again: so many and no more, and those that were not used for the
/// longest time go first. Nobody else may write there, and what is not ours is not read.
public struct CacheFolder: Sendable {
    private let path: String
    private let most: Int
    private let largest: Int

    /// Makes it where it is not there; nil where that cannot be. `largest` is in octets, of a file.
    public init?(_ path: String, most: Int, largest: Int) {
        guard path.hasPrefix("/") else { return nil }
        makeFolders(path)
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR,
            found.st_uid == geteuid(), found.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0
        else { return nil }
        self.path = path
        self.most = most
        self.largest = largest
    }

    /// All of a file, which counts as used now.
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

    /// Keeps all of it or nothing. Half of it can be there after a power cut: whoever reads it looks whether it is right.
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
