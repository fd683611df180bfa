import Glibc
import Potluck
import PotluckArguments
import PotluckCrypto
import PotluckKit
import PotluckModel
import PotluckSystem

/// Where this user's nodes keep what must outlive them: `XDG_STATE_HOME/potluck`, or the folder that was named, for nobody else
/// to read. A node that keeps nothing has one all the same, for what goes with it.
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

    /// The bit of a mode with which everybody can make files in a folder.
    private static let writableByAll: mode_t = 0o002

    let path: String
    /// Whether nothing in it is to outlive the node.
    let isEphemeral: Bool
    /// Where nodes of this user that are not started alike have their doors.
    let others: [String]

    /// The one that a command line means, made where it is missing.
    static func find(_ arguments: Arguments) throws -> StateDirectory {
        let named = try arguments[option]
        if arguments[ephemeral] {
            let directory = StateDirectory(path: passing, isEphemeral: true, others: [named ?? usual].compactMap { $0 })
            try directory.make()
            return directory
        }
        guard let named else { return try own() }
        let directory = StateDirectory(path: named, isEphemeral: false, others: [passing])
        // It is left as it is. But where everybody can put files under our names is no place for a join code.
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

    /// Where what goes with a node is: the system empties it when its user logs out, or when it starts.
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
        // Somebody else's link in a folder of everybody's would lead anywhere.
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

    /// Those of its folders that are this user's, and where nobody else makes files under our names. Anybody can make one in /tmp,
    /// or a link, before we do.
    var trusted: [String] {
        ([path] + others).filter { folder in
            var (link, found) = (Glibc.stat(), Glibc.stat())
            guard lstat(folder, &link) == 0, link.st_uid == geteuid(), stat(folder, &found) == 0 else { return false }
            return found.st_mode & S_IFMT == S_IFDIR && found.st_uid == geteuid()
                && found.st_mode & Self.writableByAll == 0
        }
    }

    /// Where files without a name are made, which are gone with the node. What is there for nothing that lasts may be memory.
    var spool: String { isEphemeral ? "/var/tmp" : path }

    /// Nothing is left of a node that keeps nothing, unless others like it are still there.
    func end() { if isEphemeral { rmdir(path) } }

    /// A session's files are named by its hash: names of sessions may have anything in them.
    func file(_ session: SessionID, _ kind: String) -> String { "\(path)/\(session.hash).\(kind)" }

    /// Nil where nothing, or nothing sensible, is kept.
    func served(_ session: SessionID) -> ServedSession? {
        guard !isEphemeral, let file = fopen(file(session, "session"), "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: ServedSession.maximumLength)
        let count = fread(&bytes, 1, bytes.count, file)
        guard let kept = ServedSession(String(decoding: bytes.prefix(count), as: UTF8.self)), kept.session == session
        else { return nil }
        return kept
    }

    /// All of it or nothing: whatever happens meanwhile, the old text or the new one is there.
    func keep(_ served: ServedSession) throws(Failure) {
        guard !isEphemeral else { return }
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
        guard descriptor >= 0 else {
            throw Failure(message: Failure(cannot: "write \(path)").message + "; use another folder with --state DIR")
        }
        // Never closed: it is held as long as this process lives.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(
                message: "\(session.name) is already served on this machine; stop that server, or choose another name"
            )
        }
    }

    /// Whoever holds it goes. Where things are kept the file stays: taking it away could take another server's.
    func unlock(_ session: SessionID) { if isEphemeral { unlink(file(session, "lock")) } }
}

extension StateDirectory {
    /// Puts tables where a node of this user can read them, and tells where. Nil where there are none.
    func handOver(_ tables: [Table]) throws -> String? {
        guard !tables.isEmpty else { return nil }
        var path = Array("\(path)/tables.XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        let made = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(made)") }
        defer { close(descriptor) }
        do {
            try Output.write(tables.payload, to: descriptor)
        } catch {
            unlink(made)
            throw Failure(message: "cannot write \(made): \(String(cString: strerror(error.number)))")
        }
        return made
    }
}

extension Failure {
    /// With the reason that the C library gives.
    init(cannot deed: String) { self.init(message: "cannot \(deed): \(String(cString: strerror(errno)))") }

    /// `obstacle` is what `makeFolders` gave back.
    init(cannotMake folder: String, _ obstacle: Int32, advice: String = "use another folder with --state DIR") {
        if obstacle != 0 { errno = obstacle }
        self.init(message: Failure(cannot: "create \(folder)").message + "; " + advice)
    }
}
