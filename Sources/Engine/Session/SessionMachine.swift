import PotluckCore

/// Makes all decisions of a node about a session: which nodes to dial and to admit, which are connected, and which of
/// two links to keep.
///
/// It has no socket, no key and no clock. The same events at the same times have the same effects, so a test runs a
/// room full of nodes in one thread on a virtual clock.
///
/// `+Links` handles links from dial to peer, `+Members` other nodes, `+Dialling` which nodes to dial,
/// `+ReliableMessages` messages, `+Requests` the user's requests, `+Time` timeouts.
struct SessionMachine: Sendable {
    /// An address that the user gave, and the node that answers there.
    struct FixedAddress: Sendable {
        let host: String
        let port: UInt16
        var node: NodeID?
        var nextDial: Instant
        var backOff = BackOff()
        var isReported = false
        /// How often in a row the code was wrong there.
        var wrongCodes = 0
    }

    /// A node that was removed, with every address at which it was seen. A node with that ID or at one of those
    /// addresses needs consent to return.
    struct Removed: Equatable, Sendable {
        let node: NodeID
        let addresses: Set<[UInt8]>

        func isLike(_ other: NodeID, at places: Set<[UInt8]>) -> Bool {
            node == other || !addresses.isDisjoint(with: places)
        }
    }

    public let setup: SessionSetup
    var members = OrderedTable<NodeID, Member>()
    var links = OrderedTable<LinkName, LinkState>()
    var addresses: [FixedAddress] = []
    var removed: [Removed] = []
    /// The nodes that the user has approved, the oldest first. They return without a question, because each hello proves
    /// the ID of its node. Removing a node ends its approval.
    var approved: [NodeID]
    var choice = SessionChoice()
    /// The warnings that the user got and does not get again.
    var told = ToldUser()
    /// Whether newcomers are taken.
    var isAvailable = true
    /// The role of this node.
    var role: Role
    /// When the roster is sent next.
    var rosterAt: Instant?
    var names = MemberNames()
    var random: SeededGenerator
    /// The outputs of the event that is being handled, in order.
    var outputs: [SessionOutput] = []
    /// The peers whose link was replaced in this event. Messages about jobs on the old link may be lost.
    var relinked: [NodeID] = []
    var isOver = false
    /// Whether this node was ever connected. Then its code is right and other codes are wrong.
    var wasConnected = false

    private var numbers = SessionNumbers()
    /// When the session began on this node.
    private(set) var begun: Instant
    var wakeUp: WakeUp

    init(_ setup: SessionSetup, now: Instant) {
        self.setup = setup
        role = setup.mode == .client ? .watches : .hosts
        approved = setup.approved.suffix(SessionLimits.approvedNodes)
        random = SeededGenerator(seed: setup.seed)
        begun = now
        wakeUp = WakeUp(now: now)
    }

    /// Handles an event, at a time that never goes backwards. Returns its outputs in order.
    mutating func handle(_ event: SessionEvent, at now: Instant) -> [SessionOutput] {
        guard !isOver else { return [] }
        if wakeUp.begin(now) { slept(now) }
        relinked = []
        switch event {
        case .sighted(let change): sighted(change, now)
        case .opened(let link, let address): opened(link, address, now)
        case .greeted(let link, let introduction, let node): greeted(link, introduction, node, now)
        case .received(let link, let message): received(link, message, now)
        case .closed(let link, let loss): closed(link, loss, now)
        case .wanted(let request): wanted(request, now)
        case .woke: break
        }
        if !wakeUp.isSettled, !isOver {
            wakeUp.isSettled = true
            if let due = wakeUp.next(doWhatIsDue(now)) { outputs.append(.wake(at: due)) }
        }
        defer { outputs = [] }
        return outputs
    }

    /// The peers, in order of ID.
    var peers: [Peer] {
        members.elements.compactMap(\.value.told).sorted { $0.node < $1.node }
    }

    mutating func newDial() -> UInt64 { numbers.newDial() }

    mutating func newRow() -> UInt64 { numbers.newRow() }

    mutating func end(_ end: SessionEnd) {
        for (link, state) in links.elements {
            if case .established = state, end == .left { send(link, .goodbye(.leaving)) }
            emit(.close(link))
        }
        links = OrderedTable()
        emit(.ended(end))
        isOver = true
    }

    mutating func send(_ link: LinkName, _ message: Message, reliably: Bool = true) {
        emit(.send(link, message, reliably: reliably))
    }

    mutating func emit(_ effect: SessionEffect) { outputs.append(.effect(effect)) }

    mutating func trouble(_ trouble: SessionTrouble) { emit(.trouble(trouble)) }
}
