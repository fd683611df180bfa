import Potluck
import PotluckCore
import PotluckScreen

/// `potluck kick`: removes a node from a session.
enum KickCommand {
    static let verb = Verb(
        declaration: Command(
            "kick", "remove a node or a viewer from a session",
            positionals: [
                SessionArguments.session,
                Positional(
                    "NAME", "the node's name, the beginning of its ID, or a viewer's name", values: .found(.node)),
            ],
            options: [StateDirectory.option.declaration],
            details: [
                "Run this on the machine that serves the session. The host must then approve each node that joins from one of "
                    + "the removed node's addresses.",
                "NAME may also be that of somebody who views the session's page. Every page at the same address is then closed, "
                    + "and none from there can return until the session ends. Devices behind one router share an address.",
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
