import PotluckCore

extension SightingTable {
    /// The age of a beacon, compared with those heard before.
    private enum Age { case newer, copy, stale }

    /// Handles the beacon of a present node. `saysNew` is whether the node says that it is new on this network. Also
    /// returns whether the node was unknown, so that it should be answered soon.
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
        // An unverified beacon does not change a verified node.
        guard sighting.trust >= node.trust else { return ([], false) }
        switch age(of: sequence, from: sighting, for: node, now: now) {
        case .stale: return ([], false)
        case .copy:
            nodes[id]?.copies += 1
            // The same beacon by another interface shows another route, but is no newer sign of life.
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

    /// Handles a goodbye.
    mutating func leave(_ sighting: Sighting, sequence: UInt32, now: Instant) -> [Effect] {
        let id = sighting.announcement.node
        guard let node = nodes[id] else {
            // The goodbye may overtake the last beacon.
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

    /// Another node of the session has asked this node. The answer will arrive here too.
    mutating func overhear(questionTo id: NodeID, now: Instant) {
        guard case .asked(var asking) = nodes[id]?.life, asking.spared < Limits.sparedQuestions else { return }
        asking.spared += 1
        asking.questions += 1
        asking.next = now + Limits.askInterval
        nodes[id]?.life = .asked(asking)
    }

    /// Returns whether a beacon may add a node, which may have departed before.
    private func revives(_ sighting: Sighting, sequence: UInt32, now: Instant) -> Bool {
        let id = sighting.announcement.node
        // For a verified beacon, only the departure of the verified node counts, not what strangers said.
        guard let record = sighting.trust == .verified ? departedVerified[id] : departed(id) else { return true }
        if sighting.trust == .verified && sequence <= record.sequence { return false }
        switch record.departure {
        case .silent, .withdrawn, .unreachable: return true
        // A node that takes no guests says goodbye, too, and announces itself again when it takes some. A higher number
        // with a tag proves that it does. Without a tag, the number only keeps late packets out.
        case .left where sighting.trust == .verified: return true
        case .left: return departedVerified[id] == nil && sequence > record.sequence
        // It may have lost its address to another node and still live elsewhere. A higher number proves it.
        case .replaced where sighting.trust == .verified: return true
        case .replaced: return owners[sighting.endpoint] == nil && now - record.at > Limits.routeAge
        }
    }

    private func age(of sequence: UInt32, from sighting: Sighting, for node: Node, now: Instant) -> Age {
        // Numbers count only if the tags are checked. Otherwise anybody could silence a node by sending the highest
        // number.
        guard sighting.trust == .verified, node.trust == .verified else { return .newer }
        if sequence > node.sequence { return .newer }
        return node.takesCopy(of: sequence, now: now) ? .copy : .stale
    }

    /// Returns whether a beacon of this node with this number has no effect, whatever else it says.
    func isRepetition(of id: NodeID, sequence: UInt32, now: Instant) -> Bool {
        guard let node = nodes[id] else { return departedVerified[id].map { sequence <= $0.sequence } ?? false }
        return node.trust == .verified && sequence <= node.sequence && !node.takesCopy(of: sequence, now: now)
    }

    /// Handles a new node at an old one's address and port: the old one was restarted. If the old one is also heard
    /// elsewhere, it only loses this address. A verified node that is still heard is replaced only by a node that says
    /// it is new, because anybody can replay beacons from its address.
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

    /// Records the route of a beacon and removes stale routes. Most beacons change nothing visible and return early.
    /// `shows` says that something else about the node has changed.
    private mutating func refresh(
        _ sighting: Sighting, id: NodeID, shows: Bool = false, isCopy: Bool = false, now: Instant
    ) -> [Effect] {
        // The node that owns this address keeps it.
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
    /// Returns whether another copy of this beacon may show another route to the node.
    func takesCopy(of number: UInt32, now: Instant) -> Bool {
        number == sequence && copies < Limits.copies && now - sequenceAt <= Limits.round
    }

    init(_ sighting: Sighting, life: Life, now: Instant) {
        self.init(
            announcement: sighting.announcement, trust: sighting.trust, host: sighting.host, since: now, life: life,
            sequenceAt: now, origin: sighting.endpoint.octets)
    }
}
