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
    /// Whether nodes that prove nothing are of interest as long as none is in sight that knows the code: to a newcomer, who
    /// may have mistyped it, and is told so by a link.
    public var knocks: Bool
    /// Starts the jitter.
    public var seed: UInt64

    public init(node: NodeID, scope: Scope, key: BeaconKey?, knocks: Bool = false, seed: UInt64) {
        self.node = node
        self.scope = scope
        self.key = key
        self.knocks = knocks
        self.seed = seed
    }
}

/// What was heard and dropped, and whether our own voice came back.
public struct DiscoveryCounters: Hashable, Sendable {
    public var heard = 0
    /// Not beacons, or cut short, or with names no screen should show.
    public var malformed = 0
    public var otherSession = 0
    /// In our session's name, from somebody without the code.
    public var unproven = 0
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

    let setup: DiscoverySetup
    /// The hash of the session looked for as one number; nil where it is every session.
    let session: UInt64?
    private(set) var table: SightingTable
    private var speaker: BeaconSpeaker
    private var sequence: UInt32 = 0
    private var last: Instant
    var dropped = DiscoveryCounters()
    private var strangers: Strangers
    /// How often our own voice is looked at.
    var echoes: Allowance
    /// The numbers of the latest calls for our voice that proved themselves.
    private(set) var calls: [NodeID: UInt32] = [:]

    public init(_ setup: DiscoverySetup, now: Instant) {
        self.setup = setup
        session = if case .session(let hash) = setup.scope { BeaconHead.word(of: hash) } else { nil }
        table = SightingTable(now: now)
        speaker = BeaconSpeaker(generator: SeededGenerator(seed: setup.seed), now: now)
        last = now
        strangers = Strangers(now: now)
        echoes = Allowance(most: Limits.echoes, perSecond: Limits.echoes, now: now)
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
        let isVerified = prove(bytes)
        if !isVerified, !isWorthReading(bytes, source: source, now: now) { return [] }
        // A question that was heard before is not even read.
        if isVerified, let head = BeaconHead(bytes.span), head.kind == .question, head.node != setup.node,
            head.sequence <= calls[head.node] ?? 0
        {
            return []
        }
        guard let (packet, _, _) = try? BeaconPacket.decode(bytes), let announcement = packet.announcement.checked
        else {
            dropped.malformed += 1
            return []
        }
        guard announcement.node != setup.node else {
            if source.octets.count == 4 { dropped.own4.insert(interface) } else { dropped.own6.insert(interface) }
            return []
        }
        if packet.kind == .question {
            if isVerified, !isUnrepeated(packet) { return [] }
            takeQuestion(packet, isVerified: isVerified, now: now)
            return []
        }
        guard isWanted(announcement) else {
            dropped.otherSession += 1
            return []
        }
        guard isVerified || isShown(announcement.node) else {
            dropped.unproven += 1
            return []
        }
        guard let endpoint = Endpoint(octets: source.octets, scope: source.scope, port: announcement.port) else {
            return []
        }
        let sighting = Sighting(
            announcement: announcement, source: .beacon, trust: isVerified ? .verified : .unverified,
            interface: interface, sameMachine: table.surroundings.isOwn(source.octets), host: nil, endpoint: endpoint)
        if packet.kind == .leaving {
            return carryOut(table.leave(sighting, sequence: packet.sequence, now: now))
        }
        let (effects, isNew) = table.hear(
            sighting, sequence: packet.sequence, saysNew: packet.kind == .new, now: now)
        let isFirst = !isVerified || isUnrepeated(packet)
        if isNew || packet.kind == .new && isFirst { speaker.answer(isMember: isVerified, now: now) }
        return carryOut(effects)
    }

    /// Whether a datagram's tag is one of our session's. Before anything else: a flood of others costs this and no more.
    private func prove(_ bytes: [UInt8]) -> Bool {
        guard let key = setup.key, case .session(let hash) = setup.scope, BeaconPacket.isBeacon(bytes, of: hash) else {
            return false
        }
        return key.isTag(bytes.suffix(BeaconPacket.tagLength), of: bytes.dropLast(BeaconPacket.tagLength))
    }

    /// Of what proves nothing only so much is looked at: without a key all that is of the session looked for, and with one
    /// questions, and what a newcomer may knock at.
    private mutating func isWorthReading(_ bytes: [UInt8], source: Endpoint, now: Instant) -> Bool {
        guard BeaconPacket.isBeacon(bytes) else {
            dropped.malformed += 1
            return false
        }
        if case .session(let hash) = setup.scope, !BeaconPacket.isBeacon(bytes, of: hash),
            !BeaconPacket.isBeacon(bytes, of: .any)
        {
            dropped.otherSession += 1
            return false
        }
        guard takesStrangers || BeaconPacket.isQuestion(bytes) else {
            dropped.unproven += 1
            return false
        }
        guard strangers.mayBeHeard(at: source.octets, now: now) else {
            dropped.crowdedOut += 1
            return false
        }
        return true
    }

    /// Whether a proven call for our voice is the newest of that node's: anybody can repeat one. A copy by another interface
    /// calls for nothing more.
    private mutating func isUnrepeated(_ packet: BeaconPacket) -> Bool {
        let node = packet.announcement.node
        guard packet.sequence > calls[node] ?? 0 else { return false }
        // Those that are there begin to count anew; that costs an answer for each.
        if calls.count >= Limits.verifiedNodes, calls[node] == nil { calls = [:] }
        calls[node] = packet.sequence
        return true
    }

    private var isKeyed: Bool { if case .session = setup.scope { setup.key != nil } else { false } }

    /// Whether nodes that prove nothing are of interest.
    var takesStrangers: Bool { !isKeyed || setup.knocks && table.verified == 0 }

    /// Whether a node that proves nothing is kept all the same.
    private func isShown(_ node: NodeID) -> Bool {
        guard isKeyed else { return true }
        return takesStrangers && (table.nodes[node] != nil || table.strangers < Limits.knocks)
    }

    /// Anybody may ask: the answer is what is said anyway, and the speaker limits how often.
    private mutating func takeQuestion(_ packet: BeaconPacket, isVerified: Bool, now: Instant) {
        let hash = packet.announcement.sessionHash
        let concernsUs = hash == speaker.announcement?.sessionHash || hash == .any
        if concernsUs, packet.asked.isEmpty || packet.asked.contains(setup.node) {
            speaker.answer(isMember: isVerified, now: now)
        }
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
