import Glibc
import PotluckCore
import PotluckScreen

/// A file for output that the user named, or stdout.
package struct OutputFile: Sendable {
    /// Where the output goes.
    private enum Destination {
        case stdout
        /// A device, a pipe, or a file in a folder where nothing can be created. It is written as the output comes.
        case stream(Int32)
        /// A regular file, which has the output once it is complete.
        case file(path: String)
    }

    private let destination: Destination
    /// The path as shown in messages.
    package let label: String

    /// Opens the file now, so that an unwritable path fails before the work. The old content stays until there is new
    /// output. `-` stands for stdout.
    package init(_ path: String, _ arguments: Arguments) throws {
        label = Spelling.path(path)
        guard path != "-" else {
            destination = .stdout
            return
        }
        try FileWriter.check(path, arguments)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(label)") }
        if FileWriter.canReplace(path, open: descriptor) {
            close(descriptor)
            destination = .file(path: path)
        } else {
            destination = .stream(descriptor)
        }
    }

    /// If true, everything else goes to stderr.
    package var isStdout: Bool { if case .stdout = destination { true } else { false } }

    /// Lets `body` write the output, and closes the file.
    package func write(_ body: (Int32) throws -> Void) throws {
        do {
            switch destination {
            case .stdout: try body(STDOUT_FILENO)
            case .stream(let descriptor): try stream(to: descriptor, body)
            case .file(let path): try FileWriter.replace(path, body)
            }
        } catch let error as OutputError {
            if isStdout { throw error }
            throw Failure(message: "cannot write \(label): \(String(cString: strerror(error.number)))")
        }
    }

    private func stream(to descriptor: Int32, _ body: (Int32) throws -> Void) throws {
        // Ignore failures, because a pipe or a terminal cannot be truncated.
        _ = ftruncate(descriptor, 0)
        do {
            try body(descriptor)
        } catch {
            // Leave no incomplete file behind.
            _ = ftruncate(descriptor, 0)
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw OutputError(number: errno) }
    }
}
