import Foundation
import Glibc
import Synchronization

/// A process started by a test, with stdin, stdout and stderr of the test's choice.
struct Child {
    let id: pid_t
    /// The end of a pipe that closes with the child.
    private let alive: Int32

    /// The program beside the tests: both are built into one folder.
    static let program: String = {
        var path = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &path, path.count - 1)
        let own = String(decoding: path.prefix(max(0, count)).map(UInt8.init), as: UTF8.self)
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            + "/potluck"
    }()

    /// Where children keep what lasts, so that nobody's own runs and settings have to do with tests.
    private static let home = NSTemporaryDirectory() + "potluck-tests-\(getpid())"

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

    func send(_ signal: Int32) { kill(id, signal) }

    /// How it ended: its exit code, or the negative number of the signal that it died of. One that is stuck is killed.
    func wait() -> Int32 {
        var waiting = pollfd(fd: alive, events: Int16(POLLIN), revents: 0)
        if poll(&waiting, 1, patience) == 0 { send(SIGKILL) }
        close(alive)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7f
        return signal == 0 ? (status >> 8) & 0xff : -signal
    }
}

/// A child that says nothing for so long, in milliseconds, never will. Only a test that fails waits for it.
private let patience: Int32 = 30_000

/// Held while something is made that no child may inherit, and while a child is made: a pipe that another test's child keeps
/// open never ends.
private let inheriting = Mutex(())

private func makePipe() -> (reading: Int32, writing: Int32) {
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

/// The reading end of something a child writes to.
final class Reader {
    private let descriptor: Int32
    private(set) var text = ""

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Reads until `isEnough` is true of all that was read, or there is no more.
    @discardableResult
    func read(until isEnough: (String) -> Bool = { _ in false }) -> String {
        var bytes = Array(text.utf8)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isEnough(text) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, patience) != 0 else { break }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            // A terminal whose last writer is gone answers with an error.
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[0..<count]
            text = String(decoding: bytes, as: UTF8.self)
        }
        return text
    }
}

/// A pipe from a child.
struct Pipe {
    let reader: Reader
    let writer: Int32

    init() {
        let ends = makePipe()
        reader = Reader(ends.reading)
        writer = ends.writing
    }

    /// The writing end of a pipe that nobody reads.
    static func withoutReader() -> Int32 {
        let ends = makePipe()
        close(ends.reading)
        return ends.writing
    }

    /// The tests' own copy of the writing end, which would keep the pipe open.
    func closeWriter() { close(writer) }
}

/// A terminal with a child before it.
struct PseudoTerminal {
    let reader: Reader
    let name: String
    private let master: Int32
    private static let setLock: UInt = 0x4004_5431  // TIOCSPTLCK
    private static let getNumber: UInt = 0x8004_5430  // TIOCGPTN

    init(columns: UInt16, rows: UInt16 = 24) throws {
        // What posix_openpt, unlockpt and ptsname do, which Swift does not import.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var locked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw Trouble(what: "no pseudo-terminal")
        }
        name = "/dev/pts/\(number)"
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        reader = Reader(master)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Whether keys are shown, as they are before and after.
    var echoes: Bool {
        var attributes = termios()
        return tcgetattr(master, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
    }
}
