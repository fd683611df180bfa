import Glibc
import PotluckModel

/// What is written to stdout and stderr. Each text goes out in one piece, and whether it did is looked at.
enum Output {
    /// Writes to stdout.
    static func write(_ text: String) throws(OutputError) { try write(text, to: STDOUT_FILENO) }

    /// One line on stderr, whatever others put into it. Where even stderr is closed nobody can be told.
    static func complain(_ message: String) {
        try? write("potluck: \(message.escapedForScreen)\n", to: STDERR_FILENO)
    }

    static func write(_ text: String, to descriptor: Int32) throws(OutputError) {
        try write(Array(text.utf8), to: descriptor)
    }

    static func write(_ octets: [UInt8], to descriptor: Int32) throws(OutputError) {
        var bytes = octets[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno == EAGAIN {
                // Somebody made our terminal non-blocking, as some programs do with the one they share.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&waiting, 1, -1)
            } else if errno != EINTR {
                throw OutputError(number: errno)
            }
        }
    }

    /// What is left to do when stdout takes no more.
    static func end(after error: OutputError) -> ExitCode {
        // Whoever read it has enough. Other programs die of the signal then, and that is what shells expect.
        if error.number == EPIPE { Interrupts.dieOfPipe() }
        complain("cannot write to stdout: \(String(cString: strerror(error.number)))")
        return .failure
    }
}

/// A text could not be written.
struct OutputError: Error {
    /// The C library's number for why.
    let number: Int32
}
