import Foundation
import Glibc
import Synchronization

/// A process that a test starts, with the test's choice of stdin, stdout and stderr. It is killed when it is
/// deallocated, so that a failed test leaves no process that competes with other tests.
final class Child {
    let id: pid_t
    /// The reading end of a pipe that closes when the child exits; nil once the child has been waited for.
    private var alive: Int32?

    /// The path of `potluck`, which is built into the same folder as the tests.
    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/potluck"
    }()

    /// The state and configuration folder of all children, so that tests do not touch the user's runs and settings.
    private static let home: String = {
        atexit { try? FileManager.default.removeItem(atPath: Child.home) }
        return NSTemporaryDirectory() + "potluck-tests-\(getpid())"
    }()

    /// Where a descriptor of the child leads.
    enum Stream {
        case nothing
        case descriptor(Int32)
        case file(String)
        /// The terminal with this name. It becomes the child's controlling terminal if it is stdin.
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
        // Starts a new session (0x80), whose controlling terminal is the first one that the child opens. Resets the
        // signals that the test process ignores.
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
        // Kills the child together with the processes that it has started.
        kill(-id, SIGKILL)
        _ = end()
    }

    func send(_ signal: Int32) { kill(id, signal) }

    /// Whether the child has exited, by itself or not.
    var hasExited: Bool {
        guard let alive else { return true }
        var waiting = pollfd(fd: alive, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 0) > 0
    }

    /// Waits for the child and returns its exit code, or the negative number of the signal that killed it. Kills a
    /// child that is still running when the patience ends.
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

/// How long a test waits for something that must happen. Only a failing test waits that long, so the limit may be
/// longer than the slowest machine needs. The first test that runs a file of an author compiles the whole kit, which takes
/// longer than two minutes on two busy cores. A test's own time limit could not end a wait here.
enum Patience {
    static let milliseconds: Int32 = 600_000

    /// The deadline for a wait that begins now.
    static var end: Date { Date(timeIntervalSinceNow: Double(milliseconds) / 1000) }
}

/// Locked while descriptors are made that no child may inherit, and while a child is started. A pipe that the child of
/// another test keeps open never ends.
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
