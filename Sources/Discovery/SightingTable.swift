import PotluckModel

/// Merges sightings into one entry a node and decides who is there, who is asked and who is gone.
///
/// Pure: the time is passed in, nothing is sent from here, and the same calls give the same effects. `SightingTable+Beacon`
/// takes beacons, `+Hints` takes mDNS's sightings, `+Time` judges.
struct SightingTable: Sendable {
    enum Effect: Hashable, Sendable {
        /// Ask this node by beacon to speak.
        case ask(NodeID)
        /// See whether anything answers at this address, and call `probed`.
        case probe(NodeID, Endpoint)
        case changed(NodeChange)
    }

    var surroundings = Surroundings()
    var nodes: [NodeID: Node] = [:]
    /// Which node is at an address and port.
    var owners: [Endpoint: NodeID] = [:]
    /// Kept apart, so that strangers who come and go make nobody forget a member's departure.
    var departedVerified = Departures(limit: Limits.departedVerified)
    var departedStrangers = Departures(limit: Limits.departedStrangers)
    var probes: Allowance
    /// Nobody needs attention before this.
    var earliest: Instant?
    /// When everybody was last seen to.
    var attended: Instant?
    /// Sightings dropped for want of a place.
    private(set) var crowdedOut = 0
    private(set) var strangers = 0
    /// What strangers may make us tell.
    private var news: Allowance
    private var strangersByAddress: [[UInt8]: Int] = [:]

    init(now: Instant) {
        probes = Allowance(most: Limits.probeBurst, perSecond: Limits.probesPerSecond, now: now)
        news = Allowance(most: Limits.strangersNews.most, perSecond: Limits.strangersNews.perSecond, now: now)
    }

    /// Nodes whose tag was checked.
    var verified: Int { nodes.count - strangers }

    /// Whether people may be told something because of this sighting: a stranger's news are few.
    mutating func mayTell(_ sighting: Sighting, now: Instant) -> Bool {
        if sighting.trust == .verified || news.take(at: now) { return true }
        crowdedOut += 1
        return false
    }

    /// In order of ID.
    var entries: [NodeEntry] { nodes.keys.sorted().compactMap { nodes[$0]?.shown } }

    /// An interface came, went or changed: what addresses mean may have changed with it.
    mutating func surround(_ interfaces: [NetworkInterface]) -> [Effect] {
        surroundings = Surroundings(interfaces)
        return nodes.keys.sorted().flatMap { show($0) }
    }

    // MARK: - Places

    /// False where there is no place for it.
    mutating func insert(_ node: Node) -> Bool {
        let id = node.announcement.node
        switch node.trust {
        case .verified:
            guard verified < Limits.verifiedNodes else {
                crowdedOut += 1
                return false
            }
        case .unverified:
            guard hasPlaceForStranger(from: node.origin) else {
                crowdedOut += 1
                return false
            }
            count(node, by: 1)
        }
        nodes[id] = node
        return true
    }

    private func hasPlaceForStranger(from origin: [UInt8]) -> Bool {
        strangers < Limits.strangers && strangersByAddress[origin, default: 0] < Limits.strangersPerAddress
    }

    private mutating func count(_ node: Node, by step: Int) {
        guard node.trust == .unverified else { return }
        strangers += step
        let left = strangersByAddress[node.origin, default: 0] + step
        strangersByAddress[node.origin] = left > 0 ? left : nil
    }

    /// The stranger's tag has been checked. What was said of it before is somebody's word: addresses that only mDNS gives stay,
    /// behind all others.
    mutating func verify(_ id: NodeID) {
        guard var node = nodes[id], node.trust == .unverified else { return }
        count(node, by: -1)
        for route in node.routes where route.hints.isEmpty { disown(route, of: id) }
        node.routes.removeAll(where: \.hints.isEmpty)
        for index in node.routes.indices {
            node.routes[index].heard = nil
            node.routes[index].firsts = 0
        }
        node.host = nil
        node.trust = .verified
        nodes[id] = node
    }

    mutating func remove(_ id: NodeID) {
        guard let node = nodes.removeValue(forKey: id) else { return }
        count(node, by: -1)
        for route in node.routes where owners[route.endpoint] == id { owners[route.endpoint] = nil }
    }

    // MARK: - Routes

    /// Adds or changes a node's route; where there are too many, the one that ranks last goes.
    mutating func update(_ route: Route, of id: NodeID) {
        guard var node = nodes[id] else { return }
        if let index = node.routes.firstIndex(where: { $0.endpoint == route.endpoint }) {
            node.routes[index] = route
        } else {
            node.routes.append(route)
        }
        if node.routes.count > Limits.routes {
            let last = node.routes.indices.max {
                surroundings.rank(node.routes[$0]).lexicographicallyPrecedes(surroundings.rank(node.routes[$1]))
            }
            if let last { disown(node.routes.remove(at: last), of: id) }
        }
        nodes[id] = node
        guard route.endpoint.port != 0, owners[route.endpoint] == nil else { return }
        if node.routes.contains(where: { $0.endpoint == route.endpoint }) { owners[route.endpoint] = id }
    }

    mutating func disown(_ route: Route, of id: NodeID) {
        if owners[route.endpoint] == id { owners[route.endpoint] = nil }
    }

    // MARK: - Telling

    /// Tells the readers where a node looks otherwise than they know it.
    mutating func show(_ id: NodeID) -> [Effect] {
        guard let node = nodes[id], let entry = node.entry(in: surroundings), entry != node.shown else { return [] }
        nodes[id]?.shown = entry
        return [.changed(node.shown == nil ? .appeared(entry) : .changed(entry))]
    }

    /// The node is gone, and readers who knew it are told.
    mutating func depart(_ id: NodeID, _ departure: Departure, now: Instant) -> [Effect] {
        guard let node = nodes[id] else { return [] }
        remove(id)
        remember(id, node.trust, departure, sequence: node.sequence, now: now)
        return node.shown.map { [.changed(.disappeared($0, departure))] } ?? []
    }

    func departed(_ id: NodeID) -> Departures.Record? { departedVerified[id] ?? departedStrangers[id] }

    mutating func remember(
        _ id: NodeID, _ trust: Sighting.Trust, _ departure: Departure, sequence: UInt32, now: Instant
    ) {
        let record = Departures.Record(at: now, departure: departure, sequence: sequence)
        switch (departure, trust) {
        // mDNS may list it again when the network comes back.
        case (.withdrawn, _), (.unreachable, _): break
        case (_, .verified): departedVerified.add(id, record)
        case (_, .unverified): departedStrangers.add(id, record)
        }
    }

    mutating func forgetDeparture(of id: NodeID) {
        departedVerified.remove(id)
        departedStrangers.remove(id)
    }

    /// When `tick` is wanted.
    var due: Instant? {
        guard let earliest, let attended else { return earliest }
        return max(earliest, attended + Limits.attention)
    }

    /// Attention is needed then at the latest.
    mutating func schedule(_ instant: Instant?) {
        guard let instant else { return }
        earliest = earliest.map { min($0, instant) } ?? instant
    }
}
