import PotluckCore

extension SightingTable {
    /// Handles a node that mDNS lists. That proves nothing: a crashed laptop stays in the caches for over an hour.
    mutating func hint(_ sighting: Sighting, now: Instant) -> [Effect] {
        let id = sighting.announcement.node
        // Without a port there is nothing to probe or dial. A departed node stays gone until its beacon is heard.
        guard sighting.endpoint.port != 0, surroundings.admits(sighting), departed(id) == nil else { return [] }
        var effects: [Effect] = []
        if nodes[id] == nil {
            guard mayTell(sighting, now: now) else { return [] }
            effects = takeOverHint(sighting, now: now)
            // If another node owns the address, this is its predecessor before a restart, or a new node whose beacon
            // will arrive soon.
            let isTaken = owners[sighting.endpoint] != nil
            let first =
                isTaken
                ? Life.ghost(Life.Probe(next: now + Limits.ghostRetry.first)) : Life.hinted(Life.Probe(next: now))
            guard insert(Node(sighting, life: first, now: now)) else { return effects }
        }
        guard let node = nodes[id] else { return effects }
        let said = sighting.announcement.following(node.announcement)
        guard node.life.probe == nil || said == node.announcement || mayTell(sighting, now: now) else { return effects }
        let known = node.routes.first { $0.endpoint == sighting.endpoint }
        var route =
            known
            ?? Route(endpoint: sighting.endpoint, interface: sighting.interface, sameMachine: sighting.sameMachine)
        if !route.hints.contains(sighting.interface), route.hints.count < Limits.routes {
            route.hints.append(sighting.interface)
        }
        route.sameMachine = route.sameMachine || sighting.sameMachine
        route.interface = surroundings.better(route.interface, sighting.interface)
        update(route, of: id)
        // mDNS may name the host of a verified node only at an address where its beacon was heard.
        if node.trust == .unverified || known?.heard != nil { nodes[id]?.host = sighting.host ?? node.host }
        if var probe = node.life.probe {
            nodes[id]?.announcement = said
            // A ghost that is listed again, or at another address, may have returned with its network.
            if case .ghost = node.life, known == nil || known?.hints.isEmpty == true { probe.next = now }
            nodes[id]?.life.probe = probe
            schedule(probe.next)
        }
        return effects + show(id)
    }

    /// Handles a node that mDNS no longer lists on an interface.
    mutating func unhint(_ sighting: Sighting, now: Instant) -> [Effect] {
        let id = sighting.announcement.node
        guard var node = nodes[id],
            let index = node.routes.firstIndex(where: { $0.endpoint == sighting.endpoint })
        else { return [] }
        node.routes[index].hints.removeAll { $0 == sighting.interface }
        if node.routes[index].hints.isEmpty && node.routes[index].heard == nil {
            disown(node.routes.remove(at: index), of: id)
        }
        nodes[id] = node
        if node.life.probe != nil && node.routes.isEmpty { return depart(id, .withdrawn, now: now) }
        return show(id)
    }

    /// Handles the outcome of a probe.
    mutating func probed(_ id: NodeID, answered: Bool, now: Instant) -> [Effect] {
        guard let node = nodes[id], var probe = node.life.probe, probe.underWay else { return [] }
        probe.underWay = false
        if answered {
            probe = Life.Probe(next: now + Limits.probeInterval)
            nodes[id]?.life = .answering(probe)
            schedule(probe.next)
            return show(id)
        }
        probe.failures += 1
        switch node.life {
        case .ghost:
            probe.next = now + probe.patience
            probe.patience = min(probe.patience * 2, Limits.ghostRetry.last)
            nodes[id]?.life = .ghost(probe)
        default:
            probe.next = now + Limits.probeRetry
            // Each of its addresses is tried.
            if probe.failures < max(Limits.probeAttempts, node.routes.count) {
                nodes[id]?.life.probe = probe
            } else {
                nodes[id]?.life = .ghost(Life.Probe(next: now + Limits.ghostRetry.first))
                nodes[id]?.shown = nil
            }
        }
        schedule(nodes[id]?.life.due)
        guard nodes[id]?.shown == nil, let shown = node.shown else { return [] }
        return [.changed(.disappeared(shown, .unreachable))]
    }

    /// Removes the older one of two nodes that only mDNS lists at one address and port. A node whose beacon is heard
    /// keeps its place; if it was restarted, the beacon of its successor will say so.
    private mutating func takeOverHint(_ sighting: Sighting, now: Instant) -> [Effect] {
        let id = sighting.announcement.node
        guard let owner = owners[sighting.endpoint], nodes[owner]?.life.probe != nil else { return [] }
        return depart(owner, .replaced(by: id), now: now)
    }
}
