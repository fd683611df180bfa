import Glibc
import PotluckArguments
import PotluckModel

/// Writes files that the user asked for.
enum FileWriter {
    static let force = Flag("force", short: "f", "overwrite the file if it exists", in: .output)

    /// Throws if the file exists and the user has not allowed to overwrite it, by option or, on a terminal, by an
    /// answer. An empty file and a device hold nothing to lose.
    static func check(_ path: String, _ arguments: Arguments) throws(Failure) {
        var status = stat()
        guard !arguments[force], stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
            return
        }
        let label = Spelling.path(path)
        if isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 {
            try? Output.write("Overwrite \(label)? [y/N] ", to: STDERR_FILENO)
            if let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) { return }
            throw Failure(message: "\(label) is unchanged")
        }
        throw Failure(message: "\(label) already exists; use --force to overwrite it, or choose another name")
    }

    /// Writes a new file, or replaces an old one if the user allows it.
    static func write(_ text: String, to path: String, _ arguments: Arguments) throws {
        try check(path, arguments)
        try write(text, overwriting: path)
    }

    /// Writes the whole file or, if that fails, leaves the old one unchanged. Call `check` before.
    static func write(_ text: String, overwriting path: String) throws {
        let draft = draft(of: path)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(Spelling.path(path))") }
        do {
            defer { close(descriptor) }
            try Output.write(text, to: descriptor)
        } catch {
            unlink(draft)
            throw Failure(message: "cannot write \(Spelling.path(path)): \(String(cString: strerror(error.number)))")
        }
        try put(draft, at: path)
    }

    /// The name of a file until it is complete.
    static func draft(of path: String) -> String { path + ".\(getpid()).new" }

    /// Gives a complete file its name, in place of an old one.
    static func put(_ draft: String, at path: String) throws(Failure) {
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw Failure(message: "cannot write \(Spelling.path(path)): \(reason)")
        }
    }
}
