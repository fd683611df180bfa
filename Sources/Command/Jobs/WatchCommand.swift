import Potluck
import PotluckCore

/// `potluck watch`: shows the jobs of a session.
enum WatchCommand {
    static let verb = Verb(
        declaration: Command(
            "watch", "watch the jobs of a session",
            positionals: [SessionArguments.session],
            options: Visit.access + [
                SessionArguments.json.declaration, JobArguments.hideExact.declaration, MetricsFile.option.declaration,
            ]
                + StateDirectory.options + Visit.reach,
            details: [
                "If a node of the session runs on this machine, watching needs no code. Otherwise this joins the session as a "
                    + "guest that does not compute."
            ],
            examples: ["watch Monty", "watch Monty --metrics /var/lib/node_exporter/potluck.prom"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let typed = try DiscoveryArguments.session(arguments[0] ?? "")
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        let id = try await NearbyName.choose(typed, directory, arguments)
        var purpose = Purpose()
        purpose.hidesExact = arguments[JobArguments.hideExact]
        purpose.metrics = try arguments[MetricsFile.option].map { try MetricsFile($0, id) }
        defer { purpose.metrics?.end() }
        return try await SessionRun.watch(id, arguments, isJSON: arguments[SessionArguments.json], purpose, directory)
    }
}
