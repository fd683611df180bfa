import Glibc
import PotluckCore
import PotluckSystem

/// The files of the sockets at which nodes listen: `HASH.MARK.WORD.control`, with the hash of the session and the mark
/// of the place where the socket can be reached.
extension StateDirectory {
    private static let ending = "control"

    /// How many days the socket of another machine, or of an earlier boot, is kept. Nothing here can tell whether a
    /// node still listens at it. But a node renews its file each hour (`ControlDoor.renewal`), so the node of an older
    /// file has been dead, or suspended, for a month.
    private static let mostDays = 30

    /// The beginning of the ID that the kernel draws when it starts; empty if the system hides it.
    private static let boot: String = {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
        defer { fclose(file) }
        // 48 random bits, and a hyphen.
        var digits = [UInt8](repeating: 0, count: 13)
        let count = fread(&digits, 1, digits.count, file)
        return String(decoding: digits.prefix(count), as: UTF8.self)
    }()

    /// Says from where a socket in a folder can be reached: through the same running kernel and the same mounted file
    /// system. In a shared home there are sockets of other machines. They refuse every connection here although nodes
    /// listen at them. Namespaces do not matter: a command in one container reaches a node in another on the same
    /// machine if both have the folder.
    static func mark(ofFolder folder: String) -> String {
        var found = stat()
        stat(folder, &found)
        return "\(boot)-\(String(found.st_dev, radix: 16))"
    }

    /// The path of the socket of a node on this machine. `word` distinguishes it from other nodes of the session.
    func control(_ session: SessionID, _ word: String) -> String {
        file(session, "\(Self.mark(ofFolder: path)).\(word).\(Self.ending)")
    }

    /// The path of a socket that no other node has. Process IDs would not do, because containers that share the folder
    /// have the same ones.
    func newControl(_ session: SessionID) -> String {
        control(session, String(UInt32.random(in: 0 ... .max), radix: 16))
    }

    /// The socket paths of the session's nodes on this machine, sorted within each folder, those in this directory
    /// first.
    func controls(_ session: SessionID) -> [String] { controls { $0.hasPrefix("\(session.hash).") } }

    /// The socket paths of all nodes of this user on this machine.
    var controls: [String] { controls { _ in true } }

    private func controls(where isMeant: (String) -> Bool) -> [String] {
        trusted.flatMap { (folder) -> [String] in
            let mark = Self.mark(ofFolder: folder)
            let found = names(inFolder: folder).filter { isMeant($0) && Self.isControl($0, mark) }
            return found.sorted().map { "\(folder)/\($0)" }
        }
    }

    private static func isControl(_ name: String, _ mark: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[1] == mark && parts[3] == ending
    }

    /// Removes the sockets of other machines and of earlier boots that nobody has renewed for a month. A command
    /// removes those of killed nodes of this place.
    func removeOldControls() {
        let mark = Self.mark(ofFolder: path)
        let endings = [".\(Self.ending)", ".\(Self.ending)\(LocalSocket.draftEnding)"]
        for name in names(inFolder: path) {
            guard endings.contains(where: { name.hasSuffix($0) }), !Self.isControl(name, mark) else { continue }
            var found = stat()
            let file = "\(path)/\(name)"
            // A folder that the user named may have other files whose names end in this way.
            guard lstat(file, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK else { continue }
            if time(nil) - found.st_mtim.tv_sec > Self.mostDays * 86_400 { unlink(file) }
        }
    }
}
