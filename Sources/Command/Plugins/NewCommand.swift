import Glibc
import PotluckArguments
import PotluckModel
import PotluckWorkshop

/// `potluck new`: a simulation to begin with.
enum NewCommand {
    static let verb = Verb(
        declaration: Command(
            "new", "make a small simulation of your own to begin with",
            positionals: [Positional("NAME", "what to call it: lower-case letters, digits and hyphens")],
            details: ["It makes a folder NAME with one file in it, which runs as it is and says what to change."]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let name = arguments[0] ?? ""
        guard let template = Template(name) else {
            throw UsageError(
                "\(Spelling.quoted(name)) cannot be a simulation's name: write a letter first, then lower-case letters, "
                    + "digits and hyphens, at most \(Template.longestName)")
        }
        guard mkdir(name, 0o755) == 0 else {
            if errno == EEXIST { throw Failure(message: "there is a \(name) here already: choose another name") }
            throw Failure(cannot: "make the folder \(name)")
        }
        let path = "\(name)/\(name).swift"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        defer { close(descriptor) }
        do { try Output.write(template.text, to: descriptor) } catch { throw Failure(cannot: "write \(path)") }
        try Output.write(
            """
            \(path) is a simulation that runs: open it and make it yours. Then

                potluck run \(path)      play it on this machine
                potluck check \(path)    see whether it keeps the rules that make results exact
                potluck build \(path)    make the module that runs where no Swift is

            """)
        return .success
    }
}
