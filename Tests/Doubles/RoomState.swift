import PotluckCore
import PotluckNet

/// A laptop of the room.
struct RoomHost: Sendable {
    struct Card: Sendable {
        var interface: NetworkInterface
        /// Cards in the same segment hear each other. 0 is the room's network; each negative one leads nowhere.
        var segment: Int
    }

    let number: Int
    let avahi: Bool
    let beaconBlocked: Bool
    let hasIPv6: Bool
    var cards: [Card] = []
    var isCut = false
    var isAsleep = false
    var isCrashed = false
    /// The cache of its Avahi daemon, which keeps entries of laptops that are gone.
    var cache: [Sighting] = []

    init(number: Int, avahi: Bool, beaconBlocked: Bool, hasIPv6: Bool) {
        self.hasIPv6 = hasIPv6
        self.number = number
        self.avahi = avahi
        self.beaconBlocked = beaconBlocked
        let loopback = NetworkInterface(
            index: 1, name: "lo", kind: .loopback, multicasts: false,
            addresses: [NetworkInterface.Address(octets: [127, 0, 0, 1], prefix: 8)])
        cards.append(Card(interface: loopback, segment: -1_000_000 - number))
        plug(name: "eth0", address: [10, 77, UInt8(truncatingIfNeeded: number >> 8), UInt8(number & 255)], segment: 0)
    }

    mutating func plug(name: String, address: [UInt8], segment: Int) {
        let index = UInt32(cards.count + 1)
        let linkLocal: [UInt8] =
            [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(index)]
            + [UInt8(truncatingIfNeeded: number >> 8), UInt8(number & 255), 1]
        let kind: NetworkInterface.Kind =
            name.hasPrefix("wl") ? .wireless : name.hasPrefix("docker") ? .virtual : .wired
        var addresses = [NetworkInterface.Address(octets: address, prefix: 16)]
        if hasIPv6 { addresses.append(NetworkInterface.Address(octets: linkLocal, prefix: 64)) }
        let interface = NetworkInterface(
            index: index, name: name, kind: kind, multicasts: hasIPv6, addresses: addresses)
        cards.append(Card(interface: interface, segment: segment))
    }

    var isUp: Bool { !isCrashed && !isAsleep }
}

/// A node of the room. It is a class because copying it for each event would cost more than the event.
final class RoomMember {
    let host: Int
    var core: DiscoveryCore
    let feed: ChangeFeed
    let beacon: Bool
    let mdns: Bool
    var announcement: Announcement?
    var isAlive = true
    /// When the core wants to be woken.
    var wake = Instant.start
    /// Every change as it happened. A slow reader of `feed` gets merged changes instead.
    var history: [(at: Instant, change: NodeChange)] = []

    init(host: Int, core: DiscoveryCore, feed: ChangeFeed, beacon: Bool, mdns: Bool) {
        self.host = host
        self.core = core
        self.feed = feed
        self.beacon = beacon
        self.mdns = mdns
    }
}

/// The state of a room, and its future events in order of time.
struct RoomState {
    enum Event: Sendable {
        case deliver([UInt8], source: Endpoint, interface: UInt32, to: Int)
        case observe(Observation, to: Int)
        case probed(NodeID, answered: Bool, to: Int)
    }

    /// How long Avahi takes to publish (three probes; measured: 0.92 to 0.98 s), to withdraw (1.0 s), and to answer
    /// from its cache.
    static let publishing: Duration = .milliseconds(950)
    static let withdrawing: Duration = .seconds(1)
    static let fromCache: Duration = .milliseconds(25)
    /// The delay of an outsider's datagram, and the number of datagrams in `overheard`.
    static let shouting: Duration = .microseconds(200)
    static let mostOverheard = 64

    var now = Instant.start
    var generator: SeededGenerator
    let loss: Double
    let delay: Duration
    let dropsAtOnce: Bool
    private(set) var dropped = 0
    var hosts: [RoomHost] = []
    var members: [RoomMember] = []
    private(set) var overheard: [[UInt8]] = []
    /// The number of changes reported to any node.
    private var changes = 0
    /// The future events, the next one last.
    private var queue: [(at: Instant, event: Event)] = []

    init(generator: SeededGenerator, loss: Double, delay: Duration, dropsAtOnce: Bool) {
        self.dropsAtOnce = dropsAtOnce
        self.generator = generator
        self.loss = loss
        self.delay = delay
    }

    // MARK: - Time

