import PotluckCore

/// Links, from a dial to a connected peer.
///
/// A node that admits clients says hello as soon as a link is open. A client answers only if it wants to join, so
/// looking at a server is not joining it. A node that accepts the other's hello sends a welcome. With a welcome in both
/// directions the link is established.
extension SessionMachine {
    /// A dialled or accepted link is open. A node that admits clients says hello.
    mutating func opened(_ link: LinkName, _ address: [UInt8], _ now: Instant) {
        wakeUp.isSettled = false
        var target: DialTarget?
        switch (link, links[link]) {
        case (.dialled, .dialling(let dialled, _)): target = dialled
        // The dial was given up just before.
        case (.dialled, _): return emit(.close(link))
        case (.accepted, nil):
            let newcomers = links.elements.count { $0.value.node == nil }
            guard newcomers < SessionLimits.newcomers else { return emit(.close(link)) }
        case (.accepted, _): preconditionFailure("the shell used the name of a link twice")
        }
        links[link] = .open(target, address: address, since: now)
        if setup.mode != .client { greet(link) }
    }

    private mutating func greet(_ link: LinkName) {
        var dial: UInt64 = 0
        if case .dialled(let count) = link { dial = count }
        emit(
            .greet(
                link,
                Introduction(
                    versions: setup.versions, session: setup.session, mode: setup.mode, name: setup.name,
                    cores: setup.cores, founding: setup.founding, dial: dial, kind: setup.kind)))
    }

    /// A hello came over a link. Declines it if the two nodes cannot share a session; otherwise the handshake
    /// continues.
    mutating func greeted(_ link: LinkName, _ hello: Introduction, _ node: NodeID, _ now: Instant) {
        wakeUp.isSettled = false
        guard let state = links[link] else { return }
        guard case .open(let target, let address, let since) = state else {
            return broken(link, "a second hello", now)
        }
        if node == setup.node {
            if case .address(let host, let port) = target {
                addresses.removeAll { $0.host == host && $0.port == port }
                trouble(.ownAddress(host: host, port: port))
            }
            return drop(link)
        }
        if case .address(let host, let port) = target {
            for index in addresses.indices where addresses[index].host == host && addresses[index].port == port {
                addresses[index].node = node
                addresses[index].wrongCodes = 0
            }
            if setup.mode == .client, choice.chosen == nil { choice.picked = node }
        }
        // Another node has that address now.
        if case .node(let meant, _) = target, meant != node {
            members.change(meant) { $0.nextDial = now + SessionLimits.retryRefused }
        }
        // A node with a link is never dialled, so this dial was meant for another node.
        if case .dialled = link, members[node]?.isConnected == true, target.map({ !$0.isNode(node) }) ?? true {
            return decline(link, .duplicate)
        }
        guard ProtocolVersion.agreed(setup.versions, hello.versions) != nil else {
            trouble(.version(node, name: hello.name))
            return refuse(link, node, .version, now)
        }
        guard hello.session == setup.session else { return refuse(link, node, .session, now) }
        guard setup.mode.meets(hello.mode), (hello.mode == .server) == (hello.founding != nil),
            hello.kind == .program || hello.mode == .client
        else {
            return refuse(link, node, .mode, now)
        }
        guard met(node, hello, now) else { return refuse(link, node, .full, now) }
        let waiting = links.elements.filter { $0.value.isHandshake }
        let theirs = waiting.count { $0.value.node == node }
        guard theirs < SessionLimits.handshakesPerNode else { return decline(link, .duplicate) }
        // A node that reconnects always has room: many nodes that only wait must not keep it out.
        guard waiting.count < SessionLimits.connected || theirs == 0 && wasAdmitted(node) else {
            return refuse(link, node, .full, now)
        }
        let device = place(of: hello, at: address)
        links[link] = .undecided(node, hello, address: device, since: since)
        decide(link, now)
    }

    /// The address of the device that a node runs on. A browser's link comes from its gateway, which knows the browser's
    /// own address. Only this computer and the session's nodes are believed, so that nobody gets another's address
    /// removed.
    private func place(of hello: Introduction, at address: [UInt8]) -> [UInt8] {
        guard case .browser(let own) = hello.kind else { return address }
        let isOfNode = links.elements.contains { _, state in
            guard case .established(let node, let other, _) = state else { return false }
            return other == address && members[node]?.kind == .program
        }
        return address.isLoopback || isOfNode ? own : address
    }

