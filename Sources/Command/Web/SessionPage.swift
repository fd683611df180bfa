import Dispatch
import Potluck
import PotluckCore
import PotluckMachine
import PotluckNet
import PotluckSystem

/// The page of a session: its gateway, its tickets and its address.
final class SessionPage: Sendable {
    let gateway: PageGateway
    /// The pages that lend their cores.
    let lender = PageLender()
    /// What the host's page can start besides the built-in simulations.
    let offered: [ChosenSimulation]
    /// What the host writes in its page.
    let scripts: HostScripts
    private let session: SessionID
    private let directory: StateDirectory
    /// The name of the only interface that the node uses; nil for all.
    private let interface: String?
    private let watcher: Watcher

    /// The functions that are told about viewers, guesses and requests. The gateway is made before the controller.
    private final class Watcher: Sendable {
        let report = Guarded<(@Sendable (ViewerChange) -> Void)?>(nil)
        let guessed = Guarded<(@Sendable (Guess, JobID) -> Void)?>(nil)
        let asked = Guarded<(@Sendable (HostRequest, PageID) -> Void)?>(nil)
        let queue = DispatchQueue(label: "potluck-viewers")
    }

    init(
        _ session: SessionID, name: String, _ directory: StateDirectory, hidesExact: Bool, interface: String?,
        offered: [ChosenSimulation] = [], limits: PluginLimits
    ) throws(Failure) {
        scripts = HostScripts(in: directory, limits)
        (self.session, self.directory, self.interface, self.offered) = (session, directory, interface, offered)
        let watcher = Watcher()
        self.watcher = watcher
        gateway = PageGateway(
            session: session.name, name: name, files: PageFiles.all,
            tickets: try TicketsFile.open(session, in: directory), hidesExact: hidesExact,
            workers: lender, guessed: { watcher.guessed.with { $0 }?($0, $1) },
            asked: { watcher.asked.with { $0 }?($0, $1) }
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

    /// Calls `take` for each request of the host's page.
    func watchRequests(_ take: @escaping @Sendable (HostRequest, PageID) -> Void) { watcher.asked.with { $0 = take } }

    /// The page's address for a browser, with a ticket.
    func address(_ right: PageRight = .lend, port: UInt16) -> String {
        let octets = OwnAddress.best(onlyAt: interface)
        let text = IPAddressText.text(octets)
        let host = octets.count == 4 ? text : "[\(text)]"
        return "http://\(host):\(port)/#\(gateway.tickets[right]?.text ?? "")"
    }

    /// Makes new tickets for everybody but the host, so that the old addresses are worth nothing.
    func remake() async throws(Failure) {
        var tickets = PageTickets.random()
        tickets.host = gateway.tickets.host
        try await replace(by: tickets)
    }

    /// Makes another ticket for the host's page, or none. The old one is worth nothing.
    func remakeHost(_ host: HostTicket?) async throws(Failure) {
        var tickets = gateway.tickets
        tickets.host = host
        try await replace(by: tickets)
    }

    private func replace(by tickets: PageTickets) async throws(Failure) {
        try TicketsFile.keep(tickets, of: session, in: directory)
        await gateway.remake(tickets)
    }

    /// Keeps the tickets when a browser has opened the host's page.
    func keepTickets() throws(Failure) { try TicketsFile.keep(gateway.tickets, of: session, in: directory) }
}
