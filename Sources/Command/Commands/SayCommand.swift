import Potluck
import PotluckCore
import PotluckScreen

/// `potluck say`: shows a message on the screens of a session.
enum SayCommand {
    private static let to = Option(
        "to", "NAME", "show it only on this node", in: .session, default: "all nodes", values: .found(.node)
    ) {
        (text) throws(ValueError) -> String in
        guard text.isFitForScreen, !text.isEmpty else { throw ValueError("not a node's name") }
        return text
    }

    static let verb = Verb(
        declaration: Command(
            "say", "show a message on every screen of a session",
            positionals: [SessionArguments.session, Positional("TEXT", "the message")],
            options: [to.declaration, StateDirectory.option.declaration],
            details: ["A node of the session must run on this machine: 'potluck serve', 'join' or 'peer'."],
            examples: ["say Monty \"five minutes\""]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        let text = arguments[1] ?? ""
        guard !text.isEmpty else { throw UsageError("TEXT is empty; usage: potluck say SESSION TEXT") }
        guard text.isFitForScreen else { throw UsageError("TEXT has characters that a screen cannot show") }
        let answer = try StateDirectory.find(arguments).ask(.say(text, to: try arguments[to]), of: id)
        try Output.write(answer + "\n")
        return .success
    }
}
