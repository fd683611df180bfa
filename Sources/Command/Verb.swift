import Glibc
import PotluckArguments

/// A command and what it does.
struct Verb: Sendable {
    let declaration: Command
    let run: @Sendable (Arguments) async throws -> ExitCode
}

/// What the shell is told.
enum ExitCode: Int32 {
    case success = 0
    case failure = 1
    /// The command line made no sense.
    case usage = 2
    /// Stopped by Ctrl-C.
    case interrupted = 130
    /// Stopped by SIGTERM.
    case terminated = 143
}

/// Something that was asked for cannot be done: one line for stderr.
struct Failure: Error {
    let message: String
}

/// Ends the program. Nothing is left to be flushed, and threads that still compute are nobody's business any more.
func leave(_ code: ExitCode) -> Never {
    TerminalMode.restore()
    _exit(code.rawValue)
}
