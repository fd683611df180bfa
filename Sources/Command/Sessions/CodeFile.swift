import Glibc
import Potluck
import PotluckCore
import PotluckScreen
import PotluckSystem

/// A file with a join code, for nodes that nobody starts by hand.
enum CodeFile {
    /// The most bytes of a file that can be a code; five words have far fewer.
    private static let longest = 256
    /// The permissions that let its owner alone read it.
    private static let safe: Set<mode_t> = [0o400, 0o600]

    /// Returns the code. Throws an error of one line, which shows nothing of the file's content.
    static func read(_ path: String) throws -> JoinCode {
        let label = Spelling.path(path)
        // Opening a pipe must not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(cannot: "read \(label)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(cannot: "read \(label)") }
        if !isCredential(path), let why = refusal(status, user: geteuid(), path) {
            throw Failure(message: "--code-file: \(label) \(why)")
        }
        var octets = [UInt8](repeating: 0, count: longest + 1)
        let count = Glibc.read(descriptor, &octets, octets.count)
        guard count >= 0 else { throw Failure(cannot: "read \(label)") }
        guard count <= longest else { throw Failure(message: "--code-file: \(label) is too long for five words") }
        do throws(JoinCodeError) {
            return try JoinCode(typed: String(decoding: octets.prefix(count), as: UTF8.self).trimmed)
        } catch {
            throw UsageError("--code-file: \(error)")
        }
    }

    /// Whether the file is one that systemd gives to this service alone (`LoadCredential=`). It may belong to root, with an
    /// access list.
    static func isCredential(_ path: String, in folder: String? = Environment["CREDENTIALS_DIRECTORY"]) -> Bool {
        folder.map { path.hasPrefix($0 + "/") && !path.dropFirst($0.count + 1).contains("/") } ?? false
    }

    /// Says why such a file is not safe, and what to do; nil if it is.
    static func refusal(_ status: stat, user: uid_t, _ path: String) -> String? {
        if status.st_mode & S_IFMT != S_IFREG { return "is not a regular file; write the five words into one" }
        if status.st_uid != user { return "belongs to another user; use a copy of your own" }
        if !safe.contains(status.st_mode & 0o7777) {
            return "must be readable by you alone; run 'chmod 600 \(ShellWord.quoted(path))'"
        }
        return nil
    }

    static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) != 0 && errno == ENOENT
    }

    /// Writes a new code, for the nodes that will join.
    static func write(_ code: JoinCode, _ path: String) throws {
        let draft = FileWriter.draft(of: path)
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(Spelling.path(path))") }
        do throws(OutputError) {
            defer { close(descriptor) }
            try Output.write(code.spelled + "\n", to: descriptor)
            try FileWriter.put(draft, at: path)
        } catch {
            unlink(draft)
            throw Failure(message: "cannot write \(Spelling.path(path)): \(String(cString: strerror(error.number)))")
        }
    }
}
