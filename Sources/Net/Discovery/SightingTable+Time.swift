import PotluckCore

extension SightingTable {
    /// Handles the nodes that are due.
    mutating func tick(now: Instant) -> [Effect] {
        guard let due, due <= now else { return [] }
        var effects: [Effect] = []
        for id in nodes.keys.sorted() {
            guard let moment = nodes[id]?.life.due, moment <= now else { continue }
            effects += attend(id, now: now)
        }
        attended = now
        earliest = nodes.values.compactMap(\.life.due).min()
        return effects
    }

    /// Handles a sleep of this machine: nodes are asked again before their silence counts.
    mutating func awake(now: Instant) {
        for id in nodes.keys {
            guard let life = nodes[id]?.life else { continue }
            switch life {
            case .heard, .asked:
                nodes[id]?.life = .asked(Life.Asking(since: now, next: now))
                for index in nodes[id]?.routes.indices ?? 0..<0 where nodes[id]?.routes[index].heard != nil {
                    nodes[id]?.routes[index].heard = now
                }
            case .hinted, .answering, .ghost:
                guard var probe = life.probe, !probe.underWay else { continue }
                probe.failures = 0
                probe.next = now
                nodes[id]?.life.probe = probe
            }
        }
        schedule(now)
    }

    private mutating func attend(_ id: NodeID, now: Instant) -> [Effect] {
        guard let node = nodes[id] else { return [] }
        switch node.life {
        case .heard: return ask(id, Life.Asking(since: now, next: now), now: now)
        case .asked(let asking):
            let patienceEnded = now - asking.since >= Limits.patience && asking.questions >= Limits.fewestQuestions
            return patienceEnded ? depart(id, .silent, now: now) : ask(id, asking, now: now)
        case .hinted(let probe), .answering(let probe), .ghost(let probe):
            return self.probe(id, node, probe, now: now)
        }
    }

    private mutating func ask(_ id: NodeID, _ asking: Life.Asking, now: Instant) -> [Effect] {
        var asking = asking
        asking.questions += 1
        asking.spared = 0
        asking.next = now + Limits.askInterval
        nodes[id]?.life = .asked(asking)
        return [.ask(id)] + show(id)
    }

    private mutating func probe(_ id: NodeID, _ node: Node, _ probe: Life.Probe, now: Instant) -> [Effect] {
        var probe = probe
        // Addresses that another node owns are skipped, because that node would answer.
        let routes = surroundings.ranked(node.routes.filter { owners[$0.endpoint, default: id] == id })
        guard !routes.isEmpty, probes.take(at: now) else {
            probe.next = now + Limits.probeRetry
            nodes[id]?.life.probe = probe
            return []
        }
        probe.underWay = true
        nodes[id]?.life.probe = probe
        return [.probe(id, routes[probe.failures % routes.count].endpoint)]
    }
}

extension Surroundings {
    /// Returns the one of two interfaces that ranks first.
    func better(_ one: UInt32, _ other: UInt32) -> UInt32 {
        func rank(_ index: UInt32) -> (UInt8, UInt32) {
            ((interfaces.first { $0.index == index }?.kind ?? .virtual).rawValue, index)
        }
        return rank(one) <= rank(other) ? one : other
    }
}
