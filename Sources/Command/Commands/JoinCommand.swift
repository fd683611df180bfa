import Glibc
import Potluck
import PotluckArguments
import PotluckModel

/// `potluck join`: takes part in a session that somebody serves.
enum JoinCommand {
    static let verb = Verb(
        declaration: Command(
            "join", "take part in a session",
            positionals: [
                Positional("SESSION", "its name; without it what is around is listed to choose from", required: false)
            ],
            options: SessionArguments.options + [
                SessionArguments.connect.declaration, JobArguments.hideExact.declaration,
            ]
                + ComputeArguments.options + DiscoveryArguments.options,
            details: [
                "It needs the five words that the host shows, and asks for them unless the session is an open one. It may start before the session does, and "
                    + "comes back by itself after a lost network, a closed lid or a crash of the server.",
                "Where the host has other words than you typed, it says so and looks on; w lets you type them again.",
                "The words stay out of the shell's history where they are typed when asked, or come from POTLUCK_CODE.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let options = try DiscoveryArguments.read(arguments)
        var (computing, runsOnBattery) = try ComputeArguments.read(arguments)
        let given = try CodeEntry.given(arguments)
        let id: SessionID
        if let text = arguments[0] {
            id = try DiscoveryArguments.session(text)
        } else {
            switch try await SessionChooser.choose(options) {
            case .chosen(let session): id = session
            case .stopped: return Interrupts.asked ?? .success
            }
        }
        var access: Access
        if let given { access = given } else { access = try await Self.access(to: id, options) }
        let directory = try StateDirectory.find(arguments)
        defer { directory.end() }
        computing.spool = directory.spool
        while true {
            var settled = computing
            PluginArguments.settle(&settled, access, arguments)
            let session = try await SessionArguments.start(
                id, mode: .client, access: access, arguments: arguments, computing: settled, port: .usual)
            let participation = Participation(
                session, id: id, mode: .client, directory: directory,
                invitation: access.code == nil ? .open(command: "potluck join \(ShellWord.quoted(id.name))") : nil,
                isJSON: arguments[SessionArguments.json],
                purpose: Purpose(
                    hidesExact: arguments[JobArguments.hideExact], runsOnBattery: runsOnBattery, cores: computing.cores),
                asksAgain: true)
            let code = try await participation.run()
            guard participation.wantsOtherWords else { return code }
            // From here to the next session Ctrl-C has nothing to bring to an end.
            Interrupts.stopAtOnce()
            access = .code(try CodeEntry.ask(for: id.name))
        }
    }

    /// Where nothing was given: an open session is joined as it is, and for any other the words are asked for.
    static func access(to id: SessionID, _ options: DiscoveryOptions) async throws(Failure) -> Access {
        let around = await SessionsAround.look(for: id, options)
        if around.isOpen { return .open }
        if around.hasOpen {
            Output.complain(
                "\(id.name) is the name of an open session, too; start this with --open if that is the one you mean")
        }
        return .code(try CodeEntry.ask(for: id.name))
    }
}
