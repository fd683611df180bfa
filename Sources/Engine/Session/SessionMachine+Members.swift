import PotluckCore

/// Other nodes: sightings, hellos, lost links, and what the user sees of them.
extension SessionMachine {
    /// Discovery saw a node, or no longer sees it.
    mutating func sighted(_ change: NodeChange, _ now: Instant) {
        let entry = change.entry
        guard entry.node != setup.node, entry.announcement.sessionHash == setup.session else { return }
        wakeUp.isSettled = false
        switch change {
        case .appeared, .changed:
            let announcement = entry.announcement
            guard setup.isOpen || !announcement.isOpen else { return foundOpen(entry, now) }
            // Every node records other servers, because the user is warned of a second server of the same name.
            guard setup.mode.meets(announcement.mode) || announcement.mode == .server else { return }
            let before = members[entry.node]?.entry
            guard add(entry.node, announcement.mode, announcement.name, now) else { return }
            let endpoints = entry.endpoints.filter { $0.port != 0 }
            let moved = members[entry.node]?.endpoints != endpoints
            members.change(entry.node) {
                $0.entry = entry
                if !endpoints.isEmpty { $0.endpoints = endpoints }
                if $0.told == nil || !$0.isConnected { $0.mode = announcement.mode }
            }
            guard members[entry.node]?.isConnected == false else { return }
            if before == nil || moved {
                plan(entry.node, now)
                retry(entry.node, now)
            } else if before?.standing == .suspect, entry.standing == .present {
                hasten(entry.node, now)
                retry(entry.node, now)
            }
        case .disappeared(_, let departure):
            guard let member = members[entry.node] else { return }
            members.change(entry.node) { $0.entry = nil }
            switch (member.standing, departure) {
            // A link proves that the node is alive. Sightings are weaker.
            case (.connected, _): break
            case (.suspect, .left): gone(entry.node, .left)
            case (.suspect, .replaced): gone(entry.node, .lost)
            case (.suspect, _): break
            // An unverified departure ends no dial or handshake, because any outsider can send it.
            case (.around, _)
            where entry.trust == .unverified && links.elements.contains { $0.value.meant == entry.node }:
                break
            case (.around, _):
                if !links.elements.contains(where: { $0.value.node == entry.node }) {
                    for (link, state) in links.elements where state.meant == entry.node { drop(link) }
                    gone(entry.node, departure == .left ? .left : .lost)
                }
            }
        }
    }

    /// An open session of the same name is in sight. A node that has a code does not dial it, because an answer could
    /// only look like a wrong code. The user is told.
    private mutating func foundOpen(_ entry: NodeEntry, _ now: Instant) {
        let announcement = entry.announcement
        guard setup.mode.meets(announcement.mode), announcement.mode != .client, !told.ofOpen else { return }
        // The user is told once, however many such nodes there are.
        told.ofOpen = true
        let name = announcement.name ?? entry.node.short
        trouble(
            .withoutCode(
                Peer(
                    node: entry.node, name: name, displayName: name, mode: announcement.mode, cores: 0,
                    state: .available)))
    }

    /// Records what a node said in its hello. Returns false if there is no room for it.
    mutating func met(_ node: NodeID, _ hello: Introduction, _ now: Instant) -> Bool {
        guard add(node, hello.mode, hello.name, now) else { return false }
        if members[node]?.name != hello.name { names.areStale = true }
        members.change(node) {
            $0.mode = hello.mode
            $0.name = hello.name
            $0.cores = hello.cores
            $0.kind = hello.kind
            $0.belonging =
                switch hello.mode {
                case .server: hello.founding.map(Member.Belonging.founded)
                case .peer: .shared
                case .client: nil
                }
        }
        return true
    }

    /// Adds a node unless it is known. Returns false if there is no room for it.
    private mutating func add(_ node: NodeID, _ mode: Mode, _ name: String?, _ now: Instant) -> Bool {
        if members[node] != nil { return true }
        guard members.count < SessionLimits.peers else { return false }
        members[node] = Member(
            node: node, mode: mode, name: name, role: setup.mode == .server ? setup.guests : .hosts, row: newRow(),
            now: now)
        if mode == .client { members.change(node) { $0.role = setup.guests } }
        names.areStale = true
        return true
    }

    /// A peer's link is lost. The peer is suspect, and has some time to reconnect.
    mutating func lost(_ node: NodeID, since: Instant, _ now: Instant) {
        let isFlapping = now - since < SessionLimits.sleep
        members.change(node) {
            $0.standing = .suspect(until: now + SessionLimits.grace)
            $0.acknowledgeAt = nil
            if !isFlapping { $0.backOff.reset() }
        }
        for index in addresses.indices where addresses[index].node == node { addresses[index].nextDial = now }
        if isFlapping { failed(node, now) } else { plan(node, now) }
        rosterChanged(now)
    }

