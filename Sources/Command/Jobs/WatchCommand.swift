import Potluck
import PotluckCore
import PotluckScreen

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
        let visit = try await Visit(typed, arguments)
        defer { visit.end() }
        var purpose = Purpose()
        purpose.hidesExact = arguments[JobArguments.hideExact]
        purpose.metrics = try arguments[MetricsFile.option].map { try MetricsFile($0, visit.id) }
        defer { purpose.metrics?.end() }
        return try await SessionRun.watch(visit, isJSON: arguments[SessionArguments.json], purpose)
    }
}
