import Potluck
import PotluckArguments
import PotluckModel

/// `potluck takeover`: does not wait for a coordinator any more.
enum TakeOverCommand {
    static let verb = Verb(
        declaration: Command(
            "takeover", "go on here with the jobs of a laptop that is gone",
            positionals: [Positional("SESSION", "which session")],
            options: [StateDirectory.option.declaration],
            details: [
                "It works where potluck peer runs: up to two other peers hold a replica of every job, and go on by themselves "
                    + "once its laptop is lost for a second. One that has lost most of the others as well waits, because it may "
                    + "be the one that is cut off; this command tells it to go on all the same. Should the old laptop come back, "
                    + "it steps down.",
                "A server shares its jobs with nobody: potluck serve, started again where it ran, goes on with them.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        try Output.write(try StateDirectory.find(arguments).ask(.takeOver, of: id) + "\n")
        return .success
    }
}
