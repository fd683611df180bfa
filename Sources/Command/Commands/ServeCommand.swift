import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// `potluck serve`: serves a session that others join.
enum ServeCommand {
    private static let ask = Flag("ask", "approve each newcomer", in: .session)
    private static let closed = Flag("closed", "admit no newcomers until you press d", in: .session)
    private static let forget = Flag(
        "forget", "start over: new words, any port, and no unfinished jobs", in: .storage)
    private static let guests = Option(
        "guests", "watch|submit", "whether guests may only watch or also start jobs", in: .session, default: "watch"
    ) {
        (text) throws(ValueError) -> Role in
        switch text {
        case "watch": return .watches
        case "submit": return .submits
        default: throw ValueError("must be watch or submit")
        }
    }

    static let verb = Verb(
        declaration: Command(
            "serve", "start a session for others to join",
            positionals: [
                Positional("SESSION", "the session's name, for 'potluck join SESSION'", values: .found(.servedSession))
            ],
            options: StartArguments.options + ComputeArguments.options + [PluginArguments.allowed.declaration]
                + [ask.declaration, closed.declaration, guests.declaration] + SessionArguments.options
                + [
                    forget.declaration, RecordFile.option.declaration, SessionArguments.port.declaration,
                    AddressFile.written.declaration,
                ]
                + WebArguments.options + DiscoveryArguments.options,
            details: [
                "The server shows five words, and nodes need them to join. Potluck keeps the words and the port in a file "
                    + "that only you can read. After a crash, start the server again with the same command: it resumes its "
                    + "unfinished jobs, and the other nodes reconnect automatically.",
                "With --ask, each newcomer waits for your approval: y approves the first, a approves all, n declines. "
                    + "An approved node may return without another question until you remove it.",
                "The key d closes the session: nobody new can join or find it, and those who are here stay. Pressed again, d "
                    + "opens it. With --closed it begins closed.",
                "If the file of --code-file is missing, the server writes new words to it. With --address-file, it writes the "
                    + "addresses at which others reach it, the best first, and removes the file when the session ends.",
                "From another terminal, 'potluck say' sends a message and 'potluck kick' removes a node.",
            ],
            examples: [
                "serve Monty", "serve Monty --run monty-hall --trials 1e12", "serve Monty --ask --guests submit",
            ]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        var (computing, runsOnBattery) = try ComputeArguments.read(arguments)
        var job = try StartArguments.job(arguments)
        let hidesExact = arguments[JobArguments.hideExact]
        try AddressFile.check(arguments)
        let hasKeys = !arguments[SessionArguments.json] && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
        if arguments[closed], !hasKeys {
            throw UsageError("--closed needs a terminal, where the key d opens the session; leave it out")
        }
        let newFile = try CodeEntry.missingFile(arguments)
        let given = try newFile == nil ? CodeEntry.given(arguments) : nil
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        try directory.lock(id)
        defer { directory.unlock(id) }
        if arguments[forget] { try directory.forget(id) }
        let ledger = try NodeLedger(id, directory, isAnew: arguments[forget])
        defer { ledger.close() }
        computing.store = ledger.store
        computing.spool = directory.spool
        job?.dropOrder(thatIsIn: ledger, arguments)
        var kept = directory.served(id)
        // A new code is wanted, and that session has none.
        if newFile != nil, kept?.code == nil { kept = nil }
        let (access, founding) = try plan(
            given, kept, showsCode: newFile != nil || isatty(STDERR_FILENO) == 1)
        if let newFile, let code = access.code { try CodeFile.write(code, newFile) }
        PluginArguments.adjust(&computing, access, arguments)
        let wanted = try arguments[SessionArguments.port]
        let page = try WebArguments.page(id, directory, hidesExact: hidesExact, running: job?.file, arguments)
        // Another founding means another session, in which the host has approved nobody.
        let approved = kept?.founding == founding ? kept?.approved ?? [] : []
        let session = try await start(
            id, access: access, founding: founding, approved: approved, arguments: arguments, computing: computing,
            wanted: wanted, kept: kept?.port, page: page)
        if arguments[closed] { await session.setAvailable(false) }
        let served = ServedSession(
            session: id, founding: founding, port: session.port, code: access.code, approved: approved)
        try directory.keep(served)
        let file = try AddressFile.write(session, arguments)
        defer { file?.end() }
        let join = "potluck join \(ShellWord.quoted(id.name))"
        let participation = SessionController(
            session, id: id, mode: .server, directory: directory, access: access,
            invitation: access.code.map { .words(command: join, code: $0.spelled) } ?? .open(command: join),
            isJSON: arguments[SessionArguments.json],
            task: .host(
                .init(count: computing.cores, runsOnBattery: runsOnBattery), hidesExact: hidesExact, job),
            page: page, served: served, isClosed: arguments[closed])
        if wanted == nil, let port = kept?.port, port != session.port {
            participation.warn(Self.moved(from: port, to: session.port, hasPage: page != nil))
        }
        let options = try DiscoveryArguments.read(arguments)
        Task {
            let hosts = await Neighbourhood.look(options).hosts
            if let warning = NearbyName.namesake(of: id, own: session.node, hosts) { participation.warn(warning) }
        }
        return try await participation.run()
    }

    /// Returns the given access, else the kept one, else a new code if there is a terminal or a file to show it. The founding is
    /// only kept together with the code: with another code it is another session.
    static func plan(
        _ given: Access?, _ kept: ServedSession?, showsCode: Bool
    ) throws(Failure) -> (access: Access, founding: Founding) {
        var chance = SystemRandomNumberGenerator()
        if let kept, given == nil || given?.code == kept.code {
            return (kept.code.map(Access.code) ?? .open, kept.founding)
        }
        if let given { return (given, Founding(chance.next())) }
        guard showsCode else {
            throw Failure(
                message:
                    "no terminal to show a new join code on; use --code-file, set POTLUCK_CODE, use --open, or start the "
                    + "server in a terminal")
        }
        return (.code(.random()), Founding(chance.next()))
    }

    /// Says that the session has another port than before. Discovery tells other nodes, but nothing tells browsers.
    static func moved(from old: UInt16, to new: UInt16, hasPage: Bool) -> String {
        "port \(old), which this session had, is taken, and it now has port \(new); "
            + (hasPage ? "open its page again at the new address, and " : "")
            + "give nodes that use --connect the new port"
    }

    /// Starts at the requested port, else at the port that the session had before, else at the usual one or the next free.
    private static func start(
        _ id: SessionID, access: Access, founding: Founding, approved: [NodeID], arguments: Arguments,
        computing: Computing, wanted: UInt16?, kept: UInt16?, page: SessionPage?
    ) async throws -> Session {
        func start(_ port: PortChoice) async throws -> Session {
            try await SessionArguments.start(
                id, mode: .server, access: access, arguments: arguments, founding: founding, asks: arguments[ask],
                approved: approved, guests: try arguments[guests] ?? .watches, computing: computing, port: port,
                page: page)
        }
        if let wanted { return try await start(.exactly(wanted)) }
        // Another program may use the old port by now. Nodes find the new port by discovery, and the user is told.
        if let kept, let session = try? await start(.exactly(kept)) { return session }
        return try await start(.usual)
    }
}
