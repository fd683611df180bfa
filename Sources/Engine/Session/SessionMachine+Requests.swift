import PotluckCore

/// Requests of the user.
extension SessionMachine {
    /// Carries out a request of the user.
    mutating func wanted(_ request: SessionRequest, _ now: Instant) {
        wakeUp.isSettled = false
        switch request {
        case .send(let octets, let form, let recipients, let reliably):
            guard octets.count <= Parcel.maximumContent else {
                return trouble(.tooLong(octets.count, limit: Parcel.maximumContent))
            }
            let parcel = Parcel(.data(octets, as: form))
            for node in nodes(recipients, reliably) { post(parcel, to: node, reliably: reliably) }
        case .say(let text, let recipients): say(text, recipients)
        case .accept(let node): accept(node, now)
        case .decline(let node):
            for link in asking(node) { refuse(link, node, .host, now) }
        case .remove(let node): remove(node, now)
        case .allow(let role, let node):
            guard let member = members[node], setup.mode != .client, member.mode == .client else { return }
            members.change(node) { $0.role = role }
            if case .connected(let link, _) = member.standing { send(link, .role(role)) }
        case .choose(let node): choose(node, now)
        case .connect(let host, let port):
            guard !addresses.contains(where: { $0.host == host && $0.port == port }) else { return }
            addresses.append(FixedAddress(host: host, port: port, node: nil, nextDial: now))
        case .available(let available):
            guard available != isAvailable else { return }
            isAvailable = available
            emit(.announce(available))
        case .leave: end(.left)
        }
    }

    /// Returns the recipients. Reliable messages also go to suspect peers, which receive them when they reconnect.
    private func nodes(_ recipients: Recipients, _ reliably: Bool) -> [NodeID] {
        switch recipients {
        case .some(let nodes): nodes
        case .everyone:
            members.elements.filter { $0.value.isConnected || reliably && $0.value.standing != .around }.map(\.key)
        }
    }

    /// Sends a text to the recipients; a client sends it through its server.
    private mutating func say(_ text: String, _ recipients: Recipients) {
        guard text.utf8.count <= Parcel.maximumText else {
            return trouble(.tooLong(text.utf8.count, limit: Parcel.maximumText))
        }
        let server = members.elements.first { $0.value.mode == .server && $0.value.standing != .around }?.key
        guard setup.mode == .client, let server else {
            for node in nodes(recipients, true) { post(Parcel(.text(text)), to: node, reliably: true) }
            return
        }
        switch recipients {
        case .everyone: post(Parcel(.text(text)), to: server, reliably: true)
        case .some(let nodes):
            let few = Array(nodes.prefix(Parcel.maximumRecipients))
            if !few.isEmpty { post(Parcel(.text(text), recipients: few), to: server, reliably: true) }
        }
    }

    /// Returns the links over which a node waits for the user's consent.
    private func asking(_ node: NodeID) -> [LinkName] {
        links.elements.compactMap { link, state in
            if case .greeted(let greeted) = state, greeted.node == node, greeted.wait == .ourUser { link } else { nil }
        }
    }

    /// Approves a node. It is admitted if it asks to join; one that has just lost its link is admitted when it returns.
    private mutating func accept(_ node: NodeID, _ now: Instant) {
        guard setup.mode != .client else { return }
        // A page has another ID whenever it connects, so its approval ends with its link.
        if !approved.contains(node), members[node]?.kind.isBrowser != true {
            approved = (approved + [node]).suffix(SessionLimits.approvedNodes)
            emit(.approved(approved))
        }
        for link in asking(node) {
            guard case .greeted(let greeted) = links[link] else { continue }
            let places = addresses(of: node).union([greeted.address])
            removed.removeAll { $0.isLike(node, at: places) }
            changeGreeted(link) { $0.since = now }
            admit(link, now)
        }
    }

    /// The user, or a job that shut the node out, removes a node. The node and all of its addresses need consent to
    /// return.
    private mutating func remove(_ node: NodeID, _ now: Instant) {
        guard setup.mode != .client else { return }
        if approved.contains(node) {
            approved.removeAll { $0 == node }
            emit(.approved(approved))
        }
        guard members[node] != nil else { return }
        removed.append(Removed(node: node, addresses: addresses(of: node)))
        for (link, state) in links.elements where state.node == node { send(link, .goodbye(.removed)) }
        if removed.count > SessionLimits.removedNodes { removed.removeFirst() }
        gone(node, .removed, staysInSight: true)
        rosterChanged(now)
    }

    /// The user chose a session among those of one name. The client leaves its current session if that is another one.
    private mutating func choose(_ node: NodeID, _ now: Instant) {
        guard setup.mode == .client, let member = members[node], setup.mode.meets(member.mode) else { return }
        if let belonging = member.belonging, belonging == choice.chosen { return }
        for (other, member) in members.elements where member.standing != .around {
            if case .connected(let link, _) = member.standing { send(link, .goodbye(.leaving)) }
            gone(other, .left, staysInSight: true)
            // A connected node has no planned dial; it may be wanted again later.
            plan(other, now)
        }
        choice.chosen = nil
        choice.picked = node
        members.change(node) {
            $0.nextDial = now
            $0.backOff.reset()
        }
    }
}
