import Glibc

/// A command of the program, with the function that runs it.
struct Verb: Sendable {
    let declaration: Command
    let run: @Sendable (Arguments) async throws -> ExitCode
}

/// The exit codes.
struct ExitCode: RawRepresentable, Equatable {
    let rawValue: Int32

    static let success = ExitCode(rawValue: 0)
    static let failure = ExitCode(rawValue: 1)
    /// The command line is invalid.
    static let usage = ExitCode(rawValue: 2)
    /// Stopped by Ctrl-C.
    static let interrupted = ExitCode(rawValue: 130)
    /// Stopped by SIGTERM.
    static let terminated = ExitCode(rawValue: 143)
}

/// An error that ends the program, with one line for stderr.
struct Failure: Error {
    let message: String
    /// The code that a program with ranks chose; nil for the usual one.
    var code: Int32?
}

/// Ends the program at once. Nothing needs to be flushed, and threads that still compute are simply stopped.
func leave(_ code: ExitCode) -> Never {
    TerminalMode.restore()
    _exit(code.rawValue)
}
