import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck new`: creates a simulation to start from.
enum NewCommand {
    private static let python = Flag("python", "create a simulation in Python", in: .compute)
    private static let swift = Flag("swift", "create a simulation in Swift", in: .compute)
    private static let search = Flag("search", "create a search for the best of many solutions, in Swift", in: .compute)

    static let verb = Verb(
        declaration: Command(
            "new", "create a simulation to start from",
            positionals: [Positional("NAME", "its name: lower-case letters, digits and hyphens")],
            options: [python.declaration, swift.declaration, search.declaration],
            details: [
                "This creates the folder NAME with one file, which runs as it is. Without an option it asks for the language on a "
                    + "terminal, and writes Swift elsewhere."
            ],
            examples: ["new doublets", "new --python doublets", "new --search knapsack"]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let name = arguments[0] ?? ""
        guard let template = Template(name) else {
            throw UsageError(
                "invalid name \(Spelling.quoted(name)): use lower-case letters, digits and hyphens, beginning with a letter, "
                    + "at most \(Template.longestName) in all")
        }
        if arguments[python], arguments[swift] || arguments[search] {
            throw UsageError(
                "--python and --\(arguments[swift] ? "swift" : "search") cannot be used together"
                    + (arguments[swift] ? "" : "; a search is written in Swift"))
        }
        let isPython = arguments[python] || !arguments[swift] && !arguments[search] && wantsPython()
        guard mkdir(name, 0o755) == 0 else {
            if errno == EEXIST { throw Failure(message: "\(name) already exists; choose another name") }
            throw Failure(cannot: "create the folder \(name)")
        }
        let text = isPython ? template.python : arguments[search] ? template.search : template.text
        let path = "\(name)/\(name).\(isPython ? "py" : "swift")"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        defer { close(descriptor) }
        do { try Output.write(text, to: descriptor) } catch {
            throw Failure(cannot: "write \(path)")
        }
        try Output.write(
            """
            Created \(path). Edit it, then:

                potluck run \(path)      run it on this machine
                potluck check \(path)    check the rules that make results exact
                potluck build \(path)    compile it for machines without \(isPython ? "Python" : "Swift")

            """)
        return .success
    }

    /// Asks for the language on a terminal. Elsewhere it is Swift.
    private static func wantsPython() -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return false }
        try? Output.write("In Swift or in Python? [swift/python] ", to: STDERR_FILENO)
        return readLine()?.lowercased().hasPrefix("p") ?? false
    }
}
