import PotluckRanks

/// The reports to the lead, and its decisions.
extension RankStage {
    func look(_ node: Int) {
        guard isUp[node], let report = worlds[node].takeReport() else { return }
        send(.report(report), from: node)
    }

    func lead(_ item: Item, from node: Int) throws(RankLawError) {
        let decision =
            switch item {
            case .ready: lead.ready(node)
            case .state(let rank, let state): lead.state(rank, state, from: node)
            case .report(let report): lead.report(report, from: node)
            case .lost: lead.end(.ended(why: Self.loss))
            }
        guard let decision else { return }
        switch decision {
        case .begin: send(decision)
        case .pass:
            try checkPass(lead.checkpoints)
            send(decision)
        case .end(.ended(why: Self.loss, _)): finish(.ended(why: Self.loss), lead.checkpoints)
        case .end(let fault):
            try finish(fault)
            try checkOver(item, from: node)
        }
    }

    /// Why a program ends that has lost a node.
    private static let loss = "lost"

    /// A node's part has ended early.
    func ended(_ node: Int, _ fault: RankError) throws(RankLawError) {
        guard !setting.isLed else { throw RankLawError(.reason, "\(fault) at node \(node)") }
        try finish(fault)
    }

    /// The program has ended for a reason of its own, which must be true.
    func finish(_ fault: RankError?) throws(RankLawError) {
        switch fault {
        case nil: try checkEnd()
        case .deadlock(let waits): try checkDeadlock(waits)
        case .openAtCheckpoint(let rank, let messages, let requests):
            try checkOpen(rank, messages: messages, requests: requests)
        case let fault?: throw RankLawError(.reason, "\(fault)")
        }
        finish(fault, setting.isLed ? lead.checkpoints : worlds[0].checkpoints)
    }

    private func finish(_ fault: RankError?, _ checkpoints: RankCheckpoints) {
        end = RankEnd(fault: fault, slots: players.map(\.slots), states: checkpoints.last ?? setting.states)
    }
}
