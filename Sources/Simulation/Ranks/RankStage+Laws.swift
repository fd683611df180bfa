import PotluckRanks

/// The laws that each program must keep, whatever the delays. Each compares the worlds and the lead with the ledger and
/// the scripts.
extension RankStage {
    /// After each event: the bytes of each message are in one place.
    func checkBytes() throws(RankLawError) {
        guard isUp.allSatisfy({ $0 }) else { return }
        let there = worlds.reduce(flying.octets) { $0 + $1.held }
        if there != ledger.unreceived {
            throw RankLawError(.kept, "\(there) bytes are there, of \(ledger.unreceived) that nobody has received")
        }
    }

    /// Messages that came at once from a node and wait at a rank have room.
    func checkEager(_ rank: Int, from node: Int) throws(RankLawError) {
        let octets = ledger.waitingBytes(rank) { $0.isEager && map.places[$0.message.source] == node }
        if octets > setting.rooms.eagerRoom {
            throw RankLawError(.bounded, "\(octets) bytes of node \(node) that came at once wait at rank \(rank)")
        }
    }

    /// A node that sends to a rank knows how much the rank has received of messages that came at once, but for a rest.
    private func checkTold() throws(RankLawError) {
        for rank in players.indices {
            for (node, told) in told[rank].enumerated() {
                let taken = ledger.sent.reduce(0) { sum, sent in
                    let counts = sent.receiver == rank && sent.isEager && sent.isTaken
                    return counts && map.places[sent.message.source] == node ? sum + sent.message.cost : sum
                }
                guard (0..<setting.rooms.eagerReturn).contains(taken - told) else {
                    throw RankLawError(.bounded, "rank \(rank) told node \(node) of \(told) bytes, not \(taken)")
                }
            }
        }
    }

    /// Messages that were asked for and wait at a rank have room, but for one message.
    func checkRoom(_ rank: Int) throws(RankLawError) {
        let octets = ledger.waitingBytes(rank, \.isAsked)
        let largest = ledger.waiting[rank].map { ledger.sent[$0].message.cost }.max() ?? 0
        if octets > setting.rooms.room + largest {
            throw RankLawError(.bounded, "\(octets) bytes that wait at rank \(rank) were asked for")
        }
    }

    /// A send of this message is complete.
    func checkSent(_ id: Int) throws(RankLawError) {
        let sent = ledger.sent[id]
        if sent.mode == .synchronous, !sent.isTaken {
            throw RankLawError(
                .synchronous, "message \(sent.message.number) of rank \(sent.message.source) is not taken")
        }
    }

    // MARK: ends

    /// All ranks have ended.
    func checkEnd() throws(RankLawError) {
        if let player = players.first(where: { $0.phase != .ended }) {
            throw RankLawError(.ends, "rank \(player.rank) has not ended")
        }
        if flying.letters > 0 { throw RankLawError(.ends, "\(flying.letters) letters are on their way") }
        try checkTold()
        guard ledger.unreceived == 0 else { return }
        if let world = worlds.first(where: { $0.held != 0 }) {
            throw RankLawError(.kept, "a world has \(world.held) bytes, though all were received")
        }
        for rank in players.indices {
            let sent = ledger.sent.filter { $0.message.source == rank }.map(\.message.octets.count)
            let received = ledger.sent.filter { $0.receiver == rank }.map(\.message.octets.count)
            let traffic = worlds[map.places[rank]].traffic[rank]
            let counts = [traffic.messagesSent, traffic.octetsSent, traffic.messagesReceived, traffic.octetsReceived]
            if counts != [sent.count, sent.reduce(0, +), received.count, received.reduce(0, +)] {
                throw RankLawError(.kept, "rank \(rank) has counted \(counts)")
            }
        }
    }

    /// Nothing changes after the end.
    func checkOver(_ item: Item, from node: Int) throws(RankLawError) {
        var decisions = [lead.ready(node), lead.end(.stopped)]
        if case .report(let report) = item { decisions.append(lead.report(report, from: node)) }
        if decisions.contains(where: { $0 != nil }) || !lead.isOver {
            throw RankLawError(.ends, "something was decided after the end")
        }
    }

