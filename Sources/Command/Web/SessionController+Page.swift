import Potluck
import PotluckCore
import PotluckNet
import PotluckScreen

/// What a node tells the browsers that view its session.
extension SessionController {
    func tellPage(_ event: Session.Event) {
        guard let page else { return }
        switch event {
        case .job(let job):
            page.gateway.took(job, state.with(\.board), solution: solution(forPage: job))
            if case .finished(let id, let result, _) = job { findSolution(of: result, id, for: page) }
        // The board of programs tells the page of them.
        case .program: break
        // A message of another node may be meant for this one alone, and pages are read without encryption.
        case .said, .peer, .request, .approved, .message, .roster, .role, .choice, .turnedAway, .trouble, .ended: break
        }
        tellMembers(page)
    }

    /// Follows what the pages' users do.
    func watch(_ page: SessionPage) {
        page.watchViewers { [weak self] change in if let page = self?.page { self?.noted(change, on: page) } }
        page.watchGuesses { [session] guess, job in Task { await session.guess(guess, of: job) } }
        watchHost(page)
        tellMembers(page)
    }

    func tellMembers(_ page: SessionPage) {
        let (members, waiting, newcomers) = state.with { state in
            (
                state.scene.pageMembers,
                state.board.isIdle && !programs.isRunning ? ["Waiting for a simulation to start."] : [],
                state.scene.newcomers.map { PageNewcomer($0.node, name: $0.displayName) }
            )
        }
        page.gateway.show(members, waiting: waiting)
        page.gateway.show(newcomers)
    }

    private func solution(forPage event: JobEvent) -> [UInt8]? {
        switch event {
        case .snapshot(let snapshot): solutions.latest(of: snapshot.id)
        case .finished(let id, _, _): solutions.latest(of: id)
        case .failed, .lost, .news: nil
        }
    }

    /// Shows the best solution of a search when it is found; that may take a second.
    private func findSolution(of result: JobResult, _ id: JobID, for page: SessionPage) {
        solutions.find(result, id) { [weak self] in
            guard let self else { return }
            page.gateway.took(
                .finished(id, result, isOurs: false), state.with(\.board), solution: solutions.latest(of: id))
        }
    }

    /// A viewer came, left or got another name.
    private func noted(_ change: ViewerChange, on page: SessionPage) {
        let viewers = page.gateway.viewers
        state.with { $0.page?.viewers = viewers }
        if isJSON { try? write(SessionJSON.value(change, viewers: viewers.count)) }
        noteHost(change, on: page)
    }

    /// Finds the address again, because a laptop may have moved to another network.
    func refreshAddress() {
        guard let page else { return }
        show(page.address(port: session.port))
    }

    private func show(_ address: String) {
        state.with { state in
            guard let shown = state.page, shown.address != address else { return }
            state.page = SessionPicture.Page(showing: address, viewers: shown.viewers)
        }
    }

    /// Removes a viewer. Returns nil if no viewer has that name.
    func kickViewer(_ name: String) async -> LocalMessage? {
        guard let page, let gone = await page.gateway.kick(name), let first = gone.first else { return nil }
        let others = gone.count == 1 ? "" : " and \(gone.count - 1) more at the same address"
        return .done("removed \(first)\(others); no page from that address can return to this session")
    }

    /// Returns the address of the page, with new tickets if the user wants them.
    func pageAddress(_ right: PageRight, isNew: Bool) async -> LocalMessage {
        guard let page else {
            return .refused("\(id.name) has no page on this machine; start the node with --web")
        }
        do throws(Failure) {
            if isNew { try await page.remake() }
        } catch {
            return .refused(error.message)
        }
        let address = page.address(port: session.port)
        show(address)
        return .done(right == .lend ? address : page.address(right, port: session.port))
    }
}

extension SessionPicture.Page {
    /// The page at this address, with its QR code. The hyphens of the ticket are for people; without them the code is smaller.
    init(showing address: String, viewers: [String] = []) {
        let ticket = address.firstIndex(of: "#") ?? address.endIndex
        let short = address[..<ticket] + address[ticket...].replacing("-", with: "")
        self.init(address: address, viewers: viewers, code: QRCode.matrix(of: String(short)))
    }
}

extension SessionScene {
    /// The nodes for the page: this one, those linked to it, and the other nodes of the server.
    var pageMembers: [PageMember] {
        devices.map {
            PageMember(name: $0.name, cores: $0.cores, kind: $0.isBrowser ? .browser : .laptop, isHere: $0.isHere)
        }
    }

    /// All devices for the screen. `viewers` are the names of pages, of which those that lend are nodes, too.
    func roster(viewers: [String]) -> [SessionPicture.Device] {
        let known = Set(devices.map(\.name))
        return devices.map { .init(name: $0.name, cores: $0.cores, isHere: $0.isHere) }
            + viewers.filter { !known.contains($0) }.map { .init(name: $0, cores: 0) }
    }

    private typealias Listed = (name: String, cores: Int, isBrowser: Bool, isHere: Bool)

    private var devices: [Listed] {
        let names = names
        let linked = peers.values.map(\.peer).sorted { $0.node < $1.node }.compactMap { peer -> Listed? in
            guard peer.state == .connected || peer.state == .suspect, let name = names[peer.node] else { return nil }
            return (name, peer.cores, peer.kind.isBrowser, peer.state == .connected)
        }
        let further = others.sorted { $0.key < $1.key }.compactMap { node, entry -> Listed? in
            names[node].map { ($0, entry.cores, false, true) }
        }
        return [(ownDisplayName, ownCores, false, true)] + linked + further
    }
}

extension SessionJSON {
    /// A change of the page's viewers, with the number of those that are there.
    static func value(_ change: ViewerChange, viewers: Int) -> JSON {
        func ofHost(_ state: String, _ address: String) -> JSON {
            .object(NodeJSON.start("host-page") + [("state", .string(state)), ("address", .string(address))])
        }
        let members: [(key: String, value: JSON)]
        switch change {
        case .joined(let name): members = [("name", .string(name)), ("state", "joined")]
        case .left(let name): members = [("name", .string(name)), ("state", "left")]
        case .renamed(let name, let new):
            members = [("name", .string(new)), ("state", "renamed"), ("before", .string(name))]
        case .hostOpened(let address): return ofHost("opened", address)
        case .hostRefused(let address): return ofHost("refused", address)
        }
        return .object(NodeJSON.start("viewer") + members + [("viewers", JSON(viewers))])
    }
}
