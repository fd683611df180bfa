import PotluckCore
import PotluckRanks
import PotluckSystem

/// This node's share of a program with ranks that another node has launched.
final class RankSite: Sendable {
    let order: RankOrder
    /// The node that launched the program.
    let lead: NodeID
    private let own: RankStream
    /// The streams to the program's other nodes, by their place; nil for this node.
    private let others: [RankStream?]
    private let room: RankRoom
    private let crew: RankCrew
    private let priority: Priority
    private let state = Guarded(State.preparing)
    /// The seats whose timelines are sent.
    private let timelines = Guarded<[RankSeat]>([])

    private enum State {
        /// The program is compiled.
        case preparing
        case ready(RankCrew.Program)
        case running, over
    }

    /// - Parameters:
    ///   - own: the stream to the lead.
    ///   - others: the streams to the program's other nodes, by their place.
    init(
        _ order: RankOrder, lead: NodeID, own: RankStream, others: [RankStream?], cores: Int,
        priority: Priority
    ) {
        (self.order, self.lead, self.own, self.others, self.priority) = (order, lead, own, others, priority)
        let timelines = timelines
        let room = RankRoom(
            RankWorld(order.map, node: order.own), cores: cores, restored: nil,
            outlet: RankRoom.Outlet(
                queue: { letters, items in
                    for (node, letter) in letters { others[node]?.queue(.letter(letter)) }
                    for item in items { own.queue(item) }
                },
                flush: {
                    for stream in others { stream?.flush() }
                    own.flush()
                },
                fail: { fault in
                    Self.send(timelines.with { $0 }, on: own)
                    own.send(.fault(RankEnding(fault)))
                }))
        self.room = room
        crew = RankCrew(
            room,
            seats: order.map.ranks(of: order.own).map { rank in
                RankSeat(
                    rank, room, isTraced: order.program.isTraced, isSynchronous: order.program.isSynchronous
                ) { line in Self.send(line, on: own) }
            })
        timelines.with { $0 = crew.seats }
    }

    /// Sends a line to the lead. The rank waits while much is on its way there.
    private static func send(_ line: RankLine, on stream: RankStream) {
        stream.send(.line(rank: line.rank, line.octets, isError: line.isError))
        let gate = RankGate(hasCore: false)
        stream.whenShort { gate.open() }
        gate.wait { .start }
    }

    /// Sends new events of the ranks' timelines to the lead.
    private static func send(_ seats: [RankSeat], on stream: RankStream) {
        for seat in seats {
            guard let new = seat.takeNewEvents() else { continue }
            for part in new.parts { stream.send(.trace(rank: seat.rank, part, dropped: new.dropped)) }
        }
    }

    /// The program is compiled, or cannot run here.
    func prepared(_ program: Result<RankCrew.Program, RankError>) {
        switch program {
        case .success(let program):
            let isWanted = state.with { state in
                guard case .preparing = state else { return false }
                state = .ready(program)
                return true
            }
            if isWanted { own.send(.ready) }
        case .failure(let fault): room.fail(fault)
        }
    }

    /// How often the lead is told what the ranks do.
    private static let rowsEvery = 5
    /// The lead is told that no rank computes once that has lasted this long. A rank that only waits for an answer of
    /// another node must not cost a message each time.
    private static let pulse = Duration.milliseconds(50)

    /// Takes an item of the lead.
    func tookFromLead(_ item: RankItem) {
        switch item {
        case .begin:
            let program = state.with { state -> RankCrew.Program? in
                guard case .ready(let program) = state else { return nil }
                state = .running
                return program
            }
            guard let program else { return }
            guard crew.seats.allSatisfy({ (room.restored($0.rank) != nil) == order.isResumed }) else {
                return room.fail(.misfit)
            }
            Task { await run(program) }
        case .state(let rank, let octets):
            let isEarly = state.with { if case .running = $0 { false } else { true } }
            guard isEarly, order.isResumed, order.map.isOn(order.own, rank) else { return room.fail(.misfit) }
            guard octets.count <= order.memoryOfRank else {
                return room.fail(
                    .ended(
                        why:
                            "rank \(rank) kept \(octets.count >> 20) MiB, but has only \(order.memoryOfRank >> 20) MiB "
                            + "of memory here; launch fewer ranks"))
            }
            room.restore(rank, octets)
        case .pass:
            _ = try? room.with { (world) throws(RankError) in try world.passCheckpoint() }
        case .end: end()
        default: room.fail(.misfit)
        }
    }

    /// The program ends early for this reason.
    func fail(_ fault: RankError) { room.fail(fault) }

    /// Takes an item of another node of the program.
    func took(_ item: RankItem, from node: Int) {
        guard case .letter(let letter) = item else { return room.fail(.misfit) }
        room.deliver(letter, from: node)
    }

    /// The link to another one of the program's nodes is lost.
    func lost(_ node: NodeID) {
        guard let place = order.nodes.firstIndex(of: node), place != order.own else { return }
        own.send(.lost(node: place))
    }

    private func run(_ program: @escaping RankCrew.Program) async {
        let pulse = Task { await tellRegularly() }
        defer { pulse.cancel() }
        room.begin()
        let output = await crew.run(priority: priority, program)
        guard room.fault == nil else { return }
        own.send(.rows(room.rows))
        Self.send(crew.seats, on: own)
        if order.map.isOn(order.own, 0) {
            guard output.count <= RankLimits.output else {
                return room.fail(
                    .ended(
                        why:
                            "rank 0 wrote \(output.count >> 20) MiB, but at most \(RankLimits.output >> 20) MiB travel; "
                            + "write less, or launch without --session"))
            }
            own.send(.output(output))
        }
        // From now on each letter leads to a new report.
        room.finish()
    }

    /// Tells the lead what the ranks do, until they have ended.
    private func tellRegularly() async {
        var count = 0
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.pulse)
            // While the lead takes nothing, its queue must not grow. It is told the rest later.
            guard own.isShort else { continue }
            // A report may end the program, so it comes after what happened before.
            Self.send(crew.seats, on: own)
            room.report()
            count += 1
            if count.isMultiple(of: Self.rowsEvery) { own.send(.rows(room.rows)) }
        }
    }

    /// Ends the ranks, and sends nothing more.
    func end() {
        state.with { $0 = .over }
        own.close()
        for stream in others { stream?.close() }
        room.fail(.stopped)
    }
}
