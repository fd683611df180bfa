import PotluckCore
import PotluckNet
import PotluckRanks
import PotluckSystem

/// The items of one launch between this node and another one, in both directions. Items are cut into parts, and only a
/// window of them is on its way, so that no link and no relay has to keep more. Any thread may use it.
final class RankStream: Sendable {
    /// The most bytes of parts on their way: what a link of 1 GB/s carries in two milliseconds.
    static let window: UInt64 = 2 << 20
    /// Bytes of parts on their way to one node from all others of a program. A link keeps four times as much, and a node
    /// may launch four programs.
    private static let allWindows = UInt64(LinkLimits.bulkBacklog / 4)
    /// Bytes that wait to be sent before the ranks' own lines wait, too.
    static let backlog = 4 << 20
    /// Bytes of the longest item: the longest message or state of a rank, or an order with its module, its tables and a
    /// few states. The rest of an item is short.
    static let longestItem = RankLimits.message + (1 << 20)
    /// The most parts of an item. Each keeps the message that it came in, so that many short ones must not pile up.
    private static let mostParts = 2 * longestItem / RankFrame.longestPart

    /// How frames get to the other node.
    struct Route: Hashable, Sendable {
        let link: LinkID
        /// The other node, if the one at the end of the link passes frames on to it.
        let target: NodeID?
    }

    /// Bytes of parts on their way between two nodes of a program with this many nodes, so that all of them can send to
    /// one at once.
    static func window(nodes: Int) -> UInt64 { min(window, allWindows / UInt64(max(1, nodes))) }

    private struct State {
        /// Bytes of parts that may be on their way.
        var window: UInt64
        var waiting = RankQueue()
        /// Bytes of parts that were sent, and that have arrived.
        var sent: UInt64 = 0
        var arrived: UInt64 = 0
        /// The next item from the other node.
        var unfinished = RankItemParts()
        /// Bytes of parts that have arrived here, and that were acknowledged.
        var received: UInt64 = 0
        var told: UInt64 = 0
        /// The route of the last part, in the other direction. Acknowledgements take it, because a node on the way
        /// counts both.
        var back: Route
        var isHeld = false
        var isClosed = false
        /// Actions that wait until the backlog is short.
        var blocked: [@Sendable () -> Void] = []
    }

    let launch: UInt64
    let route: Route
    private let send: @Sendable (RankFrame, LinkID) -> Void
    private let state: Guarded<State>
    /// The room that all streams of a program share for unfinished items; nil if each may keep its longest.
    private let room: SharedRoom?

    /// - Parameters:
    ///   - nodes: the number of the program's nodes; the most while it is not known.
    ///   - send: sends a frame on a link. It must not wait.
    init(
        _ launch: UInt64, _ route: Route, nodes: Int = RankFrame.mostNodes, room: SharedRoom? = nil,
        _ send: @escaping @Sendable (RankFrame, LinkID) -> Void
    ) {
        (self.launch, self.route, self.room, self.send) = (launch, route, room, send)
        state = Guarded(State(window: Self.window(nodes: nodes), back: route))
    }

    /// Sets the number of the program's nodes.
    func serves(nodes: Int) { state.with { $0.window = Self.window(nodes: nodes) } }

    // MARK: sending

    func send(_ item: RankItem) {
        queue(item)
        flush()
    }

    /// Queues an item without sending it.
    func queue(_ item: RankItem) {
        state.with { if !$0.isClosed { $0.waiting.add(item) } }
    }

    /// Sends the queue, as far as the window allows.
    func flush() {
        let freed = state.with { state -> [@Sendable () -> Void] in
            while !state.isClosed, state.sent - state.arrived < state.window,
                let (part, isLast) = state.waiting.next(RankFrame.longestPart)
            {
                state.sent += UInt64(part.count)
                post(.part(part, isLast: isLast), along: route)
            }
            guard state.isClosed || state.waiting.octets < Self.backlog else { return [] }
            defer { state.blocked = [] }
            return state.blocked
        }
        for action in freed { action() }
    }

