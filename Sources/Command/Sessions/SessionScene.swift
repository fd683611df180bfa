import Potluck
import PotluckCore
import PotluckScreen

/// The state of a session as its user sees it, made only from the session's events.
struct SessionScene {
    /// How many news are kept; no screen shows more.
    private static let mostNews = 50

    let session: String
    let mode: Mode
    private let own: NodeID
    private let ownName: String
    private let invitation: SessionPicture.Invitation?
    /// Whether the session has no join code.
    var isOpen: Bool { if case .open = invitation { true } else { false } }
    private let port: UInt16

    private(set) var peers: [NodeID: (peer: Peer, since: Instant)] = [:]
    /// The nodes to which the server has links and this node has none.
    private(set) var others: [NodeID: RosterEntry] = [:]
    private var lending = Lending()
    /// Returns the name of the only node that was seen at an address.
    var namesAt: @Sendable ([UInt8]) -> String? = { _ in nil }
    /// Those who were refused.
    private var knocks = Knocks()
    private(set) var choice: [Peer] = []
    /// Whether this node was ever connected to another.
    private(set) var wasConnected = false
    /// Says which host has another code; nil if none was found.
    private(set) var refusal: String?
    /// How the user can type other words.
    var retyping = Retyping.startAgain
    private var role: Role?
    private var news: [SessionPicture.News] = []
    /// The news that are told only once.
    private var told: Set<String> = []
    /// The round-trip times of the latest heartbeats, by node.
    var roundTrips: [NodeID: Duration] = [:]
    /// The digits of a number that the user has typed so far.
    var typed = ""

    /// The nodes that compute with cores.
    private struct Lending {
        /// The cores of this node.
        var own = 0
        /// The nodes that have had cores.
        private var known: Set<NodeID> = []

        /// The most nodes that are remembered: more than a session has.
        private static let most = 1024

        mutating func note(_ node: NodeID, _ cores: Int) {
            guard cores > 0 else { return }
            if known.count >= Self.most { known = [] }
            known.insert(node)
        }

        /// Whether a node without cores rests, as laptops do on battery.
        func rests(_ node: NodeID) -> Bool { known.contains(node) }
    }

    enum Retyping {
        case startAgain
        /// A key on the screen.
        case key
        /// A line of input, where there is no screen.
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

    /// Applies an event. Returns the news to show; nil if there is nothing to tell.
    mutating func apply(_ event: Session.Event, at now: Instant) -> SessionPicture.News? {
        let news = news(of: event, now)
        if let news { add(news) }
        return news
    }

    /// Adds news unless they were told before.
    mutating func tellOnce(_ text: String) {
        if told.insert(text).inserted { add(.init(text, .faint)) }
    }

    /// Adds news that are not an event of the session.
    mutating func add(_ item: SessionPicture.News) { news = (news + [item]).suffix(Self.mostNews) }

    // MARK: Nodes

    /// Whether this node's user may pause, resume and cancel every job.
    var isHost: Bool { mode != .client || role == .hosts }

    /// Whether there is a link to another node.
    var hasLink: Bool { peers.values.contains { $0.peer.state == .connected } }

    /// The nodes that wait for the user's approval, sorted by name.
    var newcomers: [Peer] {
        peers.values.map(\.peer).filter { $0.state == .connecting(.ourUser) }
            .sorted { ($0.displayName, $0.node) < ($1.displayName, $1.node) }
    }

    /// The nodes that messages can be sent to, with distinct names.
    var names: [NodeID: String] {
        let here = peers.values.map(\.peer).filter { $0.state == .connected || $0.state == .suspect }
        var known: [(node: NodeID, name: String)] = [(own, ownName)]
        for peer in here { known.append((peer.node, peer.name)) }
        for (node, entry) in others { known.append((node, entry.name)) }
        return DisplayNames.distinct(known).filter { $0.key != own }
    }

