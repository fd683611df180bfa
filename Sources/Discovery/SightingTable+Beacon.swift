import PotluckModel

extension SightingTable {
    /// What a beacon is, compared with those heard before.
    private enum Age { case newer, copy, stale }

    /// A beacon of a node that is there, which may say that it is new on this network. Says besides whether it was a stranger, who
    /// should hear from us soon.
    mutating func hear(
        _ sighting: Sighting, sequence: UInt32, saysNew: Bool = true, now: Instant
    ) -> (effects: [Effect], isNew: Bool) {
        guard surroundings.admits(sighting), revives(sighting, sequence: sequence, now: now) else { return ([], false) }
        let id = sighting.announcement.node
        guard let node = nodes[id] else {
            guard mayTell(sighting, now: now), insert(Node(sighting, life: .heard(at: now), now: now)) else {
                return ([], false)
            }
            forgetDeparture(of: id)
            let replaced = takeOver(sighting, saysNew: saysNew, now: now)
            nodes[id]?.sequence = sequence
            return (replaced + refresh(sighting, id: id, now: now), true)
        }
        // Whoever cannot make the tag says nothing about a node whose tag was checked.
        guard sighting.trust >= node.trust else { return ([], false) }
        switch age(of: sequence, from: sighting, for: node, now: now) {
        case .stale: return ([], false)
        case .copy:
            nodes[id]?.copies += 1
            // The same beacon by another interface: another way to the node, but no newer sign of life.
            let replaced =
                now - node.sequenceAt <= Limits.oneBeacon ? takeOver(sighting, saysNew: saysNew, now: now) : []
            return (replaced + refresh(sighting, id: id, isCopy: true, now: now), false)
        case .newer: break
        }
        let said =
            sighting.trust > node.trust ? sighting.announcement : sighting.announcement.following(node.announcement)
        let isAtHome = owners[sighting.endpoint] == id || sighting.endpoint.port == 0
        guard said == node.announcement && isAtHome || mayTell(sighting, now: now) else { return ([], false) }
        let replaced = takeOver(sighting, saysNew: saysNew, now: now)
        if sighting.trust == .verified { verify(id) }
        let wasHinted = node.life.probe != nil
        nodes[id]?.life = .heard(at: now)
        nodes[id]?.sequence = sequence
        nodes[id]?.sequenceAt = now
        nodes[id]?.copies = 0
        schedule(now + Limits.silence)
        var looksOtherwise = wasHinted || node.life.standing != .present || node.trust != sighting.trust
        if node.announcement != said {
            nodes[id]?.announcement = said
            looksOtherwise = true
        }
        return (replaced + refresh(sighting, id: id, shows: looksOtherwise, now: now), wasHinted)
    }

    /// A goodbye.
    mutating func leave(_ sighting: Sighting, sequence: UInt32, now: Instant) -> [Effect] {
        let id = sighting.announcement.node
        guard let node = nodes[id] else {
            // It may overtake the last beacon.
            if sighting.trust == .verified {
                remember(id, .verified, .left, sequence: max(sequence, departed(id)?.sequence ?? 0), now: now)
            }
            return []
        }
        guard sighting.trust >= node.trust, age(of: sequence, from: sighting, for: node, now: now) == .newer else {
            return []
        }
        guard mayTell(sighting, now: now) else { return [] }
        if sighting.trust == .verified { verify(id) }
        nodes[id]?.sequence = sequence
        return depart(id, .left, now: now)
    }

    /// Somebody else of the session asked this node; its answer will reach us too.
    mutating func overhear(questionTo id: NodeID, now: Instant) {
        guard case .asked(var asking) = nodes[id]?.life, asking.spared < Limits.sparedQuestions else { return }
        asking.spared += 1
        asking.questions += 1
        asking.next = now + Limits.askInterval
        nodes[id]?.life = .asked(asking)
    }

    /// Whether a beacon may speak for a node that is gone, or never was.
    private func revives(_ sighting: Sighting, sequence: UInt32, now: Instant) -> Bool {
        let id = sighting.announcement.node
        // What a stranger said of a node, or what happened to one of that name, says nothing about a node that proves itself.
        guard let record = sighting.trust == .verified ? departedVerified[id] : departed(id) else { return true }
        if sighting.trust == .verified && sequence <= record.sequence { return false }
        switch record.departure {
        case .silent, .withdrawn, .unreachable: return true
        // An ID is used once: whoever said goodbye has ended.
        case .left: return false
        // It may have lost its address to another and be alive elsewhere. Where it goes on counting, it is.
        case .replaced where sighting.trust == .verified: return true
        case .replaced: return owners[sighting.endpoint] == nil && now - record.at > Limits.routeAge
        }
    }

