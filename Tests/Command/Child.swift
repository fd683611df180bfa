import Foundation
import Glibc
import Synchronization

/// A process started by a test, with stdin, stdout and stderr of the test's choice. It ends with the test at the latest: one
/// that a failed test left behind would compute on beside all others.
final class Child {
    let id: pid_t
    /// The end of a pipe that closes with the child; nil once it has been waited for.
    private var alive: Int32?

    /// The program beside the tests: both are built into one folder.
    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/potluck"
    }()

    /// Where children keep what lasts, so that nobody's own runs and settings have to do with tests.
    private static let home: String = {
        atexit { try? FileManager.default.removeItem(atPath: Child.home) }
        return NSTemporaryDirectory() + "potluck-tests-\(getpid())"
    }()

    /// What a child's descriptor leads to.
    enum Stream {
        case nothing
        case descriptor(Int32)
        case file(String)
        /// The terminal of that name, which becomes the child's own where it is stdin.
        case terminal(String)
    }

    init(
        _ arguments: [String], program: String = Child.program, environment: [String: String] = [:],
        stdin: Stream = .nothing, stdout: Stream = .nothing, stderr: Stream = .nothing
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in [stdin, stdout, stderr].enumerated() {
            switch stream {
            case .nothing: posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
            case .file(let path): posix_spawn_file_actions_addopen(&actions, Int32(number), path, O_WRONLY, 0)
            case .terminal(let name): posix_spawn_file_actions_addopen(&actions, Int32(number), name, O_RDWR, 0)
            case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
            }
        }
        let ends = makePipe()
        alive = ends.reading
        defer { close(ends.writing) }
        posix_spawn_file_actions_adddup2(&actions, ends.writing, 3)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // A session of its own, whose terminal is the first one it opens; and none of the signals that tests run with ignored.
        var defaults = sigset_t()
        sigfillset(&defaults)
        posix_spawnattr_setsigdefault(&attributes, &defaults)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(0x80 | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

        var variables = [
            "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": Self.home, "XDG_CONFIG_HOME": Self.home,
        ]
        variables.merge(environment) { $1 }
        var argv = ([program] + arguments).map { strdup($0) } + [nil]
        var envp = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var id: pid_t = 0
        let error = inheriting.withLock { _ in posix_spawn(&id, program, &actions, &attributes, &argv, &envp) }
        guard error == 0 else { throw Trouble(what: "\(program): \(String(cString: strerror(error)))") }
        self.id = id
    }

    deinit {
        guard let alive else { return }
        close(alive)
        // With whatever it has started itself.
        kill(-id, SIGKILL)
        _ = end()
    }

    func send(_ signal: Int32) { kill(id, signal) }

    /// How it ended: its exit code, or the negative number of the signal that it died of. One that is stuck is killed.
    func wait() -> Int32 {
        if let alive {
            var waiting = pollfd(fd: alive, events: Int16(POLLIN), revents: 0)
            if poll(&waiting, 1, Patience.milliseconds) == 0 { send(SIGKILL) }
            close(alive)
        }
        alive = nil
        return end()
    }

    private func end() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : -signal
    }
}

/// How long a test waits for what must come. Only one that fails waits so long, so that it may be more than the slowest
/// machine needs. The tests have no time limit besides: it could not end one that waits here.
enum Patience {
    static let milliseconds: Int32 = 120_000

    /// Of one who begins to wait now.
    static var end: Date { Date(timeIntervalSinceNow: Double(milliseconds) / 1000) }
}

/// Held while something is made that no child may inherit, and while a child is made: a pipe that another test's child keeps
/// open never ends.
private let inheriting = Mutex(())

func makePipe() -> (reading: Int32, writing: Int32) {
    inheriting.withLock { _ in
        var ends: [Int32] = [0, 0]
        pipe(&ends)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

struct Trouble: Error {
    let what: String
}
