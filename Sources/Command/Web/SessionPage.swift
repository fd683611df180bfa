import Dispatch
import Potluck
import PotluckCore
import PotluckNet
import PotluckSystem

/// The page of a session: its gateway, its tickets and its address.
final class SessionPage: Sendable {
    let gateway: PageGateway
    /// The pages that lend their cores.
    let lender = PageLender()
    private let session: SessionID
    private let directory: StateDirectory
    /// The name of the only interface that the node uses; nil for all.
    private let interface: String?
    private let watcher: Watcher

    /// The functions that are told about viewers and guesses. The gateway is made before the controller.
    private final class Watcher: Sendable {
        let report = Guarded<(@Sendable (ViewerChange) -> Void)?>(nil)
        let guessed = Guarded<(@Sendable (Guess, JobID) -> Void)?>(nil)
        let queue = DispatchQueue(label: "potluck-viewers")
    }

    init(
        _ session: SessionID, name: String, _ directory: StateDirectory, hidesExact: Bool, interface: String?
    ) throws(Failure) {
        (self.session, self.directory, self.interface) = (session, directory, interface)
        let watcher = Watcher()
        self.watcher = watcher
        gateway = PageGateway(
            session: session.name, name: name, files: PageFiles.all,
            tickets: try TicketsFile.open(session, in: directory), hidesExact: hidesExact,
            workers: lender, guessed: { watcher.guessed.with { $0 }?($0, $1) }
        ) { change in
            // The links' thread must not wait for a terminal or a pipe.
            watcher.queue.async { watcher.report.with { $0 }?(change) }
        }
        lender.watchRemoved { [gateway] page in Task { await gateway.remove(page) } }
    }

    /// Calls `report` when a viewer came, left or got another name.
    func watchViewers(_ report: @escaping @Sendable (ViewerChange) -> Void) { watcher.report.with { $0 = report } }

    /// Calls `take` for each guess of a page.
    func watchGuesses(_ take: @escaping @Sendable (Guess, JobID) -> Void) { watcher.guessed.with { $0 = take } }

    /// The page's address for a browser, with a ticket.
    func address(_ right: PageRight = .lend, port: UInt16) -> String {
        let octets = OwnAddress.best(onlyAt: interface)
        let text = IPAddressText.text(octets)
        let host = octets.count == 4 ? text : "[\(text)]"
        return "http://\(host):\(port)/#\(gateway.tickets[right].text)"
    }

    /// Makes new tickets, so that the old addresses are worth nothing.
    func remake() async throws(Failure) {
        let tickets = PageTickets(view: .random(), lend: .random())
        try TicketsFile.keep(tickets, of: session, in: directory)
        await gateway.remake(tickets)
    }
}
