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
    /// Somebody in the session has another code than this node.
    private var wasRefused = false
    /// How the user can give other words.
    var retyping = Retyping.startAgain
    private var role: Role?
    private var news: [SessionPicture.News] = []
    /// The links' last heartbeats.
    var roundTrips: [NodeID: Duration] = [:]
    /// What the user has typed so far.
    var typed = ""

    enum Retyping {
        case startAgain
        /// By a key on the screen.
        case key
        /// By a line, where there is no screen.
        case line

        var others: String {
            switch self {
            case .startAgain: "start this again to type others"
            case .key: "press w to type others"
            case .line: "type w and Enter to type others"
            }
        }

        var missing: String {
            switch self {
            case .startAgain: "Start this without --open to type it"
            case .key: "Press w to type it"
            case .line: "Type w and Enter to type it"
            }
        }
    }

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
            return .init("\(request.peer.displayName) wants in", .warning)
        case .message(let message):
            return .init("\(name(message.sender)) sent \(message.octets.count) octets", .faint)
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
            return self.role == role ? nil : .init("here you are a \(role)")
        case .choice(let peers):
            choice = peers
            return .init("\(peers.count) sessions are called \(session)", .warning)
        case .turnedAway(let endpoint, let refusal):
            // A client's door is of no interest to its user.
            return mode == .client ? nil : Self.words(endpoint, refusal)
        case .trouble(let trouble):
            switch trouble {
            case .otherCode, .otherCodeAt: wasRefused = true
            default: break
            }
            return .init(words(trouble), .warning)
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
        case (.suspect, .connected): return .init("\(name) is back", .good)
        case (_, .connected): return .init("\(name) is connected", .good)
        case (_, .suspect): return .init("\(name) is lost, trying again", .warning)
        case (_, .connecting(.theirHost)): return .init("\(name)'s host is asked whether you may come in")
        case (.connected, .gone(let parting)), (.suspect, .gone(let parting)):
            return .init(parting == .lost ? "\(name) did not come back" : "\(name) \(Self.words(parting))")
        case (.connecting(.ourUser), .gone): return .init("\(name) is not waiting any more", .faint)
        default: return nil
        }
    }

    private static func words(_ parting: Parting) -> String {
        switch parting {
        case .left: "left"
        case .lost: "was lost"
        case .removed: "was removed"
        case .declined: "was declined"
        }
    }

    private static func words(_ endpoint: Endpoint, _ refusal: Refusal) -> SessionPicture.News {
        switch refusal {
        case .wrongCode: .init("somebody at \(endpoint.host) has a wrong join code", .warning)
        case .noKey: .init("a stranger at \(endpoint.host) was turned away", .faint)
        case .timedOut: .init("a stranger at \(endpoint.host) said nothing", .faint)
        case .tooMany: .init("\(endpoint.host) tries too often and has to wait", .warning)
        }
    }

    func words(_ trouble: SessionTrouble) -> String {
        switch trouble {
        case .otherServer(let peer):
            "\(peer.displayName) serves another \(session)\(isOpen ? "" : " with the same code"): one of the two should be "
                + "renamed"
        case .otherCode(let peer):
            otherCode(at: peer.displayName)
        case .otherCodeAt(let host, let port):
            otherCode(at: "\(host):\(port)")
        case .withoutCode(let peer):
            "\(peer.displayName) has a \(session) without a join code, which yours is not; --open joins that one"
        case .version(let node, let name):
            "\(name) (\(node.short)) has a version of potluck that does not go with this one: update the older one"
        case .full(let node): "\(name(node)) has no room for another node"
        case .unavailable(let node): "\(name(node)) takes nobody just now; it will be asked again"
        case .ownAddress(let host, let port): "\(host):\(port) is this node itself"
        case .unreachable(let host, let port): "\(host):\(port) does not answer; trying again"
        case .notConnected(let node): "\(name(node)) is not connected; nothing was sent to it"
        case .backlog(let node): "\(name(node)) takes nothing in; nothing more is sent to it for now"
        case .tooLong(let octets, let limit): "a message of \(octets) octets is too long; \(limit) are possible"
        case .lost(let node, let messages): "\(name(node)) started anew; \(messages) messages to it are lost"
        case .protocolBroken(let node, let reason):
            "\(node.map(name) ?? "a node") does not follow the protocol (\(reason)); it was cut off"
        }
    }

    /// It may be the wrong laptop, or the wrong words; nothing here shows which.
    private func otherCode(at place: String) -> String {
        isOpen
            ? "\(place) has a \(session) with a join code, and you gave none; looking on. \(retyping.missing)"
            : "\(place) has another join code for \(session) than yours; looking on. Compare the five words with the host's "
                + "screen, and \(retyping.others)"
    }

    /// Whether other words may be what lets this node in: it never was, and somebody has others.
    var takesOtherWords: Bool { wasRefused && !wasConnected && retyping != .startAgain }

    // MARK: The picture

    /// `troubles` say what stands in the way of being found.
    func picture(troubles: [String]) -> SessionPicture {
        let what =
            switch mode {
            case .server: "\(session): you serve it"
            case .client: "\(session): you are a \(role ?? .watches)"
            case .peer: "\(session): all are equal here"
            }
        let names = names
        return SessionPicture(
            title: "\(what), as \(ownName), at port \(port)", invitation: invitation,
            members: peers.values.map { peer, since in
                .init(
                    name: names[peer.node] ?? peer.displayName, mode: peer.mode, state: peer.state, since: since,
                    roundTrip: peer.state == .connected ? roundTrips[peer.node] : nil)
            }, waiting: troubles + [waiting], questions: questions,
            answers: !choice.isEmpty ? .number : newcomers.isEmpty ? nil : .consent,
            takesOtherWords: takesOtherWords, news: news)
    }

    /// What is waited for at this moment.
    var waiting: String {
        let states = peers.values.map(\.peer.state)
        if mode == .client {
            if states.contains(.connected) {
                let rest = others.count
                return rest == 0
                    ? "Ctrl-C leaves." : "\(rest == 1 ? "1 more is" : "\(rest) more are") in it. Ctrl-C leaves."
            }
            if !choice.isEmpty { return "Waiting for you to choose." }
            if states.contains(.connecting(.theirHost)) { return "Waiting for the host of \(session) to let you in." }
            if states.contains(.suspect) { return "The link is lost; trying again." }
            if states.contains(.connecting(.link)) || states.contains(.available) {
                return "Found \(session); connecting."
            }
            return wasConnected ? "Nobody serves \(session) any more; waiting for it." : "Looking for \(session)."
        }
        if states.contains(.connected) { return "Ctrl-C ends it." }
        if states.contains(.suspect) { return "The link is lost; trying again." }
        return "Waiting for others to join. Ctrl-C ends it."
    }

    private var questions: [String] {
        if !choice.isEmpty {
            return ["Several sessions are called \(session). Type a number, then Enter:"]
                + choice.enumerated().map { "\($0 + 1)  \($1.displayName)  (\($1.node.short))" } + ["> \(typed)"]
        }
        guard let first = newcomers.first else { return [] }
        let name = first.displayName
        return newcomers.count == 1
            ? ["\(name) wants in: y lets it in, n does not."]
            : ["\(name) and \(newcomers.count - 1) more want in: y lets \(name) in, n does not, a lets all in."]
    }
}
