import PotluckCore
import PotluckRanks
import PotluckSystem

/// One attempt to run a program with ranks on nodes of a session, as seen by the node that launched it.
final class LaunchAttempt: Sendable {
    /// A node of the program.
    struct Member: Sendable {
        let node: NodeID
        let name: String
    }

    let launch: UInt64
    let members: [Member]
    private let map: RankMap
    /// The node that passes on frames.
    let relay: Member
    /// The streams to the members, in their order.
    let streams: [RankStream]
    private let order: @Sendable (_ place: Int) -> RankOrder
    /// The states of the checkpoint at which the program begins, by rank; nil if it starts at its beginning.
    private let states: [[UInt8]]?
    private let onOpen: @Sendable () -> Void
    private let printer: LinePrinter
    private let clock = BootClock()
    private let state: Guarded<State>

    private struct State {
        var lead: RankLead
        /// Whether the relay passes on frames, and the orders were sent.
        var isOpen = false
        var rows: [RankRow]
        var output: [UInt8] = []
        var traces: [RankTrace]
        /// When the ranks began, by the clock.
        var begun: Instant?
        var end: End?
        /// The nodes that were lost.
        var lost: Set<NodeID> = []
        /// The node that declined to take part and so ended the program.
        var decliner: NodeID?
        var waiting: CheckedContinuation<Void, Never>?
    }

    private enum End {
        case whole
        case early(RankError)
    }

    /// - Parameters:
    ///   - streams: the streams to the members, in their order.
    ///   - order: the order for each member.
    ///   - limits: how much of the ranks' states is kept.
    ///   - onLine: gets each line that a rank prints. It may wait.
    ///   - onOpen: called when the session takes the program, before the nodes get their orders. It must not wait.
    init(
        _ launch: UInt64, _ map: RankMap, _ members: [Member], relay: Member, streams: [RankStream],
        order: @escaping @Sendable (_ place: Int) -> RankOrder, states: [[UInt8]]?, limits: RankStateLimits,
        onLine: @escaping @Sendable (RankLine) -> Void, onOpen: @escaping @Sendable () -> Void
    ) {
        self.onOpen = onOpen
        (self.launch, self.map, self.members, self.relay, self.streams) = (launch, map, members, relay, streams)
        (self.order, self.states) = (order, states)
        printer = LinePrinter(onLine) { isBusy in for stream in streams { stream.hold(isBusy) } }
        let rows = Array(
            repeating: RankRow(standing: .computes, traffic: RankTraffic(), waits: RankWaits()), count: map.size)
        state = Guarded(
            State(
                lead: RankLead(map, limits), rows: rows,
                traces: Array(repeating: RankTrace(most: RankTrace.most / map.size), count: map.size)))
    }

    // MARK: the course

    /// Waits until the program has ended. Returns the output of rank 0.
    func outcome() async throws(RankError) -> [UInt8] {
        await withCheckedContinuation { continuation in
            let isOver = state.with { state in
                guard state.end == nil else { return true }
                state.waiting = continuation
                return false
            }
            if isOver { continuation.resume() }
        }
        await printer.drained()
        let (end, output) = state.with { ($0.end, $0.output) }
        if case .early(let fault) = end { throw fault }
        return output
    }

    /// The relay passes on frames, so the nodes can get their orders.
    func opened(by node: NodeID) {
        let isFirst = state.with { state in
            guard node == relay.node, !state.isOpen, state.end == nil else { return false }
            state.isOpen = true
            return true
        }
        guard isFirst else { return }
        onOpen()
        for (place, stream) in streams.enumerated() {
            stream.send(.order(order(place)))
            guard let states else { continue }
            for rank in map.ranks(of: place) { stream.send(.state(rank: rank, states[rank])) }
        }
    }

    /// A node takes no part, or the relay passes on no frames. If the relay says this of a node that takes part, that
    /// node is gone.
    func closed(_ why: String, by node: NodeID) {
        let place = members.firstIndex { $0.node == node }
        guard node == relay.node || place != nil else { return }
        if let place, !state.with({ $0.lead.unready.contains(place) }) { return lost(place) }
        let why = RankError.ended(why: "\(name(of: node)): \(why)")
        // A refusal of the relay counts for all nodes.
        if node == relay.node { end(why) } else { declined(why, node) }
    }

    /// A node is gone.
    func lost(_ node: NodeID) {
        if let place = members.firstIndex(where: { $0.node == node }) { lost(place) }
    }

    /// The node that passes on frames is gone.
    func lostRelay() {
        if let place = members.firstIndex(where: { $0.node == relay.node }) { return lost(place) }
        end(.ended(why: "the connection to \(relay.name) broke, which passes on messages"))
    }

    private func lost(_ place: Int) {
        state.with { if $0.end == nil { $0.lost.insert(members[place].node) } }
        end(.lost(ranks: map.ranks(of: place), laptop: members[place].name))
    }

    private func name(of node: NodeID) -> String {
        members.first { $0.node == node }?.name ?? relay.name
    }