    /// No rank can continue, and each has the wait that the lead says.
    func checkDeadlock(_ waits: [RankWait]) throws(RankLawError) {
        if flying.letters > 0 { throw RankLawError(.deadlock, "\(flying.letters) letters are on their way") }
        for player in players { if let why = whyItGoesOn(player) { throw RankLawError(.deadlock, why) } }
        let expected = players.compactMap { player in
            player.cause.map { RankWait(rank: player.rank, cause: $0, ended: ended(for: $0)) }
        }
        if waits != expected { throw RankLawError(.deadlock, "waits are \(waits), not \(expected)") }
        if waits.isEmpty { throw RankLawError(.deadlock, "nobody waits") }
    }

    private func ended(for cause: RankActivity.Cause) -> Int? {
        switch cause {
        case .message(let pattern): pattern.source.flatMap { players[$0].phase == .ended ? $0 : nil }
        case .receiver(let rank): players[rank].phase == .ended ? rank : nil
        case .requests: nil
        case .checkpoint: players.firstIndex { $0.phase == .ended }
        }
    }

    /// Why a rank can continue; nil if it cannot.
    private func whyItGoesOn(_ player: RankPlayer) -> String? {
        let rank = player.rank
        switch player.phase {
        case .free, .wants: return "rank \(rank) does not wait"
        case .ended: return nil
        case .isAtCheckpoint:
            return players.contains { $0.phase != .isAtCheckpoint } ? nil : "all ranks are at a checkpoint"
        case .probes(let pattern):
            return ledger.canCome(rank, pattern) ? "a message comes for which rank \(rank) looks" : nil
        case .waits(let requests):
            return requests.contains { canComplete($0, rank) } ? "a request of rank \(rank) can be complete" : nil
        }
    }

    private func canComplete(_ request: RankPlayer.Request, _ rank: Int) -> Bool {
        guard let id = request.message else {
            let asked = ledger.asked.first { $0.rank == rank && $0.step == request.step }
            return asked.map { $0.took != nil || ledger.canCome(rank, $0.pattern) } ?? false
        }
        let sent = ledger.sent[id]
        return switch sent.mode {
        case .synchronous: sent.isTaken
        case .standard: sent.isTaken || ledger.roomTaken(without: id) < setting.rooms.room
        case .buffered: true
        }
    }

    // MARK: checkpoints

    /// All ranks are at a checkpoint, and nothing is open.
    func checkPass(_ checkpoints: RankCheckpoints) throws(RankLawError) {
        passed.append(players.map(\.state))
        guard players.allSatisfy({ $0.phase == .isAtCheckpoint }) else {
            throw RankLawError(.checkpoint, "a rank is not there")
        }
        if flying.letters > 0 { throw RankLawError(.checkpoint, "\(flying.letters) letters are on their way") }
        if ledger.unreceived > 0 || players.contains(where: { !$0.open.isEmpty }) {
            throw RankLawError(.checkpoint, "something is open")
        }
        if checkpoints.last != passed.last || checkpoints.count != passed.count {
            throw RankLawError(.checkpoint, "its states are others")
        }
    }

    /// All ranks are at a checkpoint, and this one is the first for which something is open.
    func checkOpen(_ rank: Int, messages: Int, requests: Int) throws(RankLawError) {
        guard players.allSatisfy({ $0.phase == .isAtCheckpoint }) else {
            throw RankLawError(.checkpoint, "a rank is not there, and another one ended the program")
        }
        let first = players.indices.first { !players[$0].open.isEmpty || !ledger.waiting[$0].isEmpty }
        guard first == rank, ledger.waiting[rank].count == messages, players[rank].open.count == requests else {
            throw RankLawError(.checkpoint, "rank \(rank) has other open messages and requests")
        }
    }
}
