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
            options: SessionArguments.options + [SessionArguments.connect.declaration] + DiscoveryArguments.options,
            details: [
                "It needs the five words that the host shows, and asks for them. It may start before the session does, and "
                    + "comes back by itself after a lost network, a closed lid or a crash of the server.",
                "The words stay out of the shell's history where they are typed when asked, or come from POTLUCK_CODE.",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let options = try DiscoveryArguments.read(arguments)
        let given = try CodeEntry.given(arguments)
        CommandLineText.hideCode()
        let id: SessionID
        if let text = arguments[0] {
            id = try DiscoveryArguments.session(text)
        } else {
            switch try await SessionChooser.choose(options) {
            case .chosen(let session): id = session
            case .stopped: return Interrupts.asked ?? .success
            }
        }
        let access = try given ?? .code(CodeEntry.ask(for: id.name))
        let directory = try StateDirectory.find()
        let session = try await SessionArguments.start(
            id, mode: .client, access: access, arguments: arguments, port: .usual)
        let participation = Participation(
            session, id: id, mode: .client, isJSON: arguments[SessionArguments.json])
        return try await participation.run(directory)
    }
}
