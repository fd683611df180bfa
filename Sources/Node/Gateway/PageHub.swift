import PotluckCore
import PotluckNet
import PotluckSystem

/// The pages of a session, without sockets, threads and clock: connections become viewers, and viewers get pictures.
final class PageHub {
    /// The fixed facts of the gateway.
    struct Setup {
        let session: String
        let name: String
        let version: String
        let site: Site
        /// Whether the host hides the exact answers of all jobs.
        let hidesExact: Bool
        let workers: (any PageWorkers)?
        /// Takes the guess of a page. It must return soon.
        let guessed: @Sendable (Guess, JobID) -> Void
        /// Takes a request of the host's page. It must return soon.
        var asked: @Sendable (HostRequest, PageID) -> Void = { _, _ in }
        let limits: GatewayLimits
    }

    let setup: Setup
    let channels: any TextChannels
    /// Returns random bytes: a nonce.
    private let draw: (Int) -> [UInt8]
    /// Called when a viewer came, left or got another name.
    let report: (ViewerChange) -> Void
    private(set) var tickets: PageTickets
    var pictures: Pictures
    var members = Members()
    var news = HostNews()
    /// The nodes of the session, and what it waits for.
    private var nodes: [PageMember] = []
    private var waiting: [String] = []
    var visitors: [TextID: Visitor] = [:]
    private var banned = Banned()
    private var entrances = Entrances()
    private var lastPage: UInt64 = 0
    var isChanged = false
    private var lastPublished: Instant?
    private var nextCheck = Instant.start

    init(
        _ setup: Setup, _ tickets: PageTickets, _ channels: any TextChannels, draw: @escaping (Int) -> [UInt8],
        report: @escaping (ViewerChange) -> Void
    ) {
        (self.setup, self.tickets, self.channels, self.draw, self.report) = (setup, tickets, channels, draw, report)
        pictures = Pictures(hidesExact: setup.hidesExact)
    }

    private var limits: GatewayLimits { setup.limits }

    // MARK: Connections

    func opened(_ id: TextID, from remote: Endpoint, at local: Endpoint, now: Instant) {
        visitors[id] = Visitor(id, from: remote, at: local, now: now, limits)
        nextCheck = min(nextCheck, now + limits.check)
    }

    func closed(_ id: TextID) {
        guard let visitor = visitors.removeValue(forKey: id) else { return }
        left(visitor)
    }

    func drained(_ id: TextID, now: Instant) {
        guard let visitor = visitors[id] else { return }
        visitor.isBlocked = false
        switch visitor.phase {
        case .requests:
            visitor.deadline = now + limits.request
            answer(visitor, now: now)
        case .viewing(let viewer): flush(visitor, viewer, at: now)
        case .greeting, .challenged: break
        }
    }

    func received(_ octets: [UInt8], on id: TextID, now: Instant) {
        guard let visitor = visitors[id] else { return }
        visitor.heard = now
        switch visitor.phase {
        case .requests(let before):
            visitor.phase = .requests(before + octets)
            answer(visitor, now: now)
        case .greeting, .challenged, .viewing: read(octets, visitor, now: now)
        }
    }

    /// Answers the requests that are complete. While an answer is being sent, the next request waits.
    private func answer(_ visitor: Visitor, now: Instant) {
        while case .requests(var octets) = visitor.phase, !visitor.isBlocked, visitors[visitor.id] != nil {
            let response: Response
            do throws(Request.ReadError) {
                guard let request = try Request.take(from: &octets) else {
                    visitor.phase = .requests(octets)
                    return
                }
                response = setup.site.answer(request, at: visitor.local)
            } catch {
                response = Response(error)
            }
            guard visitor.requests.take(at: now) else { return leave(visitor) }
            send([response.head, response.body], to: visitor)
            if response.status == .switching {
                visitor.phase = .greeting
                visitor.deadline = now + limits.request
                return read(octets, visitor, now: now)
            }
            guard response.staysOpen else { return leave(visitor) }
            visitor.phase = .requests(octets)
            visitor.deadline = now + (visitor.isBlocked ? limits.answer : limits.request)
            if octets.isEmpty, !visitor.isBlocked { channels.answered(visitor.id) }
        }
        if case .requests(let octets) = visitor.phase, octets.count > PageLimits.request { leave(visitor) }
    }

