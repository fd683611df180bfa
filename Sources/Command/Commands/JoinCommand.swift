import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// `potluck join`: takes part in a session as a guest of its server.
enum JoinCommand {
    static let verb = Verb(
        declaration: Command(
            "join", "join a session",
            positionals: [
                Positional("SESSION", "the session's name (default: choose from a list)", required: false)
            ],
            options: ComputeArguments.options + SessionArguments.options + [
                JobArguments.hideExact.declaration, RecordFile.option.declaration,
            ] + SessionArguments.connecting + DiscoveryArguments.options,
            details: [
                "Potluck asks for the five words that the host shows. An open session needs none. You can start this "
                    + "before the session starts. After a lost network, a closed lid or a server crash, the node "
                    + "reconnects automatically.",
                "If your words differ from the host's, potluck asks for them again; Enter keeps them and keeps looking. "
                    + "Later press w to type other words.",
                "Capitals in the session's name make no difference.",
                "On a machine whose name is nobody's, such as ubuntu or localhost, it asks for yours. --name and "
                    + "'potluck config name' answer that before.",
                "To keep the words out of the shell's history, type them when asked, set POTLUCK_CODE, or use --code-file "
                    + "with a file of mode 0600.",
                "On a cluster, where nodes may not find each other, the server writes its address with --address-file, and "
                    + "--connect-file waits for it. The node also connects to addresses that the file gets later. "
                    + "The default number of cores is at most what Slurm, PBS, LSF, the control group's CPU quota "
                    + "and the affinity mask grant.",
            ],
            examples: [
                "join Monty", "join Monty --connect 10.0.0.1:7077", "join Monty --no-plugins --cores 2",
                "join Monty --code-file code --connect-file address",
            ]),
        run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let options = try DiscoveryArguments.read(arguments)
        var (computing, runsOnBattery) = try ComputeArguments.read(arguments)
        // The server may write the code before its address.
        try await AddressFile.wait(arguments)
        let given = try CodeEntry.given(arguments)
        let (id, around): (SessionID, SessionsAround)
        if let text = arguments[0] {
            let typed = try DiscoveryArguments.session(text)
            let nearby = await Neighbourhood.look(for: typed, hasCode: given != nil, options)
            id = NearbyName.choose(typed, among: nearby.names)
            around = nearby.around(id)
        } else {
            switch try await SessionChooser.choose(options) {
            case .chosen(let session, let codes): (id, around) = (session, codes)
            case .stopped: return Interrupts.asked ?? .success
            }
        }
        var access = try given ?? Self.access(to: id, around)
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        computing.spool = directory.spool
        let name = NameEntry.ask(arguments)
        // Words that were typed are asked for again when they are wrong. Enter then keeps them.
        var asksAtOnce = given == nil
        while true {
            var adjusted = computing
            PluginArguments.adjust(&adjusted, access, arguments)
            let session = try await SessionArguments.start(
                id, mode: .client, name: name, access: access, arguments: arguments, computing: adjusted, port: .usual)
            let participation = SessionController(
                session, id: id, mode: .client, directory: directory, access: access,
                invitation: access.code == nil ? .open(command: "potluck join \(ShellWord.quoted(id.name))") : nil,
                isJSON: arguments[SessionArguments.json],
                task: .join(
                    .init(count: computing.cores, runsOnBattery: runsOnBattery),
                    hidesExact: arguments[JobArguments.hideExact]),
                asksAgain: true, asksAtOnce: asksAtOnce && access.code != nil)
            let code = try await participation.run()
            guard participation.wantsOtherWords else { return code }
            // Until the next session starts, Ctrl-C has nothing to shut down.
            Interrupts.stopAtOnce()
            if let trouble = participation.refusal { Output.complain(trouble) }
            let kept = access.code
            let new = try CodeEntry.ask(for: id.name, orKeep: kept)
            asksAtOnce = new != kept
            access = .code(new)
        }
    }

    /// Returns how to join a session if the arguments do not say: an open session needs no words; otherwise ask for
    /// them.
    static func access(to id: SessionID, _ around: SessionsAround) throws(Failure) -> Access {
        if around.isOpen { return .open }
        if around.hasOpen {
            Output.complain(
                "there is also an open session called \(Spelling.quoted(id.name)); to join that one, use --open")
        }
        return .code(try CodeEntry.ask(for: id.name))
    }
}