    /// The nodes for which the program waits before it begins, by name; empty once it has begun.
    var missing: [String] {
        state.with { state in
            state.end == nil ? state.lead.unready.sorted().map { members[$0].name } : []
        }
    }

    /// Takes an item of a node.
    func took(_ item: RankItem, from node: NodeID) {
        guard let place = members.firstIndex(where: { $0.node == node }) else { return }
        switch item {
        case .ready: act { $0.ready(place) }
        case .report(let report): act { $0.report(report, from: place) }
        case .state(let rank, let octets): act { $0.state(rank, octets, from: place) }
        case .fault(let ending): fault(ending, place)
        case .lost(let other):
            if members.indices.contains(other) { lost(other) } else { end(.misfit) }
        case .line(let rank, let octets, let isError):
            guard isOn(place, rank) else { return end(.misfit) }
            printer.print(RankLine(rank: rank, octets, isError: isError))
        case .rows(let rows):
            let ranks = map.ranks(of: place)
            guard rows.count == ranks.count else { return end(.misfit) }
            state.with { state in for (rank, row) in zip(ranks, rows) { state.rows[rank] = row } }
        case .output(let octets):
            guard isOn(place, 0) else { return end(.misfit) }
            state.with { $0.output = octets }
        case .trace(let rank, let events, let dropped):
            guard isOn(place, rank) else { return end(.misfit) }
            state.with { $0.traces[rank].add(events, dropped: dropped) }
        case .order, .begin, .pass, .end, .letter, .show: end(.misfit)
        }
    }

    private func isOn(_ place: Int, _ rank: Int) -> Bool { map.ranks(of: place).contains(rank) }

    /// A node ends the program. A node that takes no part is named; a rank names itself.
    private func fault(_ ending: RankEnding, _ place: Int) {
        guard ending.rank == nil, state.with({ $0.lead.unready.contains(place) }) else { return end(ending.fault) }
        declined(.ended(why: "\(members[place].name): \(ending.why)"), members[place].node)
    }

    private func declined(_ why: RankError, _ node: NodeID) {
        state.with { if $0.end == nil { $0.decliner = node } }
        end(why)
    }

    /// Ends the program for this reason, unless it has ended.
    func end(_ fault: RankError) { act { $0.end(fault) } }

    private func act(_ event: (inout RankLead) -> RankLead.Decision?) {
        let waiting = state.with { state -> CheckedContinuation<Void, Never>? in
            guard let decision = event(&state.lead) else { return nil }
            // The nodes get decisions in their order, because the lock is held.
            switch decision {
            case .begin:
                state.begun = clock.now
                for stream in streams { stream.send(.begin) }
                return nil
            case .pass:
                for stream in streams { stream.send(.pass) }
                return nil
            case .end(let fault):
                for stream in streams { stream.send(.end) }
                state.end = fault.map(End.early) ?? .whole
                defer { state.waiting = nil }
                return state.waiting
            }
        }
        waiting?.resume()
    }

    // MARK: what it shows

    /// The states of the last complete checkpoint, by rank; nil if there is none.
    var checkpoint: [[UInt8]]? { state.with { $0.lead.checkpoints.last } }

    var traces: [RankTrace] { state.with { $0.traces } }

    /// The node that takes no part, if that ended the program.
    var decliner: NodeID? { state.with { $0.decliner } }

    var isResumed: Bool { states != nil }

    /// The nodes that were lost.
    var lost: Set<NodeID> { state.with { $0.lost } }

    var picture: RankPicture {
        let now = clock.now
        return state.with { state in
            RankPicture(
                elapsed: state.begun.map { now - $0 } ?? .zero,
                ranks: state.rows.map { RankPicture.Rank($0, now: now) },
                checkpoints: state.lead.checkpoints.count, now: now, laptops: map.places.map { members[$0].name })
        }
    }

    /// The program as everybody in the session sees it.
    func show(_ name: String, launcher: String, restarts: Bool) -> RankShow {
        let picture = picture
        return state.with { state in
            let standing: RankShow.State =
                switch state.end {
                case nil: .running
                case .whole: .ended
                case .early(.lost(let ranks, let laptop)) where restarts:
                    .failed("\(RankError.lost(ranks: ranks, laptop: laptop)); it starts again from its last checkpoint")
                case .early(let fault): .failed(fault.description)
                }
            return RankShow(
                name: name, launcher: launcher, state: standing, elapsed: picture.elapsed,
                checkpoints: picture.checkpoints, rows: state.rows, laptops: picture.laptops)
        }
    }
}

extension RankPicture.Rank {
    init(_ row: RankRow, now: Instant) {
        let activity: RankActivity =
            switch row.standing {
            case .computes: .computing
            case .waits(let cause, let time): .waiting(cause, since: .start + max(.zero, now - .start - time))
            case .ended: .ended
            }
        self.init(activity: activity, traffic: row.traffic, waits: row.waits)
    }
}
