import PotluckCore

/// Merges sightings into one entry for each node, and decides which nodes are present, which are asked and which are
/// gone.
///
/// It is pure: the time is passed in, nothing is sent from here, and the same calls give the same effects. `+Beacon`
/// handles beacons, `+Hints` handles mDNS's sightings, and `+Time` handles silence.
struct SightingTable: Sendable {
    enum Effect: Hashable, Sendable {
        /// Ask this node for a beacon.
        case ask(NodeID)
        /// Try to connect to this address, and report the outcome with `probed`.
        case probe(NodeID, Endpoint)
        case changed(NodeChange)
    }

    var surroundings = Surroundings()
    var nodes: [NodeID: Node] = [:]
    /// The node at each address and port.
    var owners: [Endpoint: NodeID] = [:]
    /// Departures, kept separately, so that strangers cannot displace the departure of a verified node.
    var departedVerified = Departures(limit: Limits.departedVerified)
    var departedStrangers = Departures(limit: Limits.departedStrangers)
    var probes: Allowance
    /// No node is due before this; nil if none is due at all.
    var earliest: Instant?
    /// When due nodes were last handled.
    var attended: Instant?
    /// The number of sightings dropped because a limit was reached.
    private(set) var crowdedOut = 0
    private(set) var strangers = 0
    /// Limits the reported changes of unverified nodes.
    private var news: Allowance
    private var strangersByAddress: [[UInt8]: Int] = [:]

    init(now: Instant) {
        probes = Allowance((Limits.probeBurst, Limits.probesPerSecond), at: now)
        news = Allowance(Limits.strangersNews, at: now)
    }

    /// The number of verified nodes.
    var verified: Int { nodes.count - strangers }

    /// Returns whether a sighting may cause a report. Reports about unverified nodes are limited.
    mutating func mayTell(_ sighting: Sighting, now: Instant) -> Bool {
        if sighting.trust == .verified || news.take(at: now) { return true }
        crowdedOut += 1
        return false
    }

    /// The reported nodes, in order of ID.
    var entries: [NodeEntry] { nodes.keys.sorted().compactMap { nodes[$0]?.shown } }

    /// Updates the interfaces. What addresses mean may change with them.
    mutating func surround(_ interfaces: [NetworkInterface]) -> [Effect] {
        surroundings = Surroundings(interfaces)
        return nodes.keys.sorted().flatMap { show($0) }
    }

    // MARK: - Places

    /// Adds a node. Returns false if a limit is reached.
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

    /// Marks an unverified node as verified. Addresses from unverified beacons are removed. Addresses that mDNS lists
    /// stay, ranked last.
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

    /// Adds or changes a node's route. If there are too many, the one that ranks last is removed.
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

    /// Reports a node if its entry differs from the one last reported.
    mutating func show(_ id: NodeID) -> [Effect] {
        guard let node = nodes[id], let entry = node.entry(in: surroundings), entry != node.shown else { return [] }
        nodes[id]?.shown = entry
        return [.changed(node.shown == nil ? .appeared(entry) : .changed(entry))]
    }

    /// Removes a node, and reports that if it was ever reported.
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
        // mDNS may list it again when the network is back.
        case (.withdrawn, _), (.unreachable, _): break
        case (_, .verified): departedVerified.add(id, record)
        case (_, .unverified): departedStrangers.add(id, record)
        }
    }

    mutating func forgetDeparture(of id: NodeID) {
        departedVerified.remove(id)
        departedStrangers.remove(id)
    }

    /// When `tick` is wanted; nil if never.
    var due: Instant? {
        guard let earliest, let attended else { return earliest }
        return max(earliest, attended + Limits.attention)
    }

    /// Requests `tick` at this time at the latest.
    mutating func schedule(_ instant: Instant?) {
        guard let instant else { return }
        earliest = earliest.map { min($0, instant) } ?? instant
    }
}
