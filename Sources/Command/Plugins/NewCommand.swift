import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck new`: creates a simulation to start from.
enum NewCommand {
    private static let python = Flag("python", "create a simulation in Python", in: .compute)
    private static let swift = Flag("swift", "create a simulation in Swift", in: .compute)
    private static let kinds: [(kind: Template.Kind, flag: Flag)] = [
        (.data, Flag("data", "begin with numbers from a file", in: .compute)),
        (.series, Flag("series", "begin with a curve over time", in: .compute)),
        (.search, Flag("search", "begin with a search for the best of many solutions, in Swift", in: .compute)),
        (.lanes, Flag("lanes", "begin with sixteen trials at once, in Swift", in: .compute)),
        (.ranks, Flag("ranks", "begin with a program whose ranks send messages, in Swift", in: .compute)),
    ]

    static let verb = Verb(
        declaration: Command(
            "new", "create a simulation to start from",
            positionals: [Positional("NAME", "its name: lower-case letters, digits and hyphens")],
            options: [python.declaration, swift.declaration] + kinds.map(\.flag.declaration),
            details: [
                "This creates the folder NAME with a file, which runs as it is. Without a language it asks for one on a terminal, and "
                    + "writes Swift elsewhere."
            ],
            examples: ["new doublets", "new --python --data tallest", "new --search knapsack"]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let name = arguments[0] ?? ""
        guard let template = Template(name) else {
            throw UsageError(
                "invalid name \(Spelling.quoted(name)): use lower-case letters, digits and hyphens, beginning with a letter, "
                    + "at most \(Template.longestName) in all")
        }
        if arguments[python], arguments[swift] { throw UsageError("--python and --swift cannot be used together") }
        let chosen = kinds.filter { arguments[$0.flag] }.map(\.kind)
        if chosen.count > 1 {
            throw UsageError(
                "--\(chosen[0].rawValue) and --\(chosen[1].rawValue) cannot be used together; create two simulations")
        }
        let kind = chosen.first ?? .dice
        let inPython = template.python(kind)
        if arguments[python], inPython == nil {
            throw UsageError(
                "--python and --\(kind.rawValue) cannot be used together; \(noun(kind)) is written in Swift")
        }
        let isPython = inPython != nil && (arguments[python] || !arguments[swift] && wantsPython())
        guard mkdir(name, 0o755) == 0 else {
            if errno == EEXIST { throw Failure(message: "\(name) already exists; choose another name") }
            throw Failure(cannot: "create the folder \(name)")
        }
        let path = "\(name)/\(name).\(isPython ? "py" : "swift")"
        try write(isPython ? inPython ?? "" : template.swift(kind), to: path)
        var words = path
        if let numbers = Template.numbers(kind) {
            try write(numbers.text, to: "\(name)/\(numbers.name)")
            words += " --input people=\(name)/\(numbers.name)"
        }
        let lines = [
            ("run \(words)", "run it on this machine"),
            ("check \(words)", "check the rules that make results exact"),
            ("build \(path)", "compile it for machines without \(isPython ? "Python" : "Swift")"),
        ]
        try Output.write("Created \(path). Edit it, then:\n\n\(table(kind == .ranks ? launching(path) : lines))")
        return .success
    }

    /// A kind that Python has not, in words.
    private static func noun(_ kind: Template.Kind) -> String {
        switch kind {
        case .search: "a search"
        case .ranks: "a program with ranks"
        case .dice, .data, .series, .lanes: "a simulation with lanes"
        }
    }

    /// What is done with a program with ranks. It has no trials whose laws 'check' could test.
    private static func launching(_ path: String) -> [(String, String)] {
        [
            ("launch -n 4 \(path)", "run it with four ranks on this machine"),
            ("build \(path)", "compile it for machines without Swift"),
        ]
    }

    private static func table(_ lines: [(command: String, text: String)]) -> String {
        let width = lines.map(\.command.count).max() ?? 0
        return lines.map { line in
            "    potluck \(line.command)\(String(repeating: " ", count: width - line.command.count))    \(line.text)\n"
        }.joined()
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        defer { close(descriptor) }
        do { try Output.write(text, to: descriptor) } catch {
            throw Failure(cannot: "write \(path)")
        }
    }

    /// Asks for the language on a terminal. Elsewhere it is Swift.
    private static func wantsPython() -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
        try? Output.write("In Swift or in Python? [swift/python] ", to: STDERR_FILENO)
        return readLine()?.lowercased().hasPrefix("p") ?? false
    }
}
