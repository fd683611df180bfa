import Glibc
import PotluckCrypto
import PotluckModel

/// Where this user's nodes keep what must outlive them: `XDG_STATE_HOME/potluck`, for nobody else to read.
struct StateDirectory {
    let path: String

    /// Made where it is missing.
    static func find() throws(Failure) -> StateDirectory {
        guard let home = Environment["XDG_STATE_HOME"] ?? Environment["HOME"].map({ $0 + "/.local/state" }),
            home.hasPrefix("/")
        else { throw Failure(message: "nowhere to keep anything: set HOME or XDG_STATE_HOME to a folder of yours") }
        let directory = StateDirectory(path: home + "/potluck")
        try directory.make()
        return directory
    }

    private func make() throws(Failure) {
        let parts = path.split(separator: "/")
        for count in 1...parts.count {
            let part = "/" + parts.prefix(count).joined(separator: "/")
            // Whether it is there already shows in what can be done in it.
            _ = mkdir(part, 0o700)
        }
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFDIR else { throw Failure(cannot: "make \(path)") }
        guard found.st_uid == geteuid() else {
            throw Failure(message: "\(path) belongs to another user: set XDG_STATE_HOME to a folder of yours")
        }
        guard found.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else { throw Failure(cannot: "protect \(path)") }
    }

    /// A session's files are named by its hash: names of sessions may have anything in them.
    func file(_ session: SessionID, _ kind: String) -> String { "\(path)/\(session.hash).\(kind)" }

    /// Nil where nothing, or nothing sensible, is kept.
    func served(_ session: SessionID) -> ServedSession? {
        guard let file = fopen(file(session, "session"), "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: ServedSession.maximumLength)
        let count = fread(&bytes, 1, bytes.count, file)
        guard let kept = ServedSession(String(decoding: bytes.prefix(count), as: UTF8.self)), kept.session == session
        else { return nil }
        return kept
    }

    /// All of it or nothing: whatever happens meanwhile, the old text or the new one is there.
    func keep(_ served: ServedSession) throws(Failure) {
        let path = file(served.session, "session")
        let draft = path + ".\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(draft)") }
        defer { close(descriptor) }
        do { try Output.write(served.text, to: descriptor) } catch { throw Failure(cannot: "write \(draft)") }
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
            unlink(draft)
            throw Failure(cannot: "write \(path)")
        }
    }

    func forget(_ session: SessionID) throws(Failure) {
        let path = file(session, "session")
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(cannot: "remove \(path)") }
    }

    /// Of several servers of one session on one machine only one can be meant. The kernel takes the lock back however this
    /// process ends.
    func lock(_ session: SessionID) throws(Failure) {
        let path = file(session, "lock")
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        // Never closed: it is held as long as this process lives.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(
                message: "\(session.name) is served on this machine already: end that one first, or choose another name"
            )
        }
    }
}

extension Failure {
    /// With the reason that the C library gives.
    init(cannot deed: String) { self.init(message: "cannot \(deed): \(String(cString: strerror(errno)))") }
}