    private func read(_ octets: [UInt8], _ visitor: Visitor, now: Instant) {
        guard !octets.isEmpty else { return }
        var arrivals: [SocketArrival] = []
        var fault: SocketEnd?
        do throws(SocketEnd) { try visitor.reader.read(octets, into: &arrivals) } catch { fault = error }
        for arrival in arrivals {
            guard visitors[visitor.id] != nil else { return }
            guard visitor.allowance.take(at: now) else { return end(visitor, .brokenRule) }
            switch arrival {
            case .text(let text): take(text, visitor, now: now)
            case .ping(let octets): send([WebSocketFrame.pong(octets)], to: visitor)
            case .pong: break
            case .close: end(visitor, .normal)
            }
        }
        if let fault, visitors[visitor.id] != nil { end(visitor, fault) }
    }

    private func take(_ text: [UInt8], _ visitor: Visitor, now: Instant) {
        do throws(PageError) {
            switch visitor.phase {
            case .requests: break
            case .greeting: try greet(text, visitor, now: now)
            case .challenged(let right, let key, var incoming, let outgoing):
                guard let json = incoming.open(text) else { return end(visitor, .unknownTicket) }
                guard case .join(let client, let name, let device)? = try PageMessage.decode(json) else {
                    return end(visitor, .brokenRule)
                }
                guard right != .host || admits(device, key, visitor, now: now) else { return }
                join(visitor, client, name, right, incoming, outgoing, now: now)
            case .viewing(let viewer):
                guard let json = viewer.incoming.open(text) else { return end(visitor, .unknownTicket) }
                guard let message = try PageMessage.decode(json) else { return }
                perform(message, of: viewer, visitor, at: now)
            }
        } catch {
            end(visitor, .brokenRule)
        }
    }

    /// The first message names a ticket.
    private func greet(_ text: [UInt8], _ visitor: Visitor, now: Instant) throws(PageError) {
        let hello = try PageHello(text)
        let right = PageRight.allCases.first { tickets[$0].map(hello.names) == true }
        guard let right, let ticket = tickets[right] else { return end(visitor, .unknownTicket) }
        let nonce = draw(PageHello.nonceLength)
        let key = Conversation.key(ticket, page: hello.nonce, gateway: nonce)
        visitor.phase = .challenged(
            right, key: key, incoming: Conversation(key, .toGateway), outgoing: Conversation(key, .toPage))
        visitor.deadline = now + limits.request
        let isBound = right == .host ? tickets.host?.device != nil : nil
        send([WebSocketFrame.text(PageHello.answer(nonce: nonce, isBound: isBound))], to: visitor)
    }

    /// Whether this browser may open the host's page. Otherwise closes it, and tells the host.
    private func admits(_ device: DeviceProof?, _ key: [UInt8], _ visitor: Visitor, now: Instant) -> Bool {
        guard entrances.take(visitor.remote.octets, limits, at: now) else {
            end(visitor, .full)
            return false
        }
        let before = tickets.host
        guard tickets.host?.admits(device, key) == true else {
            report(.hostRefused(at: visitor.remote.host))
            end(visitor, .otherDevice)
            return false
        }
        if tickets.host != before { report(.hostOpened(at: visitor.remote.host)) }
        return true
    }

    // MARK: Sending

    /// Sends unless the system still has to take something; then the connection is broken, or counts as slow.
    func send(_ parts: [[UInt8]], to visitor: Visitor) {
        if !channels.send(parts, on: visitor.id) { visitor.isBlocked = true }
    }

    func send(_ json: [UInt8], to viewer: Viewer, _ visitor: Visitor) {
        send([WebSocketFrame.text(viewer.outgoing.seal(json), json)], to: visitor)
    }

