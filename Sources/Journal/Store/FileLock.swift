import Glibc

/// A lock that gives one process exclusive use of a store. The kernel releases it however the process ends.
final class FileLock {
    private let descriptor: Int32
    /// Whether the last holder of the lock died while the write-ahead log had changes that the store lacked.
    let wasWriting: Bool
    private var isWriting: Bool

    /// The time to wait for a process that creates or migrates the store, in seconds. A migration of a large store
    /// takes seconds.
    static let patience = 10.0
    /// Seconds between two attempts.
    private static let pause = 0.05
    private static let mark = " writing"

    /// Locks the store at `path` with a file beside it, which is created if missing. Waits up to `patience` seconds for
    /// another holder.
    init(of path: String, patience: Double = 0) throws(StoreTrouble) {
        let file = path + ".lock"
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreTrouble(errno: errno, file, cannot: "write it") }
        var left = patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            if number == EWOULDBLOCK, left > 0 {
                left -= Self.pause
                usleep(UInt32(Self.pause * 1e6))
                continue
            }
            let holder = Self.text(descriptor).split(separator: " ").first.flatMap { Int($0) }
            close(descriptor)
            guard number == EWOULDBLOCK else { throw StoreTrouble(errno: number, file, cannot: "lock it") }
            throw StoreTrouble(.inUse, path, holder.map { "process \($0)" } ?? "another process")
        }
        wasWriting = Self.text(descriptor).hasSuffix(Self.mark)
        isWriting = wasWriting
        write()
    }

    deinit {
        // Unlock explicitly: a process that is being started holds a copy of the descriptor for a moment, so that
        // closing ours would not release the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Records whether the write-ahead log has changes that the store lacks, for the next holder if this process dies.
    func says(writing: Bool) {
        guard writing != isWriting else { return }
        isWriting = writing
        write()
    }

    /// Writes the process ID, which the error for the next process names, and the mark. On a full disk both may be
    /// missing.
    private func write() {
        let text = "\(getpid())\(isWriting ? Self.mark : "")\n"
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.utf8.count, 0) }
    }

    private static func text(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 40)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 1 else { return "" }
        return String(decoding: bytes[..<(count - 1)], as: UTF8.self)
    }
}
