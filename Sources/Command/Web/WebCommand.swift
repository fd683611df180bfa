import Glibc
import Potluck
import PotluckCore
import PotluckScreen

/// `potluck web`: shows the address of a session's page.
enum WebCommand {
    private static let new = Flag("new", "make new addresses first; the old ones stop working", in: .session)
    private static let view = Flag("view", "show the address for viewing only", in: .session)

    static let verb = Verb(
        declaration: Command(
            "web", "show the address of a session's page for browsers",
            positionals: [SessionArguments.session],
            options: [new.declaration, view.declaration, StateDirectory.option.declaration],
            details: [
                "On a terminal it also shows a QR code. A node of the session that was started with --web must run on this machine.",
                "Everybody who has the address can view the session: its jobs, its nodes' names and what you say to all.",
            ],
            examples: ["web Monty", "web Monty --new"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let id = try DiscoveryArguments.session(arguments[0] ?? "")
        let request = LocalMessage.page(isNew: arguments[new], isForViewing: arguments[view])
        let address = try StateDirectory.find(arguments).ask(request, of: id)
        if isatty(STDOUT_FILENO) == 1, let matrix = QRCode.matrix(of: address) {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(QRView.lines(matrix, on: canvas, rows: canvas.rows.map { $0 - 2 })))
        }
        try Output.write(address + "\n")
        return .success
    }
}
