import Glibc

/// Reports the seed of the current schedule when a trap ends the process.
enum Crash {
    /// The longest schedule, in seconds of CPU time. Most take milliseconds, and those with a flood of messages some
    /// seconds, so a longer one loops within one event. It is CPU time because a busy machine makes no schedule wrong.
    private static let patience = 120

    /// Plain memory, because a signal handler may use nothing else.
    nonisolated(unsafe) private static let seed: UnsafeMutablePointer<UInt64> = {
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        memory.initialize(to: 0)
        return memory
    }()

    /// The command that repeats a schedule, without its seed.
    nonisolated(unsafe) private static var command: StaticString = ""

    static func begins(_ seed: UInt64) {
        self.seed.pointee = seed
        var timer = itimerval()
        timer.it_value.tv_sec = patience
        setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    }

    static func watch(_ sweep: Sweep) {
        _ = seed
        command = sweep.command
        for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGPROF] {
            signal(number) { number in
                Crash.lastWords(number == SIGPROF)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    private static func lastWords(_ isLate: Bool) {
        say(isLate ? "does not end; repeat it with:" : "trapped; repeat it with:")
        say("\n    ")
        say(command)
        var power: UInt64 = 10_000_000_000_000_000_000
        var isLeading = true
        while power > 0 {
            let digit = UInt8(seed.pointee / power % 10)
            if digit != 0 || !isLeading || power == 1 {
                isLeading = false
                var octet = UInt8(ascii: "0") + digit
                _ = write(STDERR_FILENO, &octet, 1)
            }
            power /= 10
        }
        say("\n")
    }

    private static func say(_ text: StaticString) { _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount) }
}
