import Potluck
import PotluckCore
import PotluckScreen

/// `potluck peer`: takes part in a session without a server.
enum PeerCommand {
    static let verb = Verb(
        declaration: Command(
            "peer", "take part in a session without a server",
            positionals: [Positional("SESSION", "the session's name, the same on every laptop")],
            options: StartArguments.options + ComputeArguments.options + [PluginArguments.allowed.declaration]
                + SessionArguments.options
                + [RecordFile.option.declaration, SessionArguments.port.declaration, AddressFile.written.declaration]
                + SessionArguments.connecting
                + WebArguments.options + DiscoveryArguments.options,
            details: [
                "All peers with the same session name and the same five words connect to each other. Agree on the words "
                    + "first: use those that 'potluck serve' shows, and type them or set POTLUCK_CODE.",
                "When a job's coordinator disconnects, another peer takes over. After a restart, a peer resumes its "
                    + "unfinished jobs.",
            ],
            examples: ["peer Monty", "peer Monty --run monty-hall --trials 1e12"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        var (computing, runsOnBattery) = try ComputeArguments.read(arguments)
        var job = try StartArguments.job(arguments)
        let hidesExact = arguments[JobArguments.hideExact]
        try AddressFile.check(arguments)
        try await AddressFile.wait(arguments)
        let given = try CodeEntry.given(arguments)
        let access = try given ?? .code(CodeEntry.ask(for: id.name))
        PluginArguments.adjust(&computing, access, arguments)
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        let ledger = try NodeLedger(id, directory)
        defer { ledger.close() }
        computing.store = ledger.store
        computing.spool = directory.spool
        job?.dropOrder(thatIsIn: ledger, arguments)
        let port = try arguments[SessionArguments.port]
        let page = try WebArguments.page(id, directory, hidesExact: hidesExact, running: job?.file, arguments)
        let session = try await SessionArguments.start(
            id, mode: .peer, access: access, arguments: arguments, computing: computing,
            port: port.map(PortChoice.exactly) ?? .usual, page: page)
        let file = try AddressFile.write(session, arguments)
        defer { file?.end() }
        let participation = SessionController(
            session, id: id, mode: .peer, directory: directory, access: access,
            invitation: access.code == nil ? .open(command: "potluck peer \(ShellWord.quoted(id.name)) --open") : nil,
            isJSON: arguments[SessionArguments.json],
            task: .host(
                .init(count: computing.cores, runsOnBattery: runsOnBattery), hidesExact: hidesExact, job),
            page: page)
        return try await participation.run()
    }
}
