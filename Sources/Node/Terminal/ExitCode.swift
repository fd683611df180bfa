import Glibc

/// The exit codes.
package struct ExitCode: RawRepresentable, Equatable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let success = ExitCode(rawValue: 0)
    package static let failure = ExitCode(rawValue: 1)
    /// The command line is invalid.
    package static let usage = ExitCode(rawValue: 2)
    /// Stopped by Ctrl-C.
    package static let interrupted = ExitCode(rawValue: 130)
    /// Stopped by SIGTERM.
    package static let terminated = ExitCode(rawValue: 143)
}

/// Ends the program at once. Nothing needs to be flushed, and threads that still compute are simply stopped.
package func leave(_ code: ExitCode) -> Never {
    TerminalMode.restore()
    _exit(code.rawValue)
}
