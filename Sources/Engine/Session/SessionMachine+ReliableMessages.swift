import PotluckCore

/// Messages between connected nodes, and the messages of the handshake.
extension SessionMachine {
    /// Handles a message. A message that does not fit the state of its link breaks the protocol.
    mutating func received(_ link: LinkName, _ message: Message, _ now: Instant) {
        guard let state = links[link] else { return }
        switch (message, state) {
        case (.decline(let reason), _): declined(link, state, reason, now)
        case (.goodbye(let reason), .established(let node, _, _)): farewell(node, reason, now)
        case (.goodbye, _):
            closed(link, .lost, now)
            emit(.close(link))
        // A client has no user who admits nodes.
        case (.hold, .greeted(let greeted)) where members[greeted.node]?.mode != .client:
            guard greeted.wait == .link else { return }
            wakeUp.isSettled = false
            changeGreeted(link) { $0.wait = .theirHost }
        case (.welcome(let welcome), .greeted(let greeted)) where greeted.welcome == nil:
            wakeUp.isSettled = false
            changeGreeted(link) {
                $0.welcome = welcome
                if $0.wait == .theirHost { ($0.wait, $0.since) = (.link, now) }
            }
            establish(link, now)
        case (.parcel(let parcel), .established(let node, _, _)): parcelCame(parcel, link, node, now)
        case (.received(let number), .established(let node, _, _)):
            var isRight = true
            members.change(node) { isRight = $0.outbox.acknowledged(upTo: number) }
            if !isRight { broken(link, "an acknowledgement of a message that was never sent", now) }
        case (.roster(let entries), .established(let node, _, _)):
            if setup.mode == .client, members[node]?.mode == .server { emit(.roster(entries)) }
        case (.job(let message), .established(let node, _, _)):
            // Messages over a link that is being replaced are dropped; none that matters is lost.
            guard members[node]?.isConnected == true else { break }
            if case .cores(let cores) = message { lends(node, cores, now) }
            outputs.append(.job(message, from: node))
        case (.role(let role), .established(let node, _, _)):
            if setup.mode == .client, members[node]?.mode != .client { setRole(role) }
        // The session's shell takes these before the engine sees them. They change nothing here.
        case (.ranks, .established): break
        case (.hold, _), (.welcome, _), (.parcel, _), (.received, _), (.roster, _), (.role, _), (.job, _), (.ranks, _),
            (.hello, _):
            broken(link, "a message at the wrong stage of the link", now)
        }
    }

    /// Returns the effects that send a message about jobs to a peer; empty if the peer has no link. A picture of a
    /// running job may be dropped, because the next one replaces it.
    func send(_ message: JobMessage, to node: NodeID) -> [SessionEffect] {
        guard case .connected(let link, _)? = members[node]?.standing else { return [] }
        let isRepeated = if case .picture(let picture) = message { picture.state.isRepeated } else { false }
        return message.pieces.map { .send(link, .job($0), reliably: !isRepeated) }
    }

    /// Returns the address that a connected peer's link comes from; nil if the peer has no link.
    func address(of node: NodeID) -> [UInt8]? {
        guard case .connected(let link, _)? = members[node]?.standing,
            case .established(_, let address, _)? = links[link]
        else { return nil }
        return address
    }

    /// Returns what a peer may do here; nil for an unknown node.
    func role(of node: NodeID) -> Role? { members[node]?.role }

    mutating func setRole(_ role: Role) {
        guard role != self.role else { return }
        self.role = role
        emit(.role(role))
    }

    // MARK: Ends

    /// The other node declined the link. It is dialled again after a while.
    private mutating func declined(_ link: LinkName, _ state: LinkState, _ reason: DeclineReason, _ now: Instant) {
        closed(link, .lost, now)
        emit(.close(link))
        guard !isOver, let node = state.meant, reason != .duplicate else { return }
        members.change(node) { $0.nextDial = now + SessionLimits.retryRefused }
        for index in addresses.indices where addresses[index].node == node {
            addresses[index].nextDial = now + SessionLimits.retryRefused
        }
        switch reason {
        case .host: if setup.mode == .client { end(.declined) }
        case .version: trouble(.version(node, name: members[node]?.name ?? node.short))
        case .full: trouble(.full(node))
        case .unavailable: trouble(.unavailable(node))
        default: break
        }
    }