    /// Forgets a node. If it is still in sight and did not leave by itself, it becomes a newcomer.
    mutating func gone(_ node: NodeID, _ parting: Parting, staysInSight: Bool = false) {
        guard let member = members[node] else { return }
        for (link, state) in links.elements where state.node == node { drop(link) }
        if member.told != nil { emit(.changed(peer(member, .gone(parting)))) }
        members[node] = nil
        names.areStale = true
        if choice.picked == node { choice.picked = nil }
        if let entry = member.entry, parting == .lost || staysInSight {
            var again = Member(
                node: node, mode: member.mode, name: member.name, role: member.role, row: newRow(), now: begun)
            again.entry = entry
            again.endpoints = member.endpoints
            again.belonging = member.belonging
            again.nextDial = member.nextDial
            again.backOff = member.backOff
            members[node] = again
        }
        if setup.mode == .client, let belonging = member.belonging, belonging == choice.chosen,
            !members.elements.contains(where: { $0.value.belonging == choice.chosen && $0.value.standing != .around })
        {
            choice.chosen = nil
        }
    }

    /// A session has one server. This node is the session's server, restarted, so its earlier IDs are forgotten.
    mutating func supersede(_ belonging: Member.Belonging, by node: NodeID, _ now: Instant) {
        for (other, member) in members.elements
        where other != node && member.belonging == belonging && !member.isConnected {
            members.change(other) { $0.entry = nil }
            gone(other, .lost)
        }
    }

    /// Sets the number of cores with which a node computes; 0 while it rests.
    mutating func lends(_ node: NodeID, _ cores: Int, _ now: Instant) {
        guard members[node]?.cores != cores else { return }
        members.change(node) { $0.cores = cores }
        wakeUp.isSettled = false
        rosterChanged(now)
    }

    // MARK: Reporting

    /// Returns a node as the user sees it.
    func peer(_ member: Member, _ state: PeerState) -> Peer {
        let name = member.name ?? "node \(member.node.short)"
        return Peer(
            node: member.node, name: name, displayName: names.shown[member.node] ?? name, mode: member.mode,
            cores: member.cores, state: state, kind: member.kind)
    }

    /// Reports each peer whose state changed since the last report.
    mutating func reportPeers() {
        if names.areStale {
            names.areStale = false
            names.shown = DisplayNames.distinct(
                [(setup.node, setup.name)]
                    + members.elements.map { ($0.key, $0.value.name ?? "node \($0.key.short)") })
        }
        var waits: [NodeID: PeerState.Wait] = [:]
        for (_, state) in links.elements {
            guard let node = state.meant else { continue }
            if case .greeted(let greeted) = state {
                waits[node] = greeted.wait
            } else if waits[node] == nil {
                waits[node] = .link
            }
        }
        for (node, member) in members.elements where setup.mode.meets(member.mode) {
            let state: PeerState =
                switch member.standing {
                case .connected: .connected
                case .suspect: .suspect
                case .around: waits[node].map(PeerState.connecting) ?? .available
                }
            // A node that connected without a sighting and has no link any more is forgotten.
            if member.entry == nil, state == .available {
                gone(node, .lost)
                continue
            }
            let peer = peer(member, state)
            guard peer != member.told else { continue }
            members.change(node) { $0.told = peer }
            emit(.changed(peer))
        }
    }

    // MARK: The roster

    /// Plans the next roster. Only servers send one.
    mutating func rosterChanged(_ now: Instant) {
        guard setup.mode == .server, rosterAt == nil else { return }
        let interval = max(SessionLimits.rosterInterval, SessionLimits.rosterIntervalPerNode * members.count)
        rosterAt = now + interval
    }

    /// Sends all clients the list of the session's nodes.
    mutating func sendRoster() {
        let present = members.elements.map(\.value).filter { $0.standing != .around }
        let entries = present.prefix(Parcel.maximumRecipients - 1).map {
            RosterEntry(
                node: $0.node, mode: $0.mode, name: $0.name ?? "", cores: $0.cores, isConnected: $0.isConnected,
                isBrowser: $0.kind.isBrowser)
        }
        let own = RosterEntry(
            node: setup.node, mode: setup.mode, name: setup.name, cores: setup.cores, isConnected: true)
        for member in present {
            if case .connected(let link, _) = member.standing { send(link, .roster([own] + entries)) }
        }
    }
}
