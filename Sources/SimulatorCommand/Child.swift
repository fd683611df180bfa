import Glibc
import PotluckSystem

/// A process that runs schedules, so that a trap in the engine ends one schedule and not the sweep.
enum Child {
    /// The environment variable that marks such a process.
    static let mark = "POTLUCK_SIM_CHILD"

    /// The environment variable with a seed whose schedule shall trap, for tests.
    static let trap = "POTLUCK_SIM_TRAP"

    /// Held while a process starts. Otherwise another child could inherit the pipe, and its end would not be noticed.
    private static let starting = Guarded(())

    /// Runs the schedules of these seeds in a child process, and passes each line of its output to `take`. Returns
    /// false if the process cannot be started.
    static func live(_ sweep: Sweep, _ seeds: Range<UInt64>, _ take: (Substring) -> Void) -> Bool {
        guard let (process, descriptor) = starting.with({ _ in start(sweep, seeds) }) else { return false }
        defer { close(descriptor) }
        read(descriptor, take)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        return true
    }

    private static func start(_ sweep: Sweep, _ seeds: Range<UInt64>) -> (process: pid_t, descriptor: Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        var own = ["\(mark)=1", "SEED=\(seeds.lowerBound)", "RUNS=\(seeds.upperBound - seeds.lowerBound)"]
        if let mark = sweep.mark { own.append("\(mark)=1") }
        if let seed = getenv(trap) { own.append("\(trap)=\(String(cString: seed))") }
        var environment = own.map { strdup($0) } + [nil]
        var arguments = [strdup("potluck-sim"), nil]
        defer { for text in environment + arguments { free(text) } }
        var process: pid_t = 0
        guard posix_spawn(&process, "/proc/self/exe", &actions, nil, &arguments, &environment) == 0 else {
            close(ends[0])
            return nil
        }
        return (process, ends[0])
    }

    private static func read(_ descriptor: Int32, _ take: (Substring) -> Void) {
        var rest: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest += piece[..<count]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                take(String(decoding: rest[..<end], as: UTF8.self)[...])
                rest.removeSubrange(...end)
            }
        }
    }
}
