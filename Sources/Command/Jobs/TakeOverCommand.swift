import Potluck
import PotluckCore
import PotluckScreen

/// `potluck takeover`: continues the jobs of a lost coordinator without waiting any longer.
enum TakeOverCommand {
    static let verb = Verb(
        declaration: Command(
            "takeover", "continue the jobs of a lost coordinator on this machine",
            positionals: [SessionArguments.session],
            options: [StateDirectory.option.declaration],
            details: [
                "Run this on a machine where 'potluck peer' runs. Up to two other peers hold a replica of each job. One of "
                    + "them takes over automatically about one second after the coordinator disconnects.",
                "A peer that has also lost most of the other nodes waits, because its own network may be down. This command "
                    + "makes it take over anyway. If the old coordinator reconnects, it steps down.",
                "A server's jobs have no replicas. To continue them, start 'potluck serve' again on the same machine.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        try Output.write(try StateDirectory.find(arguments).ask(.takeOver, of: id) + "\n")
        return .success
    }
}
