import Glibc
import PotluckCore
import PotluckScreen

/// Writes to stdout and stderr, without buffering, and reports every failure.
package enum Output {
    /// Writes to stdout.
    package static func write(_ text: String) throws(OutputError) { try write(text, to: STDOUT_FILENO) }

    /// Prints a line to stderr, with control characters escaped. Ignores failures, because nothing is left to report
    /// them on.
    package static func complain(_ message: String) {
        let lines = narrowed("potluck: \(message.escapedForScreen)")
        try? write(lines.joined(separator: "\n") + "\n", to: STDERR_FILENO)
    }

    /// Breaks a line between words for a narrow terminal. A wide one breaks it by itself, so that users can copy
    /// commands in it as a whole.
    private static func narrowed(_ line: String) -> [String] {
        guard isatty(STDERR_FILENO) == 1 else { return [line] }
        let columns = Terminal.canvas(of: STDERR_FILENO).columns
        return columns < Help.widest ? Help.wrap(line, to: columns) : [line]
    }

    /// Writes a text, which breaks between words on a terminal.
    package static func say(_ text: String, to descriptor: Int32) throws(OutputError) {
        let canvas = Terminal.canvas(of: descriptor)
        try write(canvas.text(canvas.wrapped(text)), to: descriptor)
    }

    package static func write(_ text: String, to descriptor: Int32) throws(OutputError) {
        try write(Array(text.utf8), to: descriptor)
    }

    package static func write(_ octets: [UInt8], to descriptor: Int32) throws(OutputError) {
        var bytes = octets[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno == EAGAIN {
                // Another program that shares the terminal made it non-blocking. Wait until it can be written to.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw OutputError(number: errno)
            }
        }
    }

    /// Handles a failure to write to stdout, and returns the exit code.
    package static func end(after error: OutputError) -> ExitCode {
        // The reader has closed the pipe. Shells expect a program to die of SIGPIPE then.
        if error.number == EPIPE { Interrupts.dieOfPipe() }
        complain("cannot write to stdout: \(String(cString: strerror(error.number)))")
        return .failure
    }
}

/// A failed write.
package struct OutputError: Error {
    /// The value of `errno`.
    package let number: Int32
}