    /// Continues the handshake after a hello. A client continues only with the session it looks for, and waits while
    /// that is undecided; other nodes always continue.
    mutating func decide(_ link: LinkName, _ now: Instant) {
        guard case .undecided(let node, let hello, let address, let since) = links[link] else { return }
        if setup.mode == .client {
            switch belongs(node, at: address, since: since, now) {
            case nil: return
            case false?: return refuse(link, node, .session, now)
            case true?: greet(link)
            }
        }
        guard let version = ProtocolVersion.agreed(setup.versions, hello.versions) else { return }
        var dial = hello.dial
        if case .dialled(let count) = link { dial = count }
        links[link] = .greeted(
            LinkState.Greeted(node: node, version: version, address: address, since: since, dial: dial))
        let isKnown = wasAdmitted(node) && !isRemoved(node, address)
        if isKnown || !needsConsent(node, address) {
            guard isKnown || isAvailable || setup.mode == .client else { return refuse(link, node, .unavailable, now) }
            admit(link, now)
        } else {
            guard isAvailable else { return refuse(link, node, .unavailable, now) }
            changeGreeted(link) { $0.wait = .ourUser }
            send(link, .hold(.consent))
            let isAsked = links.elements.contains { other, state in
                if other != link, case .greeted(let it) = state {
                    it.node == node && it.wait == .ourUser
                } else {
                    false
                }
            }
            if !isAsked, let member = members[node] { emit(.ask(peer(member, .connecting(.ourUser)))) }
        }
    }

    /// Whether the node is a member, or has the user's approval.
    private func wasAdmitted(_ node: NodeID) -> Bool { members[node]?.isAdmitted == true || approved.contains(node) }

    /// Whether the user must consent before the node is admitted.
    private func needsConsent(_ node: NodeID, _ address: [UInt8]) -> Bool {
        setup.mode != .client && (setup.asks || isRemoved(node, address))
    }

    /// Whether the node, or a node at one of its addresses, was removed from the session. A laptop on two networks
    /// has several addresses, and a restarted node may choose another one.
    func isRemoved(_ node: NodeID, _ address: [UInt8]) -> Bool {
        guard !removed.isEmpty else { return false }
        let places = addresses(of: node).union([address])
        return removed.contains { $0.isLike(node, at: places) }
    }

    /// The addresses at which the node was seen, and those of its links.
    func addresses(of node: NodeID) -> Set<[UInt8]> {
        let member = members[node]
        var places = Set((member?.endpoints ?? []).map(\.octets) + (member?.entry?.endpoints ?? []).map(\.octets))
        for (_, state) in links.elements where state.node == node {
            switch state {
            case .undecided(_, _, let address, _), .established(_, let address, _): places.insert(address)
            case .greeted(let greeted): places.insert(greeted.address)
            case .dialling, .open: break
            }
        }
        return places
    }

    mutating func changeGreeted(_ link: LinkName, _ body: (inout LinkState.Greeted) -> Void) {
        guard case .greeted(var greeted) = links[link] else { return }
        body(&greeted)
        links[link] = .greeted(greeted)
    }

    /// Sends a welcome. The node is admitted.
    mutating func admit(_ link: LinkName, _ now: Instant) {
        guard case .greeted(let greeted) = links[link], let member = members[greeted.node] else { return }
        members.change(greeted.node) { $0.isAdmitted = true }
        send(
            link,
            .welcome(
                Welcome(
                    version: greeted.version, role: member.role, row: member.outbox.row,
                    receivedRow: member.receivedParcels.row, received: member.receivedParcels.received)))
        changeGreeted(link) { ($0.isWelcomed, $0.wait) = (true, .link) }
        establish(link, now)
    }