    /// Runs until `end`, or until a change is reported.
    mutating func run(until end: Instant, orChange stopsAtChange: Bool = false) {
        let before = changes
        while !stopsAtChange || changes == before {
            var wake = end
            var sleeper: Int?
            for member in members.indices where members[member].wake <= wake && isRunning(member) {
                if sleeper == nil || members[member].wake < wake { sleeper = member }
                wake = members[member].wake
            }
            if let arrival = queue.last?.at, arrival <= wake {
                now = max(now, arrival)
                if let event = queue.popLast()?.event { happen(event) }
            } else if let sleeper {
                now = max(now, wake)
                handle(.tick, by: sleeper)
            } else {
                now = max(now, end)
                return
            }
        }
    }

    private mutating func schedule(_ event: Event, after delay: Duration) {
        let at = now + delay
        var low = 0
        var high = queue.count
        while low < high {
            let middle = (low + high) / 2
            if queue[middle].at <= at { high = middle } else { low = middle + 1 }
        }
        queue.insert((at, event), at: low)
    }

    private mutating func happen(_ event: Event) {
        switch event {
        case .deliver(let bytes, let source, let interface, let member):
            if dropsAtOnce, isRunning(member), members[member].core.drops(bytes.span, at: now) {
                dropped += 1
                return
            }
            handle(.datagram(bytes, source: source, interface: interface), by: member)
        case .observe(let observation, let member): handle(.observation(observation), by: member)
        case .probed(let node, let answered, let member): handle(.probed(node, answered: answered), by: member)
        }
    }

    func isRunning(_ member: Int) -> Bool { members[member].isAlive && hosts[members[member].host].isUp }

    // MARK: - Nodes

    mutating func add(_ member: RoomMember) -> Int {
        members.append(member)
        let number = members.count - 1
        handle(.interfaces(hosts[member.host].cards.map(\.interface)), by: number)
        guard member.mdns else { return number }
        learn(member.host)
        for sighting in hosts[member.host].cache {
            schedule(.observe(.present(sighting), to: number), after: Self.fromCache)
        }
        return number
    }

    mutating func tellInterfaces(of host: Int) {
        for member in members.indices where members[member].host == host {
            handle(.interfaces(hosts[host].cards.map(\.interface)), by: member)
        }
    }

    mutating func announce(_ announcement: Announcement?, by member: Int) {
        guard members[member].isAlive else { return }
        if announcement == nil { withdraw(member) }
        members[member].announcement = announcement
        handle(.announce(announcement), by: member)
        if announcement != nil { publish(member) }
    }

    mutating func kill(_ member: Int) {
        guard members[member].isAlive else { return }
        withdraw(member)
        members[member].isAlive = false
    }

    mutating func crash(_ host: Int) {
        hosts[host].isCrashed = true
        for member in members.indices where members[member].host == host { members[member].isAlive = false }
    }

    mutating func handle(_ event: DiscoveryCore.Event, by member: Int) {
        guard isRunning(member) else { return }
        for effect in members[member].core.handle(event, at: now) {
            switch effect {
            case .send(let bytes): send(bytes, by: member)
            case .probe(let node, let endpoint): probe(node, endpoint, by: member)
            case .changed(let change):
                changes += 1
                members[member].history.append((now, change))
                members[member].feed.publish(change)
            }
        }
        members[member].wake = members[member].core.wake
    }

    // MARK: - The network

    private func isConnected(_ a: Int, _ b: Int) -> Bool { a == b || (!hosts[a].isCut && !hosts[b].isCut) }

    mutating func shout(_ bytes: [UInt8], from address: [UInt8]) {
        for receiver in members.indices where isRunning(receiver) && members[receiver].beacon {
            for card in hosts[members[receiver].host].cards where card.segment == 0 {
                let index = card.interface.index
                let scope = address.isLinkLocal && address.count == 16 ? index : 0
                guard let source = Endpoint(octets: address, scope: scope, port: 0) else { continue }
                schedule(.deliver(bytes, source: source, interface: index, to: receiver), after: Self.shouting)
            }
        }
    }

    private mutating func send(_ bytes: [UInt8], by sender: Int) {
        let from = members[sender].host
        guard members[sender].beacon, !hosts[from].beaconBlocked else { return }
        overheard = (overheard + [bytes]).suffix(Self.mostOverheard)
        for card in hosts[from].cards {
            for receiver in members.indices where receiver != sender && isRunning(receiver) && members[receiver].beacon
            {
                let to = members[receiver].host
                guard !hosts[to].beaconBlocked, isConnected(from, to) else { continue }
                for other in hosts[to].cards where other.segment == card.segment {
                    deliver(bytes, from: card, to: receiver, on: other, isLocal: from == to)
                }
            }
        }
    }

