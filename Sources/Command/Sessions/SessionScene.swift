import Potluck
import PotluckConsole
import PotluckModel

/// What has come of a session so far, for whoever sits before this node: made from its events, and from nothing else.
struct SessionScene {
    /// What stays of the news: more than a screen shows.
    private static let mostNews = 50

    let session: String
    let mode: Mode
    private let own: NodeID
    private let ownName: String
    private let invitation: SessionPicture.Invitation?
    /// Whether there is no join code.
    var isOpen: Bool { if case .open = invitation { true } else { false } }
    private let port: UInt16

    private(set) var peers: [NodeID: (peer: Peer, since: Instant)] = [:]
    /// Names of nodes that our server has links to and we have not.
    private(set) var others: [NodeID: String] = [:]
    private(set) var choice: [Peer] = []
    private(set) var wasConnected = false
    private var role: Role?
    private var news: [SessionPicture.News] = []
    /// The links' last heartbeats.
    var roundTrips: [NodeID: Duration] = [:]
    /// What the user has typed so far.
    var typed = ""

    init(session: Session, id: String, mode: Mode, invitation: SessionPicture.Invitation?) {
        self.init(
            id: id, mode: mode, own: session.node, ownName: session.name, port: session.port, invitation: invitation)
    }

    init(
        id: String, mode: Mode, own: NodeID, ownName: String, port: UInt16,
        invitation: SessionPicture.Invitation? = nil
    ) {
        session = id
        self.mode = mode
        self.own = own
        self.ownName = ownName
        self.port = port
        self.invitation = invitation
    }

    /// Takes in what happened, and says what is new about it in words; nil where that is nothing to tell.
    mutating func take(_ event: Session.Event, at now: Instant) -> SessionPicture.News? {
        let news = tell(event, now)
        if let news { add(news) }
        return news
    }

    /// Something that did not come from the session.
    mutating func add(_ item: SessionPicture.News) { news = (news + [item]).suffix(Self.mostNews) }

    // MARK: Who is who

    /// Whether whoever sits here may do what they like with jobs.
    var isHost: Bool { mode != .client || role == .hosts }

    /// Whether there is a link to somebody.
    var hasLink: Bool { peers.values.contains { $0.peer.state == .connected } }

    /// Those who wait for the user's consent, in order of name.
    var newcomers: [Peer] {
        peers.values.map(\.peer).filter { $0.state == .connecting(.ourUser) }
            .sorted { ($0.displayName, $0.node) < ($1.displayName, $1.node) }
    }

    /// Everybody who can be sent something, with names that tell them apart.
    var names: [NodeID: String] {
        let here = peers.values.map(\.peer).filter { $0.state == .connected || $0.state == .suspect }
        var known: [(node: NodeID, name: String)] = [(own, ownName)]
        for peer in here { known.append((peer.node, peer.name)) }
        for (node, name) in others { known.append((node, name)) }
        return DisplayNames.distinct(known).filter { $0.key != own }
    }

    func name(_ node: NodeID) -> String {
        names[node] ?? peers[node]?.peer.displayName ?? (node == own ? ownName : "node \(node.short)")
    }

    // MARK: Words

    private mutating func tell(_ event: Session.Event, _ now: Instant) -> SessionPicture.News? {
        switch event {
        case .peer(let peer): return changed(peer, now)
        case .request(let request):
            return .init("\(request.peer.displayName) asks to join", .warning)
        case .message(let message):
            return .init("\(name(message.sender)) sent \(message.octets.count) bytes", .faint)
        case .said(let text, let from): return .init("\(name(from)): \(text)", .good)
        case .roster(let entries):
            let linked = peers
            others = Dictionary(
                entries.filter { $0.node != own && linked[$0.node] == nil && $0.isConnected }
                    .map { ($0.node, $0.name) }
            ) { first, _ in first }
            return nil
        case .role(let role):
            defer { self.role = role }
            return self.role == role ? nil : .init("you are a \(role) here")
        case .choice(let peers):
            choice = peers
            return .init("found \(peers.count) sessions called \(session)", .warning)
        case .turnedAway(let endpoint, let refusal):
            // A client's door is of no interest to its user.
            return mode == .client ? nil : Self.words(endpoint, refusal)
        case .trouble(let trouble): return .init(words(trouble), .warning)
        // The board's.
        case .job, .ended: return nil
        }
    }

    private mutating func changed(_ peer: Peer, _ now: Instant) -> SessionPicture.News? {
        let before = peers[peer.node]?.peer.state
        if case .gone = peer.state {
            peers[peer.node] = nil
        } else if before != peer.state {
            peers[peer.node] = (peer, now)
        } else {
            peers[peer.node]?.peer = peer
            return nil
        }
        if peer.state == .connected {
            wasConnected = true
            choice = []
            others[peer.node] = nil
        }
        let name = peer.displayName
        switch (before, peer.state) {
        case (.suspect, .connected): return .init("\(name) reconnected", .good)
        case (_, .connected): return .init("\(name) connected", .good)
        case (_, .suspect): return .init("\(name) lost connection; reconnecting", .warning)
        case (_, .connecting(.theirHost)): return .init("waiting for approval at \(name)")
        case (.connected, .gone(let parting)), (.suspect, .gone(let parting)):
            return .init(parting == .lost ? "\(name) disconnected" : "\(name) \(Self.words(parting))")
        case (.connecting(.ourUser), .gone): return .init("\(name) no longer asks to join", .faint)
        default: return nil
        }
    }

