import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// `potluck completions`: prints a script that completes command lines in a shell.
enum CompletionsCommand {
    static let verb = Verb(
        declaration: Command(
            "completions", "print completions for bash, zsh or fish",
            positionals: [
                Positional("SHELL", "bash, zsh or fish", values: .words(Completions.allCases.map(\.rawValue)))
            ],
            details: [
                "The packages and 'make install' install them. A new shell uses them.",
                "They complete commands, options and values: simulations, parameters, sessions nearby, nodes and numbers of "
                    + "runs.",
            ],
            examples: ["completions bash > ~/.local/share/bash-completion/completions/potluck"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let typed = arguments[0] ?? ""
        guard let shell = Completions(rawValue: typed) else {
            let names = Completions.allCases.map(\.rawValue)
            throw UsageError(
                "unknown shell \(Spelling.quoted(typed)); shells: \(names.joined(separator: ", "))")
        }
        try Output.write(shell.script(for: Main.program.name))
        return .success
    }
}

/// `potluck complete`: answers the scripts of `potluck completions`.
enum CompleteCommand {
    static let verb = Verb(
        declaration: Command(
            Completions.question, "print what may come next in a command line, for shells",
            positionals: [Positional("LINE", "the command line up to the cursor")], hidden: true), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let completer = Completer(Main.program, environment: Environment.all) { await Lookup($1).offer($0) }
        try Output.write(await completer.offer(arguments[0] ?? "").text)
        return .success
    }
}

/// `potluck manual`: writes the manual pages, for packages.
enum ManualCommand {
    static let verb = Verb(
        declaration: Command(
            "manual", "write the manual pages into a folder",
            positionals: [Positional("FOLDER", "an existing folder, such as man1")], hidden: true), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let folder = arguments[0] ?? ""
        guard access(folder, W_OK) == 0 else { throw Failure(cannot: "write \(Spelling.path(folder))") }
        for page in ManualPage.all(of: Main.program) {
            try FileWriter.write(page.text, overwriting: "\(folder)/\(page.name)")
        }
        return .success
    }
}
