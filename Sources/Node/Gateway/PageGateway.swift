import PotluckCore
import PotluckNet
import PotluckScreen
import PotluckSystem

/// Shows a session to browsers, on the port of its links. It belongs to the thread of the links.
public actor PageGateway {
    private nonisolated let loop: any SerialExecutor & TaskExecutor
    private nonisolated let clock = BootClock()
    private nonisolated let inbox = Guarded<[Input]>([])
    private nonisolated let shown: Guarded<Shown>
    private let setup: PageHub.Setup
    private let report: @Sendable (ViewerChange) -> Void
    private var hub: PageHub?

    /// The state that the host may read at any time.
    private struct Shown: Sendable {
        var tickets: PageTickets
        var viewers: [String] = []
    }

    private enum Input: Sendable {
        case session([PageMember], waiting: [String])
        case job(JobEvent, JobBoard, solution: [UInt8]?, at: Instant)
        case programs([ProgramPicture])
        case said(String, by: String?, at: Instant)
        case work(GatewayMessage, to: PageID)
        case newcomers([PageNewcomer])
        case gallery([GatewayMessage])
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - session: the session's name.
    ///   - name: this node's name.
    ///   - files: the page.
    /// - hidesExact: whether the host hides the exact answers of all jobs until the host shows them.
    ///   - workers: represents pages that lend their cores; nil if no page may.
    ///   - guessed: takes the guess of a page. It must return soon.
    ///   - asked: takes a request of the host's page, which `answer` answers. It must return soon.
    ///   - report: called on the links' thread when a viewer came, left or got another name.
    public init(
        session: String, name: String, files: [PageFile], tickets: PageTickets, hidesExact: Bool = false,
        workers: (any PageWorkers)? = nil, guessed: @escaping @Sendable (Guess, JobID) -> Void = { _, _ in },
        asked: @escaping @Sendable (HostRequest, PageID) -> Void = { _, _ in },
        on loop: EventLoop = .shared,
        report: @escaping @Sendable (ViewerChange) -> Void = { _ in }
    ) {
        self.init(
            PageHub.Setup(
                session: session, name: name, version: potluckVersion, site: Site(files), hidesExact: hidesExact,
                workers: workers, guessed: guessed, asked: asked, limits: GatewayLimits()), tickets, on: loop,
            report: report)
    }

    init(
        _ setup: PageHub.Setup, _ tickets: PageTickets, on loop: EventLoop,
        report: @escaping @Sendable (ViewerChange) -> Void
    ) {
        self.loop = loop
        self.setup = setup
        self.report = report
        shown = Guarded(Shown(tickets: tickets))
    }

    // MARK: What the session says

    /// Shows the members of the session, and what it waits for.
    public nonisolated func show(_ members: [PageMember], waiting: [String]) {
        post(.session(members, waiting: waiting))
    }

    /// Updates the job of an event from the node's board. `solution` is the best one of a search so far.
    public nonisolated func took(_ event: JobEvent, _ board: JobBoard, solution: [UInt8]?) {
        post(.job(event, board, solution: solution, at: clock.now))
    }

    /// Shows the programs with ranks that are in sight, the latest first.
    public nonisolated func show(_ programs: [ProgramPicture]) { post(.programs(programs)) }

    /// Shows a message of a user, or an event if `name` is nil.
    public nonisolated func say(_ text: String, by name: String?) { post(.said(text, by: name, at: clock.now)) }

    /// Shows the host's page the nodes that wait for approval.
    public nonisolated func show(_ newcomers: [PageNewcomer]) { post(.newcomers(newcomers)) }

    /// Shows the host's page the simulations that it can start, by their keys, as `potluck simulations --json` does.
    public nonisolated func show(gallery: [(key: String, simulation: JSON)]) {
        post(.gallery(gallery.map { .simulation(key: $0.key, $0.simulation) }))
    }

    /// Tells the host's page what came of its request.
    public nonisolated func answer(_ text: String, isRefused: Bool, to page: PageID) {
        post(.work(.answer(text, isRefused: isRefused), to: page))
    }

    /// Tells the host's page what came of a request about a simulation that it writes.
    public nonisolated func answer(_ answer: ScriptAnswer, to page: PageID) {
        post(.work(.script(answer), to: page))
    }

    /// Calls from several threads take effect in their order.
    private nonisolated func post(_ input: Input) {
        let isFirst = inbox.with { inbox in
            inbox.append(input)
            return inbox.count == 1
        }
        if isFirst { Task(executorPreference: loop) { await self.takeInbox() } }
    }

    private func takeInbox() {
        let inputs = inbox.with { inbox in
            defer { inbox = [] }
            return inbox
        }
        guard let hub else { return }
        for input in inputs {
            switch input {
            case .session(let members, let waiting): hub.show(members, waiting: waiting)
            case .job(let event, let board, let solution, let moment):
                hub.change { $0.took(event, board, solution: solution, at: moment) }
            case .programs(let programs): hub.change { $0.show(programs) }
            case .said(let text, let name, let moment): hub.change { $0.said(text, by: name, at: moment) }
            case .work(let message, let page): hub.send(message, to: page, at: clock.now)
            case .newcomers(let nodes): hub.show(newcomers: nodes)
            case .gallery(let simulations): hub.show(gallery: simulations)
            }
        }
    }

    // MARK: What the host asks for

    /// The present tickets.
    public nonisolated var tickets: PageTickets { shown.with(\.tickets) }

    /// The display names of the viewers, in the order in which they joined.
    public nonisolated var viewers: [String] { shown.with(\.viewers) }

    /// Replaces the tickets. Pages with an old one are closed, and cannot return.
    public func remake(_ tickets: PageTickets) {
        shown.with { $0.tickets = tickets }
        hub?.remake(tickets)
    }

    /// Removes the viewer with this name, and all viewers at its address, from the session for good. Returns their
    /// names; nil if there is no such viewer.
    public func kick(_ name: String) -> [String]? { hub?.kick(name) }

    /// Removes a page whose node was removed from the session.
    public func remove(_ page: PageID) { hub?.remove(page) }

    private func changed(_ change: ViewerChange) {
        let names = hub?.viewers.map(\.name) ?? []
        let tickets = hub?.tickets
        shown.with { shown in
            shown.viewers = names
            // A browser may have opened the host's page.
            shown.tickets = tickets ?? shown.tickets
        }
        report(change)
    }
}

extension PageGateway: TextServer {
    public nonisolated func begin(_ channels: any TextChannels) {
        assumeIsolated { gateway in
            let hub = PageHub(
                gateway.setup, gateway.tickets, channels, draw: randomOctets,
                report: { [weak self] change in self?.assumeIsolated { $0.changed(change) } })
            hub.workSender = { [weak self] page in { [weak self] message in self?.post(.work(message, to: page)) } }
            gateway.hub = hub
        }
    }

    public nonisolated func opened(_ id: TextID, from remote: Endpoint, at local: Endpoint, now: Instant) {
        assumeIsolated { $0.hub?.opened(id, from: remote, at: local, now: now) }
    }

    public nonisolated func received(_ octets: [UInt8], on id: TextID, now: Instant) {
        assumeIsolated { $0.hub?.received(octets, on: id, now: now) }
    }

    public nonisolated func drained(_ id: TextID, now: Instant) { assumeIsolated { $0.hub?.drained(id, now: now) } }
    public nonisolated func closed(_ id: TextID, now: Instant) { assumeIsolated { $0.hub?.closed(id) } }
    public nonisolated func turn(at now: Instant) -> Instant? { assumeIsolated { $0.hub?.turn(at: now) } }
    public nonisolated func stopping(now: Instant) { assumeIsolated { $0.hub?.stop() } }
}
