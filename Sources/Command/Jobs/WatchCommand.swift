import Potluck
import PotluckArguments
import PotluckModel

/// `potluck watch`: looks on.
enum WatchCommand {
    static let verb = Verb(
        declaration: Command(
            "watch", "look on at the jobs of a session",
            positionals: [Positional("SESSION", "which session")],
            options: [SessionArguments.json.declaration, JobArguments.hideExact.declaration] + StateDirectory.options
                + Visit.options,
            details: [
                "Where a node of the session runs on this machine it shows what that one sees, and needs no code. Elsewhere "
                    + "it joins as a guest that computes nothing."
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        return try await SessionRun.watch(
            id, arguments, isJSON: arguments[SessionArguments.json], hidesExact: arguments[JobArguments.hideExact])
    }
}
