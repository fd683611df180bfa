import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// The folder for data that outlives this user's nodes: the one that was named, else `XDG_STATE_HOME/potluck`. Only its
/// owner can read it. Ephemeral nodes have one, too, for sockets and other files that last as long as they run.
struct StateDirectory: Sendable {
    static let option = Option(
        "state", "DIR", "keep history, jobs and join codes in this folder", in: .storage,
        default: "~/.local/state/potluck", environment: "POTLUCK_STATE"
    ) { (text) throws(ValueError) -> String in
        guard !text.isEmpty, !text.contains("\0") else { throw ValueError("not a folder name") }
        return text
    }
    static let ephemeral = Flag("ephemeral", "keep nothing on disk", in: .storage, environment: "POTLUCK_EPHEMERAL")

    static let options = [option.declaration, ephemeral.declaration]

    /// The mode bit that lets everyone create files in a folder.
    private static let writableByAll: mode_t = 0o002

    let path: String
    /// Whether nothing in it outlives the node.
    let isEphemeral: Bool
    /// The other folders in which nodes of this user may have sockets: the lasting one for an ephemeral node, else the
    /// ephemeral one.
    let others: [String]
    /// How long a command waits for each step of a node that has its socket here.
    var patience = LocalSocket.patience

    /// Returns the folder that the command line selects, and creates it if it is missing.
    static func find(_ arguments: Arguments) throws -> StateDirectory {
        let named = try arguments[option]
        if arguments[ephemeral] {
            let directory = StateDirectory(path: passing, isEphemeral: true, others: [named ?? usual].compactMap { $0 })
            try directory.make()
            return directory
        }
        guard let named else { return try own() }
        let directory = StateDirectory(path: named, isEphemeral: false, others: [passing])
        // The permissions of a named folder are left alone. But if everyone can create files in it, a join code is not
        // safe there.
        guard try directory.made().st_mode & writableByAll == 0 else {
            throw Failure(message: "anyone can write into \(named); use a folder of your own with --state DIR")
        }
        return directory
    }

    static func own() throws(Failure) -> StateDirectory {
        guard let usual else {
            throw Failure(
                message: "no folder to keep data in; set HOME or XDG_STATE_HOME, or use --state DIR")
        }
        let directory = StateDirectory(path: usual, isEphemeral: false, others: [passing])
        try directory.make()
        return directory
    }

    private static var usual: String? {
        let home = Environment["XDG_STATE_HOME"] ?? Environment["HOME"].map { $0 + "/.local/state" }
        return home.flatMap { $0.hasPrefix("/") ? $0 + "/potluck" : nil }
    }

    /// The folder for ephemeral nodes. The system empties it when the user logs out or the machine starts.
    private static var passing: String {
        if let folder = Environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") { return folder + "/potluck" }
        return "/tmp/potluck-\(geteuid())"
    }

    private func make() throws(Failure) {
        guard try made().st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else {
            throw Failure(cannot: "protect \(path)")
        }
    }

    private func made() throws(Failure) -> stat {
        let obstacle = makeFolders(path)
        var found = stat()
        // Do not follow another user's symbolic link in a shared folder such as /tmp.
        guard (isEphemeral ? lstat(path, &found) : stat(path, &found)) == 0 else {
            if isEphemeral {
                throw Failure(cannotMake: path, obstacle, advice: "set XDG_RUNTIME_DIR to a folder of your own")
            }
            throw Failure(cannotMake: path, obstacle)
        }
        guard found.st_mode & S_IFMT == S_IFDIR else { throw Failure(message: "\(path) is not a folder") }
        guard found.st_uid == geteuid() else {
            throw Failure(
                message: "\(path) belongs to another user; use a folder of your own with --state DIR or XDG_STATE_HOME")
        }
        return found
    }

    /// The folders that belong to this user and in which not everyone can create files. In /tmp anyone could create the
    /// folder, or a link, first.
    var trusted: [String] {
        ([path] + others).filter { folder in
            var (link, found) = (Glibc.stat(), Glibc.stat())
            guard lstat(folder, &link) == 0, link.st_uid == geteuid(), stat(folder, &found) == 0 else { return false }
            return found.st_mode & S_IFMT == S_IFDIR && found.st_uid == geteuid()
                && found.st_mode & Self.writableByAll == 0
        }
    }

    /// The folder for unnamed files, which vanish with the process. The ephemeral folder may be in memory, so it is not
    /// used for them.
    var spool: String { isEphemeral ? "/var/tmp" : path }

    /// Removes the folder of an ephemeral node. This fails, as it should, while other nodes have files in it.
    func end() { if isEphemeral { rmdir(path) } }

    /// The path of a session's file. It contains the hash, because a session's name may contain any character.
    func file(_ session: SessionID, _ kind: String) -> String { "\(path)/\(session.hash).\(kind)" }

    /// Returns what the session's last server kept; nil if there is nothing valid.
    func served(_ session: SessionID) -> ServedSession? {
        guard !isEphemeral, let kept = served(at: file(session, "session")), kept.session == session else { return nil }
        return kept
    }

    /// What the last server of each session kept.
    var servedSessions: [ServedSession] {
        names(inFolder: path).filter { $0.hasSuffix(".session") }.sorted().compactMap { served(at: "\(path)/\($0)") }
    }

    private func served(at path: String) -> ServedSession? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: ServedSession.maximumLength)
        let count = fread(&bytes, 1, bytes.count, file)
        return ServedSession(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Writes the file atomically: after a crash either the old or the new one is there.
    func keep(_ served: ServedSession) throws(Failure) {
        guard !isEphemeral else { return }
        try write(served.text, to: file(served.session, "session"))
    }

    /// Replaces a file that only its owner may read.
    func write(_ text: String, to path: String) throws(Failure) {
        let draft = path + ".\(getpid())"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(draft)") }
        defer { close(descriptor) }
        do { try Output.write(text, to: descriptor) } catch { throw Failure(cannot: "write \(draft)") }
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else {
            unlink(draft)
            throw Failure(cannot: "write \(path)")
        }
    }

    func forget(_ session: SessionID) throws(Failure) {
        try TicketsFile.forget(session, in: self)
        let path = file(session, "session")
        guard unlink(path) == 0 || errno == ENOENT else { throw Failure(cannot: "remove \(path)") }
    }

    /// Ensures that only one process on this machine serves the session. The kernel releases the lock when the process
    /// ends.
    func lock(_ session: SessionID) throws(Failure) {
        let path = file(session, "lock")
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(message: Failure(cannot: "write \(path)").message + "; use another folder with --state DIR")
        }
        // The descriptor is never closed, so the lock is held until the process ends.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(
                message: "\(session.name) is already served on this machine; stop that server, or choose another name"
            )
        }
    }

    /// Called when the server ends. A lasting folder keeps the file: deleting it could remove the lock of the next
    /// server.
    func unlock(_ session: SessionID) { if isEphemeral { unlink(file(session, "lock")) } }
}
