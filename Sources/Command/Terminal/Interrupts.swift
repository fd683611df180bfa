import Glibc
import Synchronization

/// Ctrl-C and its relatives. The main thread waits for all of them and does nothing else, so that a second Ctrl-C works
/// whatever is stuck.
enum Interrupts {
    private struct State {
        var onStop: (@Sendable () -> Void)?
        var aroundSleep: (@Sendable (_ sleep: () -> Void) -> Void)?
        var first: Int32?
    }

    private static let state = Mutex(State())
    private static let waitedFor = [SIGINT, SIGTERM, SIGTSTP]

    /// Must come before any other thread is made.
    static func begin() {
        // Were stdout closed, the next file opened would be taken for it. This way writing to it fails, as it should.
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // A closed pipe shows as an error where it is written to.
        signal(SIGPIPE, SIG_IGN)
        var set = set(of: waitedFor)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// From now on the first Ctrl-C or SIGTERM calls `action`, and only the second ends the program at once.
    static func stop(with action: @escaping @Sendable () -> Void) { state.withLock { $0.onStop = action } }

    /// As if that signal had come: a key asks for the same.
    static func ask(with signal: Int32) { kill(getpid(), signal) }

    /// From now on there is nothing to be brought to an end first.
    static func stopAtOnce() { state.withLock { $0.onStop = nil } }

    /// `body` is called for Ctrl-Z, and calls what it is given, which returns when the user brings the program back.
    static func sleep(within body: @escaping @Sendable (_ sleep: () -> Void) -> Void) {
        state.withLock { $0.aroundSleep = body }
    }

    /// The exit code of the first signal that asked the program to stop; nil where none did.
    static var asked: ExitCode? { state.withLock { $0.first }.map(code) }

    /// Takes the signals, for as long as the program runs.
    static func wait() -> Never {
        var set = set(of: waitedFor)
        while true {
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { continue }
            switch number {
            case SIGTSTP: if let around = state.withLock({ $0.aroundSleep }) { around(sleep) } else { sleep() }
            default:
                let action = state.withLock { state in
                    let isFirst = state.first == nil
                    if isFirst { state.first = number }
                    return isFirst ? state.onStop : nil
                }
                guard let action else { leave(code(number)) }
                action()
            }
        }
    }

    private static func code(_ number: Int32) -> ExitCode { number == SIGTERM ? .terminated : .interrupted }

    /// Does what Ctrl-Z does to a program that takes no notice of it, after the terminal is as the shell wants it.
    private static func sleep() {
        TerminalMode.restore()
        var stop = set(of: [SIGTSTP])
        pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        raise(SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
    }

    /// Ends as a program does that never heard of SIGPIPE.
    static func dieOfPipe() -> Never {
        TerminalMode.restore()
        signal(SIGPIPE, SIG_DFL)
        var pipe = set(of: [SIGPIPE])
        pthread_sigmask(SIG_UNBLOCK, &pipe, nil)
        raise(SIGPIPE)
        _exit(128 + SIGPIPE)
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in signals { sigaddset(&set, number) }
        return set
    }
}