    /// Calls an action once little is waiting to be sent, or the stream is closed.
    func whenShort(_ action: @escaping @Sendable () -> Void) {
        let isShort = state.with { state in
            guard !state.isClosed, state.waiting.octets >= Self.backlog else { return true }
            state.blocked.append(action)
            return false
        }
        if isShort { action() }
    }

    /// Sends nothing more.
    func close() {
        state.with { state in
            state.isClosed = true
            state.waiting = RankQueue()
        }
        flush()
    }

    private func post(_ content: RankFrame.Content, along route: Route) {
        send(RankFrame(launch: launch, target: route.target, content: content), route.link)
    }

    /// The other node has received this many bytes of parts.
    func arrived(_ octets: UInt64) throws(RankError) {
        let isRight = state.with { state in
            guard octets <= state.sent else { return false }
            state.arrived = max(state.arrived, octets)
            return true
        }
        guard isRight else { throw .misfit }
        flush()
    }

    // MARK: receiving

    /// Takes a part. Returns the item that it completes.
    ///
    /// - Parameter back: the way back to its sender.
    func took(_ part: ArraySlice<UInt8>, isLast: Bool, _ back: Route) throws(RankError) -> RankItem? {
        let outcome = state.with { state -> Result<RankItem?, WireError>? in
            state.received += UInt64(part.count)
            state.back = back
            guard state.received - state.told <= Self.window + UInt64(RankFrame.longestPart),
                state.unfinished.octets + part.count <= Self.longestItem, state.unfinished.count < Self.mostParts,
                room?.take(part.count) ?? true
            else { return nil }
            tell(&state)
            if isLast { room?.giveBack(state.unfinished.octets + part.count) }
            return Result { () throws(WireError) in try state.unfinished.add(part, isLast: isLast) }
        }
        guard case .success(let item)? = outcome else { throw .misfit }
        return item
    }

    /// Whether little is waiting to be sent.
    var isShort: Bool { state.with { $0.waiting.octets < Self.backlog } }

    /// While it is held, the other node gets no acknowledgements, and waits once its window is full.
    func hold(_ isHeld: Bool) {
        state.with { state in
            state.isHeld = isHeld
            tell(&state)
        }
    }

    private func tell(_ state: inout State) {
        // A quarter of the window, so that the sender need not wait for it.
        guard !state.isHeld, state.received - state.told >= state.window / 4 else { return }
        state.told = state.received
        post(.received(state.received), along: state.back)
    }
}

/// The items that wait to be sent, in order.
private struct RankQueue {
    /// An item in pieces, the last of which is marked. A long one shares its bytes with its message.
    private var pieces: [(octets: [UInt8], isLast: Bool)] = []
    /// The pieces before this one were sent.
    private var first = 0
    /// Bytes of the first piece that were sent.
    private var offset = 0
    private(set) var octets = 0

    mutating func add(_ item: RankItem) {
        let (head, tail) = item.pieces
        pieces.append((head, tail.isEmpty))
        if !tail.isEmpty { pieces.append((tail, true)) }
        octets += head.count + tail.count
    }

    /// The next part of at most this many bytes, and whether it ends its item.
    mutating func next(_ most: Int) -> (part: ArraySlice<UInt8>, isLast: Bool)? {
        guard first < pieces.count else { return nil }
        let piece = pieces[first]
        let part = piece.octets[offset..<min(piece.octets.count, offset + most)]
        octets -= part.count
        offset += part.count
        guard offset == piece.octets.count else { return (part, false) }
        pieces[first].octets = []
        (first, offset) = (first + 1, 0)
        if first == pieces.count || first > Self.mostSent {
            pieces.removeFirst(first)
            first = 0
        }
        return (part, piece.isLast)
    }

    /// Removing many places at once costs little for each.
    private static let mostSent = 1024
}
