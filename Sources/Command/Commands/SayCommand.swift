import Potluck
import PotluckArguments
import PotluckModel

/// `potluck say`: a text on everybody's screen.
enum SayCommand {
    private static let to = Option("to", "NAME", "only to the node of that name") {
        (text) throws(ValueError) -> String in
        guard text.isFitForScreen, !text.isEmpty else { throw ValueError("not a name") }
        return text
    }

    static let verb = Verb(
        declaration: Command(
            "say", "show a text on everybody's screen",
            positionals: [Positional("SESSION", "which session"), Positional("TEXT", "what to show")],
            options: [to.declaration, StateDirectory.option.declaration],
            details: ["It is sent by the node of that session that runs on this machine: serve, join or peer."]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        let text = arguments[1] ?? ""
        guard !text.isEmpty else { throw UsageError("TEXT is empty: say something") }
        guard text.isFitForScreen else { throw UsageError("TEXT has characters in it that a screen cannot show") }
        let answer = try StateDirectory.find(arguments).ask(.say(text, to: try arguments[to]), of: id)
        try Output.write(answer + "\n")
        return .success
    }
}
