/// Messages between ranks of different nodes.
extension RankWorld {
    /// Sends a message to a rank of another node.
    mutating func sendAway(
        _ message: RankMessage, to receiver: Int, _ mode: RankSendMode, _ wantsRequest: Bool
    ) throws(RankError) -> Int32? {
        let (sender, octets) = (message.source, message.octets.count)
        let isSentAtOnce = post.sendsAtOnce(message.envelope, to: receiver)
        let waits = mode == .synchronous || mode == .standard && !isSentAtOnce
        let waiting = waits ? try open(sender, .sending(receiver)) : nil
        if isSentAtOnce {
            if let waiting { desks[sender].untaken[message.number] = (waiting, octets) }
            post.send(.message(message, to: receiver, isSynchronous: mode == .synchronous), to: receiver)
        } else {
            try hold(message.envelope)
            desks[sender].offers[message.number] = RankDesk.Offer(
                message: message, receiver: receiver, request: waiting)
            post.send(.offer(message.envelope, to: receiver, isSynchronous: mode == .synchronous), to: receiver)
        }
        if waiting == nil, wantsRequest { return try open(sender, .sent(octets: octets)) }
        return waiting
    }

    /// Answers the node of a message's sender when its message is taken, or has room.
    mutating func answer(_ envelope: RankEnvelope, _ sender: RankDesk.Sender) {
        switch sender {
        case .elsewhere(isSynchronous: true):
            post.send(.taken(source: envelope.source, number: envelope.number), to: envelope.source)
        case .offers: post.send(.ask(source: envelope.source, number: envelope.number), to: envelope.source)
        case .elsewhere(isSynchronous: false), .continues, .waits, .waitsForRoom, .brings: break
        }
    }

    /// Takes a letter of another node. Throws if it fits nothing, or if it ends the program for another reason.
    public mutating func deliver(_ letter: RankLetter, from node: Int) throws(RankError) {
        try post.came(from: node)
        isReported = false
        switch letter {
        case .message(let message, let receiver, let isSynchronous):
            try post.came(message.envelope, receiver, from: node)
            try came(message, receiver, isSynchronous: isSynchronous)
        case .offer(let envelope, let receiver, let isSynchronous):
            try post.came(envelope, receiver, from: node)
            try came(envelope, receiver, isSynchronous: isSynchronous)
        case .ask(let source, let number):
            guard desks.indices.contains(source), let offer = desks[source].offers.removeValue(forKey: number),
                map.isOn(node, offer.receiver)
            else { throw .misfit }
            held -= offer.message.cost
            post.send(
                .octets(offer.message.octets, source: source, number: number, to: offer.receiver), to: offer.receiver)
            if let request = offer.request { sent(source, request, octets: offer.message.octets.count) }
        case .octets(let octets, let source, let number, let receiver):
            guard isOwn(receiver), map.isOn(node, source) else { throw .misfit }
            let name = RankDesk.MessageName(source: source, number: number)
            let (envelope, request) = try desks[receiver].bring(octets, of: name)
            try hold(envelope)
            if let request {
                traffic[receiver].received(octets.count)
                completed(receiver, request)
            }
        case .taken(let source, let number):
            guard desks.indices.contains(source), let sent = desks[source].untaken.removeValue(forKey: number),
                case .sending(let receiver) = desks[source].requests[sent.request], map.isOn(node, receiver)
            else { throw .misfit }
            self.sent(source, sent.request, octets: sent.octets)
        case .received(let rank, let octets):
            guard map.isOn(node, rank) else { throw .misfit }
            try post.returned(octets, by: rank)
        }
    }

    private mutating func came(_ message: RankMessage, _ receiver: Int, isSynchronous: Bool) throws(RankError) {
        let envelope = message.envelope
        try post.arrives(envelope, receiver)
        try hold(envelope)
        guard let (number, capacity) = desks[receiver].receiver(of: envelope) else {
            desks[receiver].hold(message, .elsewhere(isSynchronous: isSynchronous))
            return came(receiver, envelope)
        }
        try fits(envelope, capacity, receiver)
        received(receiver, number, message)
        answer(envelope, .elsewhere(isSynchronous: isSynchronous))
        post.leaves(envelope, receiver)
    }

    private mutating func came(
        _ envelope: RankEnvelope, _ receiver: Int, isSynchronous: Bool
    ) throws(RankError) {
        guard let (number, capacity) = desks[receiver].receiver(of: envelope) else {
            // Each rank has its share, so that they need not be counted together.
            guard desks[receiver].waitingCount < RankLimits.waiting / own.count else {
                throw .pending(rank: envelope.source)
            }
            if desks[receiver].hold(envelope, isSynchronous: isSynchronous) {
                answer(envelope, .offers(isSynchronous: false))
            }
            return came(receiver, envelope)
        }
        try fits(envelope, capacity, receiver)
        desks[receiver].expect(number, envelope)
        answer(envelope, .offers(isSynchronous: isSynchronous))
    }
}
