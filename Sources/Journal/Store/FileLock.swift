import Glibc

/// A store that one process has to itself. The kernel takes the lock back however the process ends.
final class FileLock {
    private let descriptor: Int32
    /// Whether the last one who had it died with changes beside the store that were not yet in it.
    let wasWriting: Bool
    private var isWriting: Bool

    /// Who makes a store or brings it up to date has it for a moment only; a large one takes seconds.
    static let patience = 10.0
    private static let pause = 0.05
    private static let mark = " writing"

    /// Made where it is missing, beside the store: `path` is the store's. With patience, waits for whoever holds it.
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
        // A process that is being started has a copy of the descriptor for a moment, which closing ours does not close.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Says whether changes are beside the store that are not yet in it, for whoever comes after our death.
    func says(writing: Bool) {
        guard writing != isWriting else { return }
        isWriting = writing
        write()
    }

    /// For whoever comes second and wants to know whom to end. Where the disk is full they will not.
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