    /// Closes a connection. Over a WebSocket it says why.
    func end(_ visitor: Visitor, _ reason: SocketEnd) {
        if case .requests = visitor.phase {} else { send([WebSocketFrame.close(reason)], to: visitor) }
        leave(visitor)
    }

    private func leave(_ visitor: Visitor) {
        channels.close(visitor.id)
        visitors[visitor.id] = nil
        left(visitor)
    }

    private func left(_ visitor: Visitor) {
        guard let viewer = visitor.viewer else { return }
        if viewer.right == .lend { setup.workers?.closed(viewer.page) }
        isChanged = true
        report(.left(viewer.name))
    }

    // MARK: Time

    /// Publishes changes, and closes late connections. Returns when to call this again.
    func turn(at now: Instant) -> Instant? {
        guard !visitors.isEmpty else { return nil }
        if now >= nextCheck {
            nextCheck = now + limits.check
            for visitor in visitors.values.sorted(by: { $0.id < $1.id }) { check(visitor, at: now) }
        }
        guard isChanged, visitors.values.contains(where: { $0.viewer != nil }) else { return nextCheck }
        let due = lastPublished.map { $0 + limits.interval } ?? now
        guard now >= due else { return min(due, nextCheck) }
        publish(at: now)
        return nextCheck
    }

    private func check(_ visitor: Visitor, at now: Instant) {
        switch visitor.phase {
        case .requests: if now >= visitor.deadline { leave(visitor) }
        case .greeting, .challenged: if now >= visitor.deadline { end(visitor, .silent) }
        case .viewing(let viewer):
            if now - visitor.heard >= limits.silence { return end(visitor, .silent) }
            // Its answer may have waited for its allowance.
            if viewer.results != nil { flush(visitor, viewer, at: now) }
            guard now >= viewer.nextPing, !visitor.isBlocked else { return }
            viewer.nextPing = now + limits.ping
            // The page sees only messages, and a browser answers only pings of its socket by itself.
            let json = GatewayMessage.ping.octets
            send([WebSocketFrame.ping() + WebSocketFrame.text(viewer.outgoing.seal(json), json)], to: visitor)
        }
    }

    private func publish(at now: Instant) {
        prepare(at: now)
        for visitor in visitors.values.sorted(by: { $0.id < $1.id }) {
            if let viewer = visitor.viewer, visitors[visitor.id] != nil { flush(visitor, viewer, at: now) }
        }
    }

    /// Encodes the changes.
    func prepare(at now: Instant) {
        isChanged = false
        lastPublished = now
        for (job, points) in pictures.publish() {
            for visitor in visitors.values {
                guard let viewer = visitor.viewer, let seen = viewer.jobs[job]?.points else { continue }
                viewer.jobs[job]?.points = min(seen, points)
            }
        }
        members.publish(nodes, viewers.map { ($0.page, $0.name) }, waiting: waiting)
    }

    // MARK: Viewers

    /// In the order in which they joined.
    var viewers: [Viewer] { visitors.values.compactMap(\.viewer).sorted { $0.page.number < $1.page.number } }

    private func join(
        _ visitor: Visitor, _ client: [UInt8], _ typed: String, _ right: PageRight, _ incoming: Conversation,
        _ outgoing: Conversation, now: Instant
    ) {
        // The host's device was admitted already, and may share the address of a page that the host removed.
        if right != .host {
            guard !banned.contains(visitor.remote.octets, client) else { return end(visitor, .removed) }
            guard entrances.take(visitor.remote.octets, limits, at: now) else { return end(visitor, .full) }
        }
        for other in visitors.values where other.viewer?.client == client { end(other, .replaced) }
        guard channels.admit(visitor.id) else { return end(visitor, .full) }
        lastPage += 1
        let viewer = Viewer(
            PageID(lastPage), client: client, right, incoming, outgoing, name: unique(typed, besides: nil), now: now)
        viewer.nextPing = now + limits.ping
        visitor.phase = .viewing(viewer)
        report(.joined(viewer.name))
        let lends = right == .lend && setup.workers != nil
        viewer.mayWrite = mayWrite(viewer)
        let welcome = GatewayMessage.welcome(
            session: setup.session, gateway: setup.name, you: viewer.name, mayLend: lends, isHost: right == .host,
            mayWrite: viewer.mayWrite, version: setup.version)
        send(welcome.octets, to: viewer, visitor)
        viewer.news = pictures.newsCount - UInt64(pictures.news.count)
        // The first pictures come at once; the others hear of this viewer at their next ones.
        if lastPublished.map({ now >= $0 + limits.interval }) ?? true { prepare(at: now) }
        isChanged = true
        if lends {
            setup.workers?.opened(
                viewer.page, name: viewer.name, at: visitor.remote.octets, send: workSender(viewer.page))
        }
        flush(visitor, viewer, at: now)
    }