    /// Forgets a peer that said goodbye, or ends the session if the peer removed this node.
    private mutating func farewell(_ node: NodeID, _ reason: GoodbyeReason, _ now: Instant) {
        wakeUp.isSettled = false
        // Only a host can remove other nodes.
        if reason == .removed, setup.mode != .server, members[node]?.mode != .client { return end(.removed) }
        gone(node, .left)
        rosterChanged(now)
    }

    // MARK: Parcels

    /// Continues the parcels on a new link: sends again those that the peer has not received. If the peer no longer
    /// knows this node, they are dropped and the user is told.
    mutating func resume(_ link: LinkName, _ node: NodeID, _ welcome: Welcome) {
        guard var member = members[node] else { return }
        if member.receivedParcels.row != 0, member.receivedParcels.row != welcome.row {
            let messages = member.outbox.drop()
            if messages > 0 { trouble(.lost(node, messages: messages)) }
        } else if welcome.receivedRow == member.outbox.row {
            _ = member.outbox.acknowledged(upTo: welcome.received)
        }
        member.receivedParcels.begin(row: welcome.row)
        members[node] = member
        for parcel in member.outbox.waiting { send(link, .parcel(parcel)) }
    }

    /// Handles a parcel: acknowledges it, drops a repeated one, and delivers its content.
    private mutating func parcelCame(_ parcel: Parcel, _ link: LinkName, _ node: NodeID, _ now: Instant) {
        if let number = parcel.number {
            var position = ReceivedParcels.Position.gap
            var isUrgent = false
            var isFirst = false
            members.change(node) {
                position = $0.receivedParcels.receive(number, size: parcel.size)
                isUrgent = $0.receivedParcels.isUrgent
                isFirst = $0.acknowledgeAt == nil
                if isFirst { $0.acknowledgeAt = now + SessionLimits.acknowledgement }
            }
            if isFirst { wakeUp.isSettled = false }
            if isUrgent { acknowledge(node, link) }
            switch position {
            case .new: break
            case .repeated: return
            case .gap: return broken(link, "a skipped message number", now)
            }
        }
        switch parcel.content {
        case .data(let octets, let form):
            emit(.deliver(octets, as: form, from: node, reliably: parcel.number != nil))
        case .text(let text): textCame(text, parcel, from: node)
        }
    }

    /// Handles a text. A server passes it on, because clients are connected only to their server.
    private mutating func textCame(_ text: String, _ parcel: Parcel, from node: NodeID) {
        guard setup.mode == .server else {
            let origin = members[node]?.mode == .server ? parcel.origin : nil
            return emit(.said(text, from: origin ?? node))
        }
        let recipients = parcel.recipients
        if recipients.isEmpty || recipients.contains(setup.node) { emit(.said(text, from: node)) }
        for other in members.keys where other != node && (recipients.isEmpty || recipients.contains(other)) {
            guard members[other]?.isConnected == true else { continue }
            post(Parcel(.text(text), origin: node), to: other, reliably: true)
        }
    }

    /// Sends a parcel to a connected peer. A reliable parcel to a suspect peer waits for its next link.
    mutating func post(_ parcel: Parcel, to node: NodeID, reliably: Bool) {
        guard let member = members[node], member.standing != .around else { return trouble(.notConnected(node)) }
        let link: LinkName? = if case .connected(let link, _) = member.standing { link } else { nil }
        guard reliably else {
            guard let link else { return trouble(.notConnected(node)) }
            return send(link, .parcel(parcel), reliably: false)
        }
        var numbered: Parcel?
        members.change(node) { numbered = $0.outbox.add(parcel) }
        guard let numbered else { return trouble(.backlog(node)) }
        if let link { send(link, .parcel(numbered)) }
    }

    /// Acknowledges all parcels received from a peer.
    private mutating func acknowledge(_ node: NodeID, _ link: LinkName) {
        var number: UInt64 = 0
        members.change(node) {
            number = $0.receivedParcels.acknowledge()
            $0.acknowledgeAt = nil
        }
        send(link, .received(number))
    }

    /// Sends the acknowledgements that are due. Returns the times of the others.
    mutating func acknowledge(_ now: Instant) -> [Instant] {
        var due: [Instant] = []
        for (node, member) in members.elements {
            guard let at = member.acknowledgeAt, case .connected(let link, _) = member.standing else { continue }
            if at > now {
                due.append(at)
            } else {
                acknowledge(node, link)
            }
        }
        return due
    }
}

extension JobState {
    /// Whether pictures in this state follow each other, so that one may be lost. A wait is told once.
    fileprivate var isRepeated: Bool {
        switch self {
        case .running, .paused, .stopping: true
        case .waiting, .done, .failed: false
        }
    }
}
