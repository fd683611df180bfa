import Potluck
import PotluckArguments
import PotluckModel

/// `potluck kick`: removes a node from a session.
enum KickCommand {
    static let verb = Verb(
        declaration: Command(
            "kick", "remove a node from a session",
            positionals: [
                Positional("SESSION", "which session"), Positional("NAME", "whom, by name or the beginning of its ID"),
            ],
            options: [StateDirectory.option.declaration],
            details: [
                "It works where the session is served, on the host's own machine. Whoever comes from the removed node's "
                    + "address again must be let in by hand."
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        guard let name = arguments[1], !name.isEmpty, name.isFitForScreen else {
            throw UsageError("NAME is not a name")
        }
        let answer = try StateDirectory.find(arguments).ask(.kick(name), of: id)
        try Output.write(answer + "\n")
        return .success
    }
}
