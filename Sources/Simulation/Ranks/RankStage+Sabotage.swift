import PotluckRanks

/// The changes that a sabotage makes.
extension RankStage {
    /// Returns the letters that arrive in the place of a letter.
    func spoil(_ letter: RankLetter) -> [RankLetter] {
        switch (setting.sabotage, letter) {
        case (.otherBytes, .message(let message, let receiver, let isSynchronous)) where !message.octets.isEmpty:
            return [.message(message.with(octets: changed(message.octets)), to: receiver, isSynchronous: isSynchronous)]
        case (.otherBytes, .octets(let octets, let source, let number, let receiver)) where !octets.isEmpty:
            return [.octets(changed(octets), source: source, number: number, to: receiver)]
        case (.otherTags, .offer(let envelope, let receiver, let isSynchronous)):
            let other = RankEnvelope(
                source: envelope.source, tag: envelope.tag + 1, context: envelope.context, number: envelope.number,
                octets: envelope.octets)
            return [.offer(other, to: receiver, isSynchronous: isSynchronous)]
        case (.lostMessages, .message), (.lostAnswers, .taken), (.lostAnswers, .received): return []
        case (.doubledLetters, _): return [letter, letter]
        case (.hastyOffers, .offer(let envelope, let receiver, _)):
            return [.offer(envelope, to: receiver, isSynchronous: false)]
        case (.untoldSenders, .message(let message, let receiver, _)):
            return [.message(message, to: receiver, isSynchronous: false)]
        default: return [letter]
        }
    }

    private func changed(_ octets: [UInt8]) -> [UInt8] { octets.map { ~$0 } }

    /// Returns the item that arrives in the place of an item; nil if none does.
    func spoil(_ item: Item) -> Item? {
        switch (setting.sabotage, item) {
        case (.otherStates, .state(let rank, let state)): return .state(rank: rank, changed(state))
        case (.lostReports, .report): return nil
        case (.blindReports, .report(let report)):
            let nothing = report.sent.map { _ in 0 }
            return .report(RankReport(standings: report.standings, sent: nothing, received: nothing, open: report.open))
        case (.closedReports, .report(let report)):
            return .report(
                RankReport(standings: report.standings, sent: report.sent, received: report.received, open: nil))
        case (.otherWaits, .report(let report)):
            let standings = report.standings.map { standing in
                if case .waits(.message) = standing { RankReport.Standing.waits(.receiver(0)) } else { standing }
            }
            return .report(
                RankReport(standings: standings, sent: report.sent, received: report.received, open: report.open))
        default: return item
        }
    }

    /// The requests that are complete when a rank is woken that waited for these.
    func spoil(_ requests: [RankPlayer.Request]) -> [RankPlayer.Request] {
        setting.sabotage == .idleWakes ? [] : requests
    }

    /// Returns the message that a rank sends in the place of its message.
    func spoil(_ message: RankMessage) -> RankMessage {
        guard setting.sabotage == .otherNodes, map.places[message.source] > 0 else { return message }
        return message.with(octets: changed(message.octets))
    }
}

extension RankStage.Setting {
    /// The rooms of the worlds, which the laws expect to be `rooms`.
    var worldRooms: RankRooms {
        var wide = rooms
        if sabotage == .wideRooms { wide.room = 8 * rooms.room }
        if sabotage == .wideEagerRooms { (wide.eager, wide.eagerRoom) = (8 * rooms.eager, 8 * rooms.eagerRoom) }
        return wide
    }

    /// The limits that the states of the honest ranks need.
    var stateLimits: RankStateLimits {
        let each = script.ranks.map { RankPlayer.octets(ofState: $0) }
        return RankStateLimits(each: each.max() ?? 0, all: each.reduce(0, +))
    }

    /// The limits of the lead, which the laws expect to be `stateLimits`.
    var leadLimits: RankStateLimits {
        let factor = sabotage == .wideStates ? 8 : 1
        return RankStateLimits(each: factor * stateLimits.each, all: factor * stateLimits.all)
    }
}

extension RankMessage {
    fileprivate func with(octets: [UInt8]) -> RankMessage {
        var other = RankMessage(source: source, tag: tag, context: context, octets: octets)
        other.number = number
        return other
    }
}