    private static func words(_ parting: Parting) -> String {
        switch parting {
        case .left: "left"
        case .lost: "disconnected"
        case .removed: "was removed"
        case .declined: "was declined"
        }
    }

    private static func words(_ endpoint: Endpoint, _ refusal: Refusal) -> SessionPicture.News {
        switch refusal {
        case .wrongCode: .init("\(endpoint.host) tried to join with a wrong code", .warning)
        case .noKey: .init("rejected a connection from \(endpoint.host)", .faint)
        case .timedOut: .init("closed an idle connection from \(endpoint.host)", .faint)
        case .tooMany: .init("\(endpoint.host) tries to connect too often and must wait", .warning)
        }
    }

    func words(_ trouble: SessionTrouble) -> String {
        switch trouble {
        case .otherServer(let peer):
            "\(peer.displayName) serves another session called \(session)\(isOpen ? "" : " with the same code"); rename one "
                + "of them"
        case .otherCode(let peer):
            otherCode(at: peer.displayName)
        case .otherCodeAt(let host, let port):
            otherCode(at: "\(host):\(port)")
        case .withoutCode(let peer):
            "\(peer.displayName) has an open session called \(session); to join that one, use --open"
        case .version(let node, let name):
            "\(name) (\(node.short)) has an incompatible version of potluck; update the older one"
        case .full(let node): "\(name(node)) is full and accepts no more nodes"
        case .unavailable(let node): "\(name(node)) accepts no nodes at the moment; retrying"
        case .ownAddress(let host, let port): "\(host):\(port) is this node itself"
        case .unreachable(let host, let port): "\(host):\(port) does not answer; retrying"
        case .notConnected(let node): "cannot send to \(name(node)): not connected"
        case .backlog(let node): "\(name(node)) does not read its messages; sending is paused"
        case .tooLong(let octets, let limit): "a message of \(octets) bytes is too long; at most \(limit) are allowed"
        case .lost(let node, let messages):
            "\(name(node)) restarted; \(messages == 1 ? "1 message" : "\(messages) messages") to it \(messages == 1 ? "is" : "are") lost"
        case .protocolBroken(let node, let reason):
            "disconnected \(node.map(name) ?? "a node"): it broke the protocol (\(reason))"
        }
    }

    /// It may be the wrong laptop, or the wrong words; nothing here shows which.
    private func otherCode(at place: String) -> String {
        isOpen
            ? "\(session) at \(place) needs a join code; still looking. To type the code, start again without --open"
            : "\(session) at \(place) has another join code; still looking. Compare your five words with the host's screen, "
                + "and start again to type others"
    }

    // MARK: The picture

    /// `troubles` say what stands in the way of being found.
    func picture(troubles: [String]) -> SessionPicture {
        let what =
            switch mode {
            case .server: "Serving \(session)"
            case .client: "In \(session) as a \(role ?? .watches)"
            case .peer: "In \(session) as a peer"
            }
        let names = names
        return SessionPicture(
            title: "\(what): \(ownName), port \(port)", invitation: invitation,
            members: peers.values.map { peer, since in
                .init(
                    name: names[peer.node] ?? peer.displayName, mode: peer.mode, state: peer.state, since: since,
                    roundTrip: peer.state == .connected ? roundTrips[peer.node] : nil)
            }, waiting: troubles + [waiting], questions: questions,
            answers: !choice.isEmpty ? .number : newcomers.isEmpty ? nil : .consent, news: news)
    }

    /// What is waited for at this moment.
    var waiting: String {
        let states = peers.values.map(\.peer.state)
        if mode == .client {
            if states.contains(.connected) {
                // Besides the others there are this node and those it has a link to.
                let nodes = others.count + 1 + states.count { $0 == .connected }
                return "\(nodes) nodes in this session. \(leaving)"
            }
            if !choice.isEmpty { return "Waiting for your choice." }
            if states.contains(.connecting(.theirHost)) { return "Waiting for approval by the host of \(session)." }
            if states.contains(.suspect) { return "Connection lost; reconnecting." }
            if states.contains(.connecting(.link)) || states.contains(.available) {
                return "Found \(session); connecting."
            }
            return wasConnected
                ? "The server of \(session) is gone; waiting for it to return." : "Looking for \(session)."
        }
        if states.contains(.connected) { return leaving }
        if states.contains(.suspect) { return "Connection lost; reconnecting." }
        return "Waiting for others to join. \(leaving)"
    }

    private var leaving: String { mode == .server ? "Ctrl-C ends the session." : "Ctrl-C leaves." }

    private var questions: [String] {
        if !choice.isEmpty {
            return ["Found several sessions called \(session). Type a number and press Enter:"]
                + choice.enumerated().map { "\($0 + 1)  \($1.displayName)  (\($1.node.short))" } + ["> \(typed)"]
        }
        guard let first = newcomers.first else { return [] }
        let name = first.displayName
        return newcomers.count == 1
            ? ["\(name) asks to join: y approves, n declines."]
            : ["\(name) and \(newcomers.count - 1) more ask to join: y approves \(name), n declines, a approves all."]
    }
}