    private func age(of sequence: UInt32, from sighting: Sighting, for node: Node, now: Instant) -> Age {
        // Where nobody can check the tag, anybody could send the highest number and silence a node with it.
        guard sighting.trust == .verified, node.trust == .verified else { return .newer }
        if sequence > node.sequence { return .newer }
        return node.takesCopy(of: sequence, now: now) ? .copy : .stale
    }

    /// Whether nothing comes of a beacon with that number in that node's name, whatever else it says.
    func isRepetition(of id: NodeID, sequence: UInt32, now: Instant) -> Bool {
        guard let node = nodes[id] else { return departedVerified[id].map { sequence <= $0.sequence } ?? false }
        return node.trust == .verified && sequence <= node.sequence && !node.takesCopy(of: sequence, now: now)
    }

    /// A new node at an old one's address and port: the old one was stopped and started anew. Where the old one is heard from
    /// elsewhere it loses this address only. One that proved itself and is heard goes only for one that says that it is new:
    /// anybody can repeat what others said from its address.
    private mutating func takeOver(_ sighting: Sighting, saysNew: Bool, now: Instant) -> [Effect] {
        let id = sighting.announcement.node
        guard let owner = owners[sighting.endpoint], owner != id, var old = nodes[owner], old.trust <= sighting.trust
        else { return [] }
        let isElsewhere = old.routes.contains { $0.heard != nil && $0.endpoint != sighting.endpoint }
        if old.trust == .verified, isElsewhere {
            owners[sighting.endpoint] = nil
            old.routes.removeAll { $0.endpoint == sighting.endpoint }
            nodes[owner] = old
            return show(owner)
        }
        guard saysNew || old.trust == .unverified || !old.life.isHeard(now: now) else { return [] }
        return depart(owner, .replaced(by: id), now: now)
    }

    /// Notes where it was heard, and forgets where it was not for long. Most beacons change nothing that anybody sees, and
    /// then nothing is worked out: `shows` says that something else about the node has changed.
    private mutating func refresh(
        _ sighting: Sighting, id: NodeID, shows: Bool = false, isCopy: Bool = false, now: Instant
    ) -> [Effect] {
        // A node that is known to be at this address, and better vouched for, keeps it.
        if let owner = owners[sighting.endpoint], owner != id { return show(id) }
        guard var node = nodes[id] else { return [] }
        let known = node.routes.firstIndex { $0.endpoint == sighting.endpoint }
        let order = node.routes.doubts
        if let known, !isCopy { node.routes.noteFirst(at: known) }
        if !shows, let known, node.routes[known].heard != nil, node.routes[known].interface == sighting.interface,
            node.routes[known].sameMachine == sighting.sameMachine, !hasStaleRoutes(id, now: now),
            order == node.routes.doubts
        {
            node.routes[known].heard = now
            nodes[id] = node
            return []
        }
        var route =
            known.map { node.routes[$0] }
            ?? Route(endpoint: sighting.endpoint, interface: sighting.interface, sameMachine: sighting.sameMachine)
        if known == nil, !isCopy { route.firsts = 1 }
        route.heard = now
        route.sameMachine = route.sameMachine || sighting.sameMachine
        route.interface = surroundings.better(route.interface, sighting.interface)
        nodes[id] = node
        update(route, of: id)
        schedule(nodes[id]?.life.due)
        forgetStaleRoutes(of: id, now: now)
        return show(id)
    }

    private func hasStaleRoutes(_ id: NodeID, now: Instant) -> Bool {
        nodes[id]?.routes.contains { $0.heard.map { now - $0 > Limits.routeAge } ?? false } ?? false
    }

    private mutating func forgetStaleRoutes(of id: NodeID, now: Instant) {
        guard var node = nodes[id] else { return }
        for index in node.routes.indices.reversed() {
            guard let heard = node.routes[index].heard, now - heard > Limits.routeAge else { continue }
            if node.routes[index].hints.isEmpty {
                disown(node.routes.remove(at: index), of: id)
            } else {
                node.routes[index].heard = nil
                node.routes[index].firsts = 0
            }
        }
        nodes[id] = node
    }

}

extension Node {
    /// Whether one more beacon of that number may show another way to the node.
    func takesCopy(of number: UInt32, now: Instant) -> Bool {
        number == sequence && copies < Limits.copies && now - sequenceAt <= Limits.round
    }

    init(_ sighting: Sighting, life: Life, now: Instant) {
        self.init(
            announcement: sighting.announcement, trust: sighting.trust, host: sighting.host, since: now, life: life,
            sequenceAt: now, origin: sighting.endpoint.octets)
    }
}