    /// Makes the node a connected peer once both welcomes were sent. If it already has a link, one of the two is kept.
    mutating func establish(_ link: LinkName, _ now: Instant) {
        guard case .greeted(let greeted) = links[link], greeted.isWelcomed, let welcome = greeted.welcome,
            let member = members[greeted.node]
        else { return }
        let node = greeted.node
        links[link] = .established(node, address: greeted.address, dial: greeted.dial)
        if case .connected(let old, _) = member.standing {
            guard rank(link).isAbove(rank(old)) else { return decline(link, .duplicate) }
            decline(old, .duplicate)
            relinked.append(node)
        } else {
            let connected = members.elements.count { $0.value.isConnected }
            guard connected < SessionLimits.connected else { return refuse(link, node, .full, now) }
        }
        // Other dials to the node are no longer needed. Links whose handshake has begun remain until both sides choose
        // one of them by rank.
        for (other, state) in links.elements where state.meant == node && other != link {
            if case .dialling = state { drop(other) }
        }
        wasConnected = true
        if setup.mode == .client, members[node]?.mode != .client { setRole(welcome.role) }
        members.change(node) {
            $0.standing = .connected(link, since: now)
            $0.nextDial = nil
        }
        if let belonging = members[node]?.belonging, case .founded = belonging { supersede(belonging, by: node, now) }
        resume(link, node, welcome)
        rosterChanged(now)
    }

    func rank(_ link: LinkName) -> LinkRank {
        guard case .established(let node, _, let dial) = links[link] else { return LinkRank(isLower: false, dial: 0) }
        let isOurs = if case .dialled = link { true } else { false }
        return LinkRank(isLower: isOurs == (setup.node < node), dial: dial)
    }

    /// The node that answered has another code. That does not mean that this node's code is wrong, because any node can
    /// have the session's name. So the user is told once, and this node keeps looking. If the node's sighting proved
    /// that it knows the code, another program has its port now, and the user is not told.
    private mutating func differs(_ target: DialTarget) {
        guard case .node(let node, _) = target, let member = members[node] else { return }
        members.change(node) { $0.otherServer = .hasOtherCode }
        guard setup.mode != .server, !wasConnected, !told.ofOtherCode, member.entry?.trust != .verified else { return }
        told.ofOtherCode = true
        trouble(.otherCode(peer(member, .available)))
    }

    /// Forgets a link that closed or a dial that failed, and plans what follows for its node.
    mutating func closed(_ link: LinkName, _ loss: LinkLoss, _ now: Instant) {
        guard let state = links[link] else { return }
        wakeUp.isSettled = false
        links[link] = nil
        switch state {
        case .dialling(let target, _), .open(let target?, _, _):
            if loss == .wrongCode { differs(target) }
            failed(target, loss, now)
        case .open(nil, _, _): break
        case .undecided(let node, _, _, _): failed(node, now)
        case .greeted(let greeted): failed(greeted.node, now)
        case .established(let node, _, _):
            if case .connected(link, let since) = members[node]?.standing { lost(node, since: since, now) }
        }
    }

    // MARK: Ends

    mutating func drop(_ link: LinkName) {
        guard links[link] != nil else { return }
        links[link] = nil
        emit(.close(link))
    }

    /// Declines and closes a link.
    mutating func decline(_ link: LinkName, _ reason: DeclineReason) {
        send(link, .decline(reason))
        drop(link)
    }

    /// Declines a node, and does not dial it again for a while.
    mutating func refuse(_ link: LinkName, _ node: NodeID, _ reason: DeclineReason, _ now: Instant) {
        decline(link, reason)
        members.change(node) { $0.nextDial = now + SessionLimits.retryRefused }
    }

    /// Reports that a node broke the protocol, and closes the link.
    mutating func broken(_ link: LinkName, _ what: String, _ now: Instant) {
        wakeUp.isSettled = false
        let node = links[link]?.node
        trouble(.protocolBroken(node, what))
        let wasEstablished: Instant? =
            if let node, case .connected(link, let since) = members[node]?.standing { since } else { nil }
        drop(link)
        guard let node else { return }
        if let wasEstablished { lost(node, since: wasEstablished, now) } else { failed(node, now) }
    }
}

/// The rank of a link, which decides which of two links between the same nodes is kept. Both sides have the same
/// numbers, so both keep the same link.
struct LinkRank {
    /// Whether the node with the lower ID dialled.
    let isLower: Bool
    /// The number that the dialling node gave the link. A later dial means that the earlier one was given up.
    let dial: UInt64

    func isAbove(_ other: LinkRank) -> Bool { isLower != other.isLower ? isLower : dial > other.dial }
}
