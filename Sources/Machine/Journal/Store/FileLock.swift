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
    init(of path: String, patience: Double = 0) throws(StoreError) {
        let file = path + ".lock"
        descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(errno: errno, file, cannot: "write it") }
        if let number = Self.take(LOCK_EX, descriptor, patience) {
            let holder = Self.text(descriptor).split(separator: " ").first.flatMap { Int($0) }
            close(descriptor)
            guard number == EWOULDBLOCK else { throw StoreError(errno: number, file, cannot: "lock it") }
            throw StoreError(.inUse, path, holder.map { "process \($0)" } ?? "another process")
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

    /// Locks an open file. Returns the error number if that fails, which is `EWOULDBLOCK` if other holders still have
    /// it after `patience` seconds.
    fileprivate static func take(_ lock: Int32, _ descriptor: Int32, _ patience: Double) -> Int32? {
        var left = patience
        while flock(descriptor, lock | LOCK_NB) != 0 {
            let number = errno
            if number == EINTR { continue }
            guard number == EWOULDBLOCK, left > 0 else { return number }
            left -= pause
            usleep(UInt32(pause * 1e6))
        }
        return nil
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

/// A lock that any number of processes hold while they write to a store, or one while it replaces the store's file. A
/// process that needs a `FileLock`, too, takes this one first.
final class WritersLock {
    enum Use {
        case writing
        case replacing
    }

    /// The time to wait, in seconds. A repair reads a large history whole and checks every digest.
    static let patience = 60.0

    private let descriptor: Int32

    /// Locks the store at `path` with a file beside it, which is created if missing. Waits up to `patience` seconds.
    init(of path: String, _ use: Use, patience: Double = WritersLock.patience) throws(StoreError) {
        let name = path + ".writers"
        let file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, name, cannot: "write it") }
        if let number = FileLock.take(use == .writing ? LOCK_SH : LOCK_EX, file, patience) {
            close(file)
            guard number == EWOULDBLOCK else { throw StoreError(errno: number, name, cannot: "lock it") }
            switch use {
            case .writing: throw StoreError(.other, path, "a repair of it is under way; try again when it has ended")
            case .replacing: throw StoreError(.inUse, path, "another program")
            }
        }
        // The last statement, because an initializer that throws after it would run `deinit`.
        descriptor = file
    }

    deinit {
        // For a process that is being started; see `FileLock`.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