    /// Whether a page may send the host a simulation: as a guest, and if there is a host's page that shows it.
    func mayWrite(_ viewer: Viewer) -> Bool { viewer.right != .host && tickets.host != nil }

    /// The gateway's actor replaces it, because workers send from any thread.
    var workSender: (PageID) -> @Sendable (GatewayMessage) -> Void = { _ in { _ in } }

    func unique(_ typed: String, besides own: Viewer?) -> String {
        let others = viewers.filter { $0 !== own }.map(\.name)
        return ViewerNames.unique(
            ViewerNames.clean(typed), among: nodes.filter { $0.kind != .browser }.map(\.name) + others)
    }

    // MARK: What the session says

    func show(_ nodes: [PageMember], waiting: [String]) {
        guard nodes != self.nodes || waiting != self.waiting else { return }
        (self.nodes, self.waiting) = (nodes, waiting)
        isChanged = true
    }

    func change(_ body: (inout Pictures) -> Void) {
        body(&pictures)
        isChanged = true
    }

    /// Removes the viewer, and all others at its address, for as long as the session lasts. Returns the names of those
    /// that were removed, or nil if no viewer has that name.
    func kick(_ name: String) -> [String]? {
        let wanted = ViewerNames.alike(name)
        // The host's own page ends only with its ticket.
        let others = visitors.values.filter { $0.right != .host }
        guard let found = others.first(where: { $0.viewer.map { ViewerNames.alike($0.name) } == wanted }) else {
            return nil
        }
        if let client = found.viewer?.client { banned.add(found.remote.octets, client) }
        let gone = others.filter { $0.remote.octets == found.remote.octets }.sorted { $0.id < $1.id }
        let names = gone.compactMap { $0.viewer?.name }
        for visitor in gone { end(visitor, .removed) }
        return names
    }

    /// Removes a page whose node was removed from the session.
    func remove(_ page: PageID) {
        guard let found = visitors.values.first(where: { $0.viewer?.page == page }), let viewer = found.viewer else {
            return
        }
        banned.add(found.remote.octets, viewer.client)
        end(found, .removed)
    }

    /// Replaces the tickets. Pages with an old one are closed.
    func remake(_ tickets: PageTickets) {
        let before = self.tickets
        self.tickets = tickets
        isChanged = true
        // A browser may have opened the host's page meanwhile.
        if let host = before.host, host.ticket == tickets.host?.ticket { self.tickets.host = host }
        for visitor in visitors.values.sorted(by: { $0.id < $1.id }) {
            guard let right = visitor.right, before[right] != tickets[right] else { continue }
            end(visitor, .unknownTicket)
        }
    }

    func stop() {
        for visitor in visitors.values.sorted(by: { $0.id < $1.id }) {
            end(visitor, .sessionEnded)
        }
    }
}

/// A viewer came, left or got another name.
public enum ViewerChange: Sendable, Equatable {
    case joined(String)
    case left(String)
    case renamed(String, to: String)
    /// A browser opened the host's page and has its ticket from now on.
    case hostOpened(at: String)
    /// Another browser tried to.
    case hostRefused(at: String)
}
