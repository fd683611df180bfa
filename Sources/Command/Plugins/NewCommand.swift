import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck new`: creates a simulation to start from.
enum NewCommand {
    private static let search = Flag("search", "create a search for the best of many solutions", in: .compute)

    static let verb = Verb(
        declaration: Command(
            "new", "create a simulation to start from",
            positionals: [Positional("NAME", "its name: lower-case letters, digits and hyphens")],
            options: [search.declaration],
            details: ["This creates the folder NAME with one Swift file, which runs as it is."],
            examples: ["new doublets", "new --search knapsack"]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let name = arguments[0] ?? ""
        guard let template = Template(name) else {
            throw UsageError(
                "invalid name \(Spelling.quoted(name)): use lower-case letters, digits and hyphens, beginning with a letter, "
                    + "at most \(Template.longestName) in all")
        }
        guard mkdir(name, 0o755) == 0 else {
            if errno == EEXIST { throw Failure(message: "\(name) already exists; choose another name") }
            throw Failure(cannot: "create the folder \(name)")
        }
        let path = "\(name)/\(name).swift"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        defer { close(descriptor) }
        do { try Output.write(arguments[search] ? template.search : template.text, to: descriptor) } catch {
            throw Failure(cannot: "write \(path)")
        }
        try Output.write(
            """
            Created \(path). Edit it, then:

                potluck run \(path)      run it on this machine
                potluck check \(path)    check the rules that make results exact
                potluck build \(path)    compile it for machines without Swift

            """)
        return .success
    }
}
