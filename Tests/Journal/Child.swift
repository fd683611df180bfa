import Glibc

/// A process of the trial program, which tests kill.
final class Child {
    private let id: pid_t
    private let reading: Int32
    private var text: [UInt8] = []

    /// In the folder of the test program, because both are built into one folder.
    private static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/PotluckJournalTrial"
    }()

    init(_ arguments: String...) throws {
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = ends[0]
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var argv = ([Self.program] + arguments).map { strdup($0) } + [nil]
        defer { argv.forEach { free($0) } }
        var id: pid_t = 0
        let error = posix_spawn(&id, Self.program, &actions, nil, &argv, environ)
        guard error == 0 else { throw Trouble(what: "\(Self.program): \(String(cString: strerror(error)))") }
        self.id = id
    }

    struct Trouble: Error { let what: String }

    /// Returns how many processes to kill: the value of `POTLUCK_KILLS`, or the default.
    static func kills(_ usual: Int) -> Int {
        getenv("POTLUCK_KILLS").flatMap { Int(String(cString: $0)) } ?? usual
    }

    /// Returns the next line; nil at the end of the output.
    func line() -> String? {
        while true {
            if let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                defer { text.removeSubrange(...end) }
                return String(decoding: text[..<end], as: UTF8.self)
            }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(reading, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            text += bytes[0..<count]
        }
    }

    /// Returns all lines until the process ends by itself.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        end()
        return lines
    }

    private func end() {
        close(reading)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
    }

    /// Kills the process after so many microseconds, without a warning. Returns all lines that it wrote until then.
    func kill(after microseconds: UInt32) -> [String] {
        usleep(microseconds)
        Glibc.kill(id, SIGKILL)
        return lines()
    }
}
