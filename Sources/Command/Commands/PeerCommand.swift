import Potluck
import PotluckArguments
import PotluckModel

/// `potluck peer`: a session without a server.
enum PeerCommand {
    static let verb = Verb(
        declaration: Command(
            "peer", "take part in a session of equals, without a server",
            positionals: [Positional("SESSION", "its name, the same on every laptop")],
            options: SessionArguments.options
                + [
                    SessionArguments.port.declaration, SessionArguments.connect.declaration,
                    PluginArguments.allowed.declaration,
                ]
                + StartArguments.options + ComputeArguments.options + DiscoveryArguments.options,
            details: [
                "Everybody who starts this with the same session and the same five words is connected with everybody else. "
                    + "Agree on the words: potluck serve makes some, or each takes them from POTLUCK_CODE.",
                "A job goes on when the laptop that shares it out is gone: another takes over. Started again, a laptop goes "
                    + "on with what it had taken and nobody has finished.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        var (computing, runsOnBattery) = try ComputeArguments.read(arguments)
        var purpose = try StartArguments.purpose(arguments, cores: computing.cores, runsOnBattery: runsOnBattery)
        let given = try CodeEntry.given(arguments)
        let access = try given ?? .code(CodeEntry.ask(for: id.name))
        PluginArguments.settle(&computing, access, arguments)
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        let ledger = try NodeLedger(id, directory)
        defer { ledger.close() }
        computing.store = ledger.store
        computing.spool = directory.spool
        purpose.dropOrder(thatIsIn: ledger, arguments)
        let port = try arguments[SessionArguments.port]
        let session = try await SessionArguments.start(
            id, mode: .peer, access: access, arguments: arguments, computing: computing,
            port: port.map(PortChoice.exactly) ?? .usual)
        let participation = Participation(
            session, id: id, mode: .peer, directory: directory,
            invitation: access.code == nil ? .open(command: "potluck peer \(ShellWord.quoted(id.name)) --open") : nil,
            isJSON: arguments[SessionArguments.json],
            purpose: purpose)
        return try await participation.run()
    }
}
