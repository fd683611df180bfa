import Glibc
import PotluckCore
import PotluckScreen
import PotluckSystem

/// The options for messages besides the result.
enum LogArguments {
    private static let file = Option(
        "log-file", "FILE", "append log lines to this file", in: .log, default: "stderr", CommonOptions.text)
    private static let level = Option(
        "log-level", "LEVEL", "error, warning, notice, info or debug", in: .log, default: "notice",
        environment: "POTLUCK_LOG", values: .words(LogLevel.allCases.map(\.description))
    ) { (text) throws(ValueError) -> LogLevel in
        guard let level = LogLevel(named: text) else {
            let names = LogLevel.allCases.map(\.description)
            throw ValueError(
                "must be one of \(names.joined(separator: ", "))\(Spelling.hint(for: text, among: names))")
        }
        return level
    }
    private static let verbose = Flag("verbose", short: "v", "log details, as --log-level info does", in: .log)
    static let quiet = Flag("quiet", short: "q", "print only results and errors", in: .log)

    static let options = [file.declaration, level.declaration, verbose.declaration, quiet.declaration]

    /// Sets the level and the destination of the log before the command begins.
    static func apply(_ arguments: Arguments) throws {
        guard
            arguments.has(level.declaration) || arguments[verbose] || arguments[quiet]
                || arguments.has(file.declaration)
        else { return }
        if arguments[verbose], arguments[quiet] {
            throw UsageError("--verbose and --quiet cannot be used together")
        }
        let standard = LogDestination.standard
        if arguments[quiet] { standard.level = .error }
        if arguments[verbose] { standard.level = .info }
        // A level that the user typed is more precise than both, and both override the variable.
        let isTyped = arguments.source(of: level.declaration) == "--\(level.declaration.name)"
        if let level = try arguments[level], isTyped || !(arguments[verbose] || arguments[quiet]) {
            standard.level = level
        }
        guard arguments.has(file.declaration), let path = try arguments[file] else { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(Spelling.path(path))") }
        standard.append(to: descriptor)
    }
}