    /// The nodes that a message reaches, and when. A page that lends cores is none: it shows messages as other pages do.
    var hearers: Hearers {
        let names = names
        var hearers = Hearers()
        for (node, entry) in others where !entry.isBrowser { hearers.now[node] = names[node] }
        for peer in peers.values.map(\.peer) where !peer.kind.isBrowser {
            switch peer.state {
            case .connected: hearers.now[peer.node] = names[peer.node]
            case .suspect: hearers.later[peer.node] = names[peer.node]
            case .available, .connecting, .gone: break
            }
        }
        return hearers
    }

    /// The name of this node among those of all others.
    var ownDisplayName: String { ownName }

    func name(_ node: NodeID) -> String {
        names[node] ?? peers[node]?.peer.displayName ?? (node == own ? ownName : "node \(node.short)")
    }

    // MARK: News

    private mutating func news(of event: Session.Event, _ now: Instant) -> SessionPicture.News? {
        switch event {
        case .peer(let peer): return changed(peer, now)
        case .request(let request):
            return .init("\(request.peer.displayName) asks to join", .warning)
        case .message(let message):
            return .init("\(name(message.sender)) sent \(message.octets.count) bytes", .faint)
        case .said(let text, let from): return .init("\(name(from)): \(text)", .good, saidAt: now)
        case .roster(let entries):
            let linked = peers
            others = Dictionary(
                entries.filter { $0.node != own && linked[$0.node] == nil && $0.isConnected }
                    .map { ($0.node, $0) }
            ) { first, _ in first }
            for entry in entries { lending.note(entry.node, entry.cores) }
            return nil
        case .role(let role):
            defer { self.role = role }
            return self.role == role ? nil : .init("you are a \(role) here")
        case .choice(let peers):
            choice = peers
            return .init("found \(peers.count) sessions called \(session)", .warning)
        case .turnedAway(let endpoint, let refusal):
            // Users of a client need not know who tried to connect to it.
            guard mode != .client else { return nil }
            let place = place(endpoint)
            // One attempt dials several addresses, and is repeated.
            let news = Self.words(place, refusal)
            return knocks.areNew(news.text, at: now) ? news : nil
        case .trouble(let trouble):
            if let why = otherWords(trouble) {
                // Discovery and each address of a host report it. The user needs to know it once.
                guard refusal == nil || wasConnected else { return nil }
                refusal = why
            }
            return .init(words(trouble), .warning)
        // The boards of jobs and of programs handle these.
        case .job, .program, .approved, .ended: return nil
        }
    }

    /// Says which host has another code; nil for another trouble.
    func otherWords(_ trouble: SessionTrouble) -> String? {
        switch trouble {
        case .otherCode(let peer): "\(session) at \(peer.displayName) has other words than yours"
        case .otherCodeAt(let host, let port): "\(session) at \(host):\(port) has other words than yours"
        default: nil
        }
    }

    private mutating func changed(_ peer: Peer, _ now: Instant) -> SessionPicture.News? {
        let before = peers[peer.node]?.peer.state
        lending.note(peer.node, peer.cores)
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
        case (_, .connecting(.theirHost)): return .init("asked \(name) to approve this node")
        case (.connected, .gone(let parting)), (.suspect, .gone(let parting)):
            return .init(parting == .lost ? "\(name) disconnected" : "\(name) \(Self.words(parting))")
        case (.connecting(.ourUser), .gone): return .init("\(name) no longer asks to join", .faint)
        default: return nil
        }
    }

    /// Adds news of a refusal. Returns whether they were not told a moment ago.
    mutating func knocked(_ item: SessionPicture.News, at now: Instant) -> Bool {
        guard knocks.areNew(item.text, at: now) else { return false }
        add(item)
        return true
    }

    private static func words(_ parting: Parting) -> String {
        switch parting {
        case .left: "left"
        case .lost: "disconnected"
        case .removed: "was removed"
        case .declined: "was declined"
        }
    }

    private static func words(_ place: String, _ refusal: Refusal) -> SessionPicture.News {
        switch refusal {
        case .wrongCode: .init("\(place) tried to join with a wrong code", .warning)
        case .noKey: .init("rejected a connection from \(place)", .faint)
        case .timedOut: .init("closed an idle connection from \(place)", .faint)
        case .tooMany: .init("\(place) tries to connect too often and must wait", .warning)
        }
    }

