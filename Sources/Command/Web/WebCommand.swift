import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// `potluck web`: shows the address of a session's page.
enum WebCommand {
    private static let new = Flag("new", "make new addresses first; the old ones stop working", in: .session)
    private static let view = Flag("view", "show the address for viewing only", in: .session)
    private static let host = Flag(
        "host", "show the address of the host's page, which starts simulations", in: .session)
    private static let revoke = Flag("revoke", "with --host, make that address worth nothing", in: .session)

    static let verb = Verb(
        declaration: Command(
            "web", "show the address of a session's page for browsers",
            positionals: [SessionArguments.session],
            options: [
                new.declaration, view.declaration, host.declaration, revoke.declaration,
                StateDirectory.option.declaration,
            ],
            details: [
                "On a terminal it also shows a QR code. A node of the session that was started with --web must run on this machine.",
                "Everybody who has the address can view the session: its jobs, its nodes' names and what you say to all.",
                "The host's page does what you can do at this terminal: it starts, pauses and cancels simulations, approves and "
                    + "removes members, and talks. Its address belongs to the first browser that opens it, and no other one can "
                    + "use it. Nobody needs it but you.",
            ],
            examples: ["web Monty", "web Monty --new", "web Monty --host", "web Monty --host --revoke"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        let address = try StateDirectory.find(arguments).ask(try request(arguments), of: id)
        // The answer to a revocation is a sentence.
        if !arguments[revoke], isatty(STDOUT_FILENO) == 1, let matrix = QRCode.matrix(of: address) {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(QRView.lines(matrix, on: canvas, rows: canvas.rows.map { $0 - 2 })))
        }
        try Output.write(address + "\n")
        return .success
    }

    private static func request(_ arguments: Arguments) throws(UsageError) -> LocalMessage {
        guard arguments[host] else {
            if arguments[revoke] { throw UsageError("--revoke applies to the host's page; add --host") }
            return .page(isNew: arguments[new], isForViewing: arguments[view])
        }
        if arguments[view] { throw UsageError("--view and --host cannot be used together") }
        if arguments[new], arguments[revoke] { throw UsageError("--new and --revoke cannot be used together") }
        return .hostPage(isNew: arguments[new], isRevoked: arguments[revoke])
    }
}
