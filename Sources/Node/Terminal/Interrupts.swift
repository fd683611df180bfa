import Glibc
import Synchronization

/// Handles SIGINT, SIGTERM and SIGTSTP. The main thread waits for them and does nothing else, so that a second Ctrl-C
/// always works.
package enum Interrupts {
    private struct State {
        var onStop: (@Sendable () -> Void)?
        var aroundSleep: (@Sendable (_ sleep: () -> Void) -> Void)?
        var first: Int32?
    }

    private static let state = Mutex(State())
    private static let waitedFor = [SIGINT, SIGTERM, SIGTSTP]

    /// Blocks the signals. Call it before creating any thread.
    package static func begin() {
        // If stdin, stdout or stderr is closed, the next file opened would take its number. Occupy it with a descriptor
        // on which reading or writing fails.
        for descriptor in 0...2 as ClosedRange<Int32> where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
        // Writing to a closed pipe then fails with EPIPE.
        signal(SIGPIPE, SIG_IGN)
        var set = set(of: waitedFor)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Sets what the first Ctrl-C or SIGTERM does. Only the second then ends the program at once.
    package static func stop(with action: @escaping @Sendable () -> Void) { state.withLock { $0.onStop = action } }

    /// Acts as if the signal had arrived. Used for keys that do the same.
    package static func ask(with signal: Int32) { kill(getpid(), signal) }

    /// Lets the next Ctrl-C end the program at once, because there is nothing to shut down.
    package static func stopAtOnce() { state.withLock { $0.onStop = nil } }

    /// Sets what Ctrl-Z calls. `body` must call its argument, which suspends the program and returns when the user
    /// resumes it.
    static func sleep(within body: @escaping @Sendable (_ sleep: () -> Void) -> Void) {
        state.withLock { $0.aroundSleep = body }
    }

    /// The exit code for the first signal that asked the program to stop; nil if none did.
    package static var asked: ExitCode? { state.withLock { $0.first }.map(code) }

    /// Handles signals until the program ends.
    package static func wait() -> Never {
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

    /// Restores the terminal and suspends the program, as Ctrl-Z does by default.
    private static func sleep() {
        TerminalMode.restore()
        var stop = set(of: [SIGTSTP])
        pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        raise(SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &stop, nil)
    }

    /// Ends the program as the default action of SIGPIPE would.
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
