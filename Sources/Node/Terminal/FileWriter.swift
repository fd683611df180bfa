import Glibc
import PotluckCore
import PotluckScreen

/// Writes files that the user asked for.
package enum FileWriter {
    package static let force = Flag("force", short: "f", "overwrite the file if it exists", in: .output)

    /// Throws if the file exists and the user has not allowed to overwrite it, by option or, on a terminal, by an
    /// answer. An empty file and a device hold nothing to lose.
    package static func check(_ path: String, _ arguments: Arguments) throws(Failure) {
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
    package static func write(_ text: String, to path: String, _ arguments: Arguments) throws {
        try check(path, arguments)
        try write(text, overwriting: path)
    }

    /// Writes the whole file or, if that fails, leaves the old one unchanged. Call `check` before.
    package static func write(_ text: String, overwriting path: String) throws {
        do {
            try replace(path) { try Output.write(text, to: $0) }
        } catch let error as OutputError {
            throw Failure(message: "cannot write \(Spelling.path(path)): \(String(cString: strerror(error.number)))")
        }
    }

    /// Lets `body` write a file, which gets its name once it is complete. Then it is there whole or not at all, even if
    /// the program is killed. A link still points to the file, which keeps its permissions.
    package static func replace(_ path: String, _ body: (Int32) throws -> Void) throws {
        let path = target(of: path)
        let draft = draft(of: path)
        var status = stat()
        let mode = stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw OutputError(number: errno) }
        do {
            if let mode { fchmod(descriptor, mode) }
            try body(descriptor)
            // Otherwise a machine that crashes may leave an empty file with the name of a whole one.
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw OutputError(number: errno) }
        } catch {
            close(descriptor)
            unlink(draft)
            throw error
        }
        guard close(descriptor) == 0 else {
            let error = OutputError(number: errno)
            unlink(draft)
            throw error
        }
        try put(draft, at: path)
    }

    /// The path of the file that a link points to.
    private static func target(of path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    /// Whether `replace` can write the file that was opened at that path: it is a file, not a device or a pipe, and its
    /// folder can have a draft.
    static func canReplace(_ path: String, open descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let target = target(of: path)
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        return access(folder, W_OK) == 0
    }

    /// The name of a file until it is complete. It is random, because process IDs repeat on the machines of a cluster.
    package static func draft(of path: String) -> String { path + ".\(UInt32.random(in: 0...UInt32.max)).new" }

    /// Gives a complete file its name, in place of an old one.
    package static func put(_ draft: String, at path: String) throws(OutputError) {
        guard rename(draft, path) == 0 else {
            let error = OutputError(number: errno)
            unlink(draft)
            throw error
        }
    }
}
