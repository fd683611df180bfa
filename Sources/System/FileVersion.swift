import Glibc

/// The facts that change when a file is written or replaced.
package struct FileVersion: Equatable {
    private let inode: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// Nil while the file is missing, as it is for a moment when some editors save it.
    package init?(_ path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        (inode, size) = (found.st_ino, found.st_size)
        (seconds, nanoseconds) = (found.st_mtim.tv_sec, found.st_mtim.tv_nsec)
    }
}
