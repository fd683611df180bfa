import PotluckCrypto
import PotluckModel
import PotluckWire

/// What discovery needs to know before it begins.
public struct DiscoverySetup: Sendable {
    /// Our own node ID: what it says is not news to us.
    public var node: NodeID
    public var scope: Scope
    /// The key of the session looked for; without it every sighting stays unverified.
    public var key: BeaconKey?
    /// Starts the jitter.
    public var seed: UInt64

    public init(node: NodeID, scope: Scope, key: BeaconKey?, seed: UInt64) {
        self.node = node
        self.scope = scope
        self.key = key
        self.seed = seed
    }
}

/// What was heard and dropped, and whether our own voice came back.
public struct DiscoveryCounters: Hashable, Sendable {
    public var heard = 0
    /// Not beacons, or cut short, or with names no screen should show.
    public var malformed = 0
    public var otherSession = 0
    /// From an address that cannot be, or for want of a place.
    public var crowdedOut = 0
    /// The interfaces by which our own voice came back, by IPv4 and by IPv6: this machine's firewall lets it in there.
    public var own4: Set<UInt32> = []
    public var own6: Set<UInt32> = []

    public init() {}
}

/// Discovery without a socket or a clock: events and the time go in, effects come out. The same whether beacon, mDNS or
/// both feed it.
public struct DiscoveryCore: Sendable {
    public enum Event: Sendable {
        case interfaces([NetworkInterface])
        /// A datagram, the address it came from, and the interface it came in on.
        case datagram([UInt8], source: Endpoint, interface: UInt32)
        case observation(Observation)
        case announce(Announcement?)
        case probed(NodeID, answered: Bool)
        /// The wake-up asked for, or any other: a stale one is nothing.
        case tick
    }

    public enum Effect: Hashable, Sendable {
        /// To every interface.
        case send([UInt8])
        case probe(NodeID, Endpoint)
        case changed(NodeChange)
    }

    private let setup: DiscoverySetup
    private var table: SightingTable
    private var speaker: BeaconSpeaker
    private var sequence: UInt32 = 0
    private var last: Instant
    private var dropped = DiscoveryCounters()

    public init(_ setup: DiscoverySetup, now: Instant) {
        self.setup = setup
        table = SightingTable(now: now)
        speaker = BeaconSpeaker(generator: SeededGenerator(seed: setup.seed), now: now)
        last = now
    }

    public var entries: [NodeEntry] { table.entries }

    public var counters: DiscoveryCounters {
        var counters = dropped
        counters.crowdedOut += table.crowdedOut
        return counters
    }

    /// When `tick` is wanted at the latest. Once a second at least, so that a sleep is noticed as one.
    public var wake: Instant {
        let pulse = last + .seconds(1)
        return min(pulse, speaker.due ?? pulse, table.due ?? pulse)
    }