    private mutating func deliver(
        _ bytes: [UInt8], from card: RoomHost.Card, to receiver: Int, on other: RoomHost.Card, isLocal: Bool
    ) {
        for address in card.interface.addresses {
            if !isLocal && generator.fraction() < loss { continue }
            let scope = address.octets.isLinkLocal && address.octets.count == 16 ? other.interface.index : 0
            guard let source = Endpoint(octets: address.octets, scope: scope, port: 0) else { continue }
            let index = other.interface.index
            schedule(
                .deliver(bytes, source: source, interface: index, to: receiver),
                after: isLocal ? .microseconds(50) : delay * (0.8 + 0.4 * generator.fraction()))
        }
    }

    /// Simulates a TCP connection attempt: accepted if a node listens, refused if only its laptop is up, and unanswered
    /// otherwise.
    private mutating func probe(_ node: NodeID, _ endpoint: Endpoint, by prober: Int) {
        let from = members[prober].host
        let target = hosts.indices.first { index in
            hosts[index].cards.contains { card in
                card.segment == 0 && card.interface.addresses.contains { $0.octets == endpoint.octets }
            } && isConnected(from, index) && !hosts[index].isCrashed
        }
        guard let target else {
            schedule(.probed(node, answered: false, to: prober), after: Limits.probeTimeout)
            return
        }
        let listens = members.contains {
            $0.host == target && $0.isAlive && $0.announcement?.port == endpoint.port
        }
        schedule(.probed(node, answered: listens, to: prober), after: delay * 2)
    }

    // MARK: - mDNS

    /// Returns the sightings of a node by another laptop's Avahi: one for each interface and address.
    private func sightings(of member: Int, on host: Int) -> [Sighting] {
        guard let announcement = members[member].announcement, isConnected(members[member].host, host) else {
            return []
        }
        let from = hosts[members[member].host]
        return from.cards.flatMap { card in
            hosts[host].cards.filter { $0.segment == card.segment }.flatMap { other in
                card.interface.addresses.compactMap { address -> Sighting? in
                    let scope = address.octets.isLinkLocal && address.octets.count == 16 ? other.interface.index : 0
                    guard let endpoint = Endpoint(octets: address.octets, scope: scope, port: announcement.port)
                    else { return nil }
                    return Sighting(
                        announcement: announcement, source: .mdns, trust: .unverified,
                        interface: other.interface.index, sameMachine: members[member].host == host,
                        host: "host\(from.number).local", endpoint: endpoint)
                }
            }
        }
    }

    /// Fills the cache of a laptop with what was published before.
    private mutating func learn(_ host: Int) {
        let known = Set(hosts[host].cache.map(\.announcement.node))
        for member in members.indices where isRunning(member) && members[member].mdns {
            guard let node = members[member].announcement?.node, !known.contains(node) else { continue }
            hosts[host].cache += sightings(of: member, on: host)
        }
    }

    private mutating func publish(_ member: Int) {
        guard members[member].mdns else { return }
        for host in hosts.indices where hosts[host].avahi && hosts[host].isUp {
            for sighting in sightings(of: member, on: host) {
                hosts[host].cache.removeAll {
                    $0.endpoint == sighting.endpoint && $0.interface == sighting.interface
                        && $0.announcement.node == sighting.announcement.node
                }
                hosts[host].cache.append(sighting)
                observe(.present(sighting), on: host, after: Self.publishing)
            }
        }
    }

    private mutating func withdraw(_ member: Int) {
        guard members[member].mdns, let announcement = members[member].announcement else { return }
        for host in hosts.indices where isConnected(members[member].host, host) {
            let gone = hosts[host].cache.filter { $0.announcement.node == announcement.node }
            hosts[host].cache.removeAll { $0.announcement.node == announcement.node }
            for sighting in gone { observe(.withdrawn(sighting), on: host, after: Self.withdrawing) }
        }
    }

    private mutating func observe(_ observation: Observation, on host: Int, after delay: Duration) {
        for member in members.indices where members[member].host == host && members[member].mdns {
            schedule(.observe(observation, to: member), after: delay)
        }
    }
}
