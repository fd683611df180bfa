import Potluck
import PotluckArguments
import PotluckModel

/// `potluck kick`: removes a node from a session.
enum KickCommand {
    static let verb = Verb(
        declaration: Command(
            "kick", "remove a node from a session",
            positionals: [
                SessionArguments.session, Positional("NAME", "the node's name, or the beginning of its ID"),
            ],
            options: [StateDirectory.option.declaration],
            details: [
                "Run this on the machine that serves the session. The host must then approve each node that joins from one of "
                    + "the removed node's addresses."
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        guard let name = arguments[1], !name.isEmpty, name.isFitForScreen else {
            throw UsageError("invalid NAME: use a node's name or the beginning of its ID")
        }
        let answer = try StateDirectory.find(arguments).ask(.kick(name), of: id)
        try Output.write(answer + "\n")
        return .success
    }
}
