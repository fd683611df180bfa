import Potluck
import PotluckCore
import PotluckScreen

/// `potluck watch`: shows the jobs of a session.
enum WatchCommand {
    static let verb = Verb(
        declaration: Command(
            "watch", "watch the jobs of a session",
            positionals: [SessionArguments.session],
            options: GuestSession.access + [
                SessionArguments.json.declaration, JobArguments.hideExact.declaration, MetricsFile.option.declaration,
            ]
                + StateDirectory.options + GuestSession.reach,
            details: [
                "If a node of the session runs on this machine, watching needs no code. Otherwise this joins the session as a "
                    + "guest that does not compute."
            ],
            examples: ["watch Monty", "watch Monty --metrics /var/lib/node_exporter/potluck.prom"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let typed = try DiscoveryArguments.session(arguments[0] ?? "")
        let guest = try await GuestSession(typed, arguments)
        defer { guest.end() }
        let metrics = try arguments[MetricsFile.option].map { try MetricsFile($0, guest.id) }
        defer { metrics?.end() }
        return try await SessionRun.watch(
            guest, isJSON: arguments[SessionArguments.json],
            .watch(hidesExact: arguments[JobArguments.hideExact], metrics))
    }
}