    /// The name of the node at an address, if discovery knows the only one there; else the address.
    private func place(_ endpoint: Endpoint) -> String { namesAt(endpoint.octets) ?? endpoint.host }

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
        case .backlog(let node): "\(name(node)) does not read its messages; the message was not sent"
        case .tooLong(let octets, let limit): "a message of \(octets) bytes is too long; at most \(limit) are allowed"
        case .lost(let node, let messages):
            "\(name(node)) restarted; \(messages == 1 ? "1 message" : "\(messages) messages") to it \(messages == 1 ? "is" : "are") lost"
        case .protocolBroken(let node, let reason):
            "disconnected \(node.map(name) ?? "a node"): it broke the protocol (\(reason))"
        }
    }

    /// The message about a host with another code. Either the laptop or the words may be wrong; this node cannot tell
    /// which.
    private func otherCode(at place: String) -> String {
        isOpen
            ? "\(session) at \(place) needs a join code; still looking. \(retyping.missing)"
            : "\(session) at \(place) has another join code; still looking. Compare your five words with the host's screen, "
                + "and \(retyping.others)"
    }

    /// Whether other words might let this node in: it was refused and was never connected.
    var takesOtherWords: Bool { refusal != nil && !wasConnected && retyping != .startAgain }

    // MARK: The picture

    /// Returns the picture for the screen. `troubles` say what prevents nodes from finding this one. `isIdle` says that
    /// there is no job to compute.
    func picture(troubles: [String], isIdle: Bool) -> SessionPicture {
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
            }, waiting: troubles + [isIdle ? idleness : nil, waiting].compactMap { $0 }, questions: questions,
            answers: !choice.isEmpty ? .number : newcomers.isEmpty ? nil : .consent,
            takesOtherWords: takesOtherWords, news: news)
    }

    /// What the node is waiting for, or how to leave, as a sentence.
    var waiting: String {
        let states = peers.values.map(\.peer.state)
        if mode == .client {
            if states.contains(.connected) {
                return "\(crowd) in this session. \(leaving)"
            }
            if !choice.isEmpty { return "Waiting for your choice." }
            if states.contains(.connecting(.theirHost)) { return "Waiting for approval by the host of \(session)." }
            if states.contains(.suspect) { return "Connection lost; reconnecting." }
            if states.contains(.connecting(.link)) || states.contains(.available) {
                return "Found \(session); connecting."
            }
            return wasConnected
                ? "The server of \(session) is gone; waiting for it to return."
                : "Looking for \(session). It may start later, or its host may open it (key d)."
        }
        if states.contains(.connected) { return "\(crowd) in this session. \(leaving)" }
        if states.contains(.suspect) { return "The others cannot be reached; waiting for them to return. \(leaving)" }
        return "Waiting for others to join. \(leaving)"
    }

    /// What a guest without a job waits for; nil if this node is none or is not connected.
    private var idleness: String? {
        guard mode == .client, role ?? .watches == .watches,
            let host = peers.values.map(\.peer).filter({ $0.state == .connected && $0.mode != .client })
                .min(by: { $0.node < $1.node })
        else { return nil }
        return "Nothing to do: waiting for \(name(host.node)) to start a simulation."
    }

    /// Sets the number of cores with which this node computes.
    mutating func lends(_ cores: Int) {
        lending.own = cores
        lending.note(own, cores)
    }

    var ownCores: Int { lending.own }

    /// The nodes of the session with the cores that compute: this one, those linked to it, and the other nodes of the server.
    private var crowd: String {
        var lent = [own: ownCores]
        for peer in peers.values.map(\.peer) where peer.state == .connected { lent[peer.node] = peer.cores }
        for entry in others.values { lent[entry.node] = entry.cores }
        let cores = lent.values.reduce(0, +)
        let resting = lent.count { $0.value == 0 && lending.rests($0.key) }
        let rest = resting == 0 ? "" : resting == 1 ? ", and 1 that rests," : ", and \(resting) that rest,"
        return "\(lent.count - resting) \(lent.count - resting == 1 ? "node" : "nodes") with "
            + "\(cores == 1 ? "1 core" : "\(cores) cores")\(rest)"
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