    public mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        if now - last > Limits.sleep {
            table.awake(now: now)
            speaker.renew(now: now)
        }
        last = max(last, now)
        var effects = take(event, now: now)
        effects += carryOut(table.tick(now: now))
        if let kind = speaker.speak(now: now) { effects.append(.send(packet(kind))) }
        return effects
    }

    private mutating func take(_ event: Event, now: Instant) -> [Effect] {
        switch event {
        case .interfaces(let interfaces):
            let before = Set(table.surroundings.interfaces.flatMap { $0.addresses.map(\.octets) })
            let changes = table.surround(interfaces)
            let fresh = interfaces.contains { $0.addresses.contains { !before.contains($0.octets) } }
            if fresh { speaker.renew(now: now) }
            return carryOut(changes)
        case .datagram(let bytes, let source, let interface):
            return hear(bytes, source: source, interface: interface, now: now)
        case .observation(.present(let sighting)):
            guard isWanted(sighting.announcement) else { return [] }
            return carryOut(table.hint(sighting, now: now))
        case .observation(.withdrawn(let sighting)): return carryOut(table.unhint(sighting, now: now))
        case .observation(.status), .tick: return []
        case .announce(let announcement):
            var goodbyes: [Effect] = []
            if announcement == nil, speaker.announcement != nil {
                for _ in 0..<Limits.goodbyes { goodbyes.append(.send(packet(.leaving))) }
            }
            speaker.announce(announcement, now: now)
            return goodbyes
        case .probed(let node, let answered): return carryOut(table.probed(node, answered: answered, now: now))
        }
    }

    // MARK: - Hearing

    private func isWanted(_ announcement: Announcement) -> Bool {
        guard announcement.node != setup.node else { return false }
        switch setup.scope {
        case .session(let hash): return announcement.sessionHash == hash
        case .everything: return true
        }
    }

    private mutating func hear(_ bytes: [UInt8], source: Endpoint, interface: UInt32, now: Instant) -> [Effect] {
        dropped.heard += 1
        guard let (packet, body, tag) = try? BeaconPacket.decode(bytes), let announcement = packet.announcement.checked
        else {
            dropped.malformed += 1
            return []
        }
        guard announcement.node != setup.node else {
            if source.octets.count == 4 { dropped.own4.insert(interface) } else { dropped.own6.insert(interface) }
            return []
        }
        let isKeyed = setup.key != nil && setup.scope == .session(announcement.sessionHash)
        let isVerified = isKeyed && setup.key?.isTag(tag, of: body) == true
        if packet.kind == .question {
            takeQuestion(packet, isVerified: isVerified, now: now)
            return []
        }
        guard isWanted(announcement) else {
            dropped.otherSession += 1
            return []
        }
        // A wrong tag is no reason to be silent: whoever typed a wrong code shall see the session, and be told by its link.
        guard let endpoint = Endpoint(octets: source.octets, scope: source.scope, port: announcement.port) else {
            return []
        }
        let sighting = Sighting(
            announcement: announcement, source: .beacon, trust: isVerified ? .verified : .unverified,
            interface: interface, sameMachine: table.surroundings.isOwn(source.octets), host: nil, endpoint: endpoint)
        if packet.kind == .leaving {
            return carryOut(table.leave(sighting, sequence: packet.sequence, now: now))
        }
        let (effects, isNew) = table.hear(sighting, sequence: packet.sequence, now: now)
        if isNew || packet.kind == .new { speaker.answer(now: now) }
        return carryOut(effects)
    }

    /// Anybody may ask: the answer is what is said anyway, and the speaker limits how often.
    private mutating func takeQuestion(_ packet: BeaconPacket, isVerified: Bool, now: Instant) {
        let hash = packet.announcement.sessionHash
        let concernsUs = hash == speaker.announcement?.sessionHash || hash == .any
        if concernsUs, packet.asked.isEmpty || packet.asked.contains(setup.node) { speaker.answer(now: now) }
        // Only a member's question may spare us ours, or a stranger could keep a dead node on the list.
        if isVerified { for node in packet.asked { table.overhear(questionTo: node, now: now) } }
    }

    // MARK: - Speaking

    private mutating func carryOut(_ effects: [SightingTable.Effect]) -> [Effect] {
        var asked: [NodeID] = []
        var out: [Effect] = []
        for effect in effects {
            switch effect {
            case .ask(let node): asked.append(node)
            case .probe(let node, let endpoint): out.append(.probe(node, endpoint))
            case .changed(let change): out.append(.changed(change))
            }
        }
        while !asked.isEmpty {
            out.append(.send(packet(.question, asked: Array(asked.prefix(BeaconPacket.maximumAsked)))))
            asked.removeFirst(min(asked.count, BeaconPacket.maximumAsked))
        }
        return out
    }

    private mutating func packet(_ kind: BeaconPacket.Kind, asked: [NodeID] = []) -> [UInt8] {
        sequence &+= 1
        let voice = speaker.announcement ?? listener
        let body = BeaconPacket(kind: kind, announcement: voice, sequence: sequence, asked: asked).body()
        let key = setup.scope == .session(voice.sessionHash) ? setup.key : nil
        return body + (key?.tag(of: body) ?? [UInt8](repeating: 0, count: BeaconPacket.tagLength))
    }

    /// Who asks while announcing nothing.
    private var listener: Announcement {
        var hash = SessionHash.any
        if case .session(let wanted) = setup.scope { hash = wanted }
        return Announcement(node: setup.node, mode: .client, sessionHash: hash, session: nil, name: nil, port: 0)
    }
}

extension SessionHash {
    /// All zero, in a question to the nodes of every session.
    static let any = SessionHash(firstOctetsOf: [0, 0, 0, 0, 0, 0, 0, 0])
}
