import Glibc
import PotluckArguments

/// A command of the program, with the function that runs it.
struct Verb: Sendable {
    let declaration: Command
    let run: @Sendable (Arguments) async throws -> ExitCode
}

/// The exit codes.
enum ExitCode: Int32 {
    case success = 0
    case failure = 1
    /// The command line is invalid.
    case usage = 2
    /// Stopped by Ctrl-C.
    case interrupted = 130
    /// Stopped by SIGTERM.
    case terminated = 143
}

/// An error that ends the program, with one line for stderr.
struct Failure: Error {
    let message: String
}

/// Ends the program at once. Nothing needs to be flushed, and threads that still compute are simply stopped.
func leave(_ code: ExitCode) -> Never {
    TerminalMode.restore()
    _exit(code.rawValue)
}
