import PotluckRanks

/// The steps of ranks: the calls that the thread of a real rank makes, in the same order and under the same lock.
extension RankStage {
    func play(_ rank: Int) throws(RankLawError) {
        switch players[rank].phase {
        case .free: try begin(rank)
        case .wants(let requests): try wait(rank, requests)
        case .waits(let requests):
            let requests = spoil(requests)
            guard let found = try act(at(rank), { (world) throws(RankError) in try first(of: requests, rank, &world) })
            else { return }
            guard let (request, completion) = found else {
                throw RankLawError(.woken, "rank \(rank) was woken, and none of its requests is complete")
            }
            try finish(rank, request, completion)
        case .probes(let pattern):
            guard try look(rank, pattern) else {
                throw RankLawError(.woken, "rank \(rank) was woken, and no message matches")
            }
            advance(rank)
        case .isAtCheckpoint: advance(rank)
        case .ended: throw RankLawError(.woken, "rank \(rank) has ended")
        }
    }

    private func at(_ rank: Int) -> Int { map.places[rank] }

    /// The rank's step is done.
    private func advance(_ rank: Int) {
        players[rank].phase = .free
        players[rank].next += 1
        go(rank)
    }

    private func begin(_ rank: Int) throws(RankLawError) {
        let player = players[rank]
        guard player.next < player.steps.count else {
            players[rank].phase = .ended
            try act(at(rank)) { (world) throws(RankError) in try world.end(rank) }
            if !setting.isLed, end == nil, players.allSatisfy({ $0.phase == .ended }) { try finish(nil) }
            return
        }
        switch player.steps[player.next] {
        case .send(let sending): try send(rank, sending, isRequest: false)
        case .beginSending(let sending): try send(rank, sending, isRequest: true)
        case .receive(let pattern): try receive(rank, pattern)
        case .beginReceiving(let pattern): try request(rank, pattern)
        case .wait(let any, _):
            guard let oldest = player.open.first else { return advance(rank) }
            try wait(rank, any ? player.open : [oldest])
        case .test:
            guard let oldest = player.open.first else { return advance(rank) }
            let found = try act(at(rank)) { (world) throws(RankError) in
                try world.complete(rank, oldest.number, call: "test")
            }
            guard let found else { return }
            guard let completion = found else { return advance(rank) }
            try finish(rank, oldest, completion)
        case .probe(let pattern): try probe(rank, pattern)
        case .look(let pattern):
            _ = try look(rank, pattern)
            advance(rank)
        case .checkpoint: try checkpoint(rank)
        }
    }

    // MARK: sending

    private func send(_ rank: Int, _ sending: RankSending, isRequest: Bool) throws(RankLawError) {
        let message = spoil(players[rank].message(sending))
        players[rank].sent += 1
        let id = ledger.send(message, to: sending.receiver, sending.mode)
        if map.places[sending.receiver] == at(rank) { try ledger.arrive(id) }
        let sent = try act(at(rank)) { (world) throws(RankError) in
            try world.send(message, to: sending.receiver, sending.mode, wantsRequest: isRequest)
        }
        guard let sent else { return }
        guard let number = sent else {
            try checkSent(id)
            return advance(rank)
        }
        let request = RankPlayer.Request(step: players[rank].next, number: number, message: id)
        if isRequest {
            players[rank].open.append(request)
            advance(rank)
        } else {
            players[rank].phase = .wants([request])
            go(rank)
        }
    }

    // MARK: receiving

    private func receive(_ rank: Int, _ pattern: RankPattern) throws(RankLawError) {
        let step = players[rank].next
        try ledger.ask(rank, step: step, pattern)
        let receipt = try act(at(rank)) { (world) throws(RankError) in
            let receipt = try world.receive(rank, pattern, capacity: .max)
            if case .request(let number) = receipt {
                players[rank].phase = .waits([.init(step: step, number: number, message: nil)])
                _ = try world.park(rank, on: [number], at: now)
            }
            return receipt
        }
        if case .message(let message)? = receipt {
            try received(rank, message, step: step)
            advance(rank)
        }
    }

    private func request(_ rank: Int, _ pattern: RankPattern) throws(RankLawError) {
        let step = players[rank].next
        try ledger.ask(rank, step: step, pattern)
        let number = try act(at(rank)) { (world) throws(RankError) in
            try world.request(rank, pattern, capacity: .max)
        }
        guard let number else { return }
        players[rank].open.append(.init(step: step, number: number, message: nil))
        advance(rank)
    }

    private func received(_ rank: Int, _ message: RankMessage, step: Int) throws(RankLawError) {
        try ledger.receive(message, rank, step: step)
        players[rank].keep(message, of: step)
    }

    private func probe(_ rank: Int, _ pattern: RankPattern) throws(RankLawError) {
        guard try !look(rank, pattern) else { return advance(rank) }
        players[rank].phase = .probes(pattern)
        try act(at(rank)) { (world) throws(RankError) in _ = try world.park(rank, until: pattern, at: now) }
    }

    /// Whether a message matches.
    private func look(_ rank: Int, _ pattern: RankPattern) throws(RankLawError) -> Bool {
        let found = worlds[at(rank)].probe(rank, pattern)
        guard found == ledger.first(rank, pattern).map({ ledger.sent[$0].message.status }) else {
            throw RankLawError(.matching, "rank \(rank) sees another message than the first that matches")
        }
        return found != nil
    }

    // MARK: requests

    private func first(
        of requests: [RankPlayer.Request], _ rank: Int, _ world: inout RankWorld
    ) throws(RankError) -> (RankPlayer.Request, RankWorld.Completion)? {
        for request in requests {
            if let completion = try world.complete(rank, request.number) { return (request, completion) }
        }
        return nil
    }

    private func wait(_ rank: Int, _ requests: [RankPlayer.Request]) throws(RankLawError) {
        let found = try act(at(rank)) {
            (world) throws(RankError) -> (RankPlayer.Request, RankWorld.Completion)? in
            if let found = try first(of: requests, rank, &world) { return found }
            players[rank].phase = .waits(requests)
            _ = try world.park(rank, on: requests.map(\.number), at: now)
            return nil
        }
        if case (let request, let completion)?? = found { try finish(rank, request, completion) }
    }

    /// A request of a rank is complete.
    private func finish(
        _ rank: Int, _ request: RankPlayer.Request, _ completion: RankWorld.Completion
    ) throws(RankLawError) {
        switch (completion, request.message) {
        case (.sent(let octets), let id?):
            guard octets == ledger.sent[id].message.octets.count else {
                throw RankLawError(.whole, "rank \(rank) sent another number of bytes than it has")
            }
            try checkSent(id)
        case (.received(let message), nil): try received(rank, message, step: request.step)
        case (.sent, nil), (.received, _?): throw RankLawError(.woken, "a request of rank \(rank) is another one")
        }
        players[rank].open.removeAll { $0 == request }
        let player = players[rank]
        guard case .wait(_, all: true) = player.steps[player.next], !player.open.isEmpty else { return advance(rank) }
        players[rank].phase = .free
        go(rank)
    }

    // MARK: checkpoints

    private func checkpoint(_ rank: Int) throws(RankLawError) {
        let state = players[rank].state
        players[rank].phase = .isAtCheckpoint
        if setting.isLed { send(.state(rank: rank, state), from: at(rank)) }
        let waits = try act(at(rank)) { (world) throws(RankError) in try world.checkpoint(rank, state, at: now) }
        guard waits == false else { return }
        try checkPass(worlds[0].checkpoints)
        advance(rank)
    }
}
