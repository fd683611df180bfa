import PotluckCore
import PotluckSystem

/// The settings of discovery.
public struct DiscoverySetup: Sendable {
    /// This node's ID. Sightings of it are ignored.
    public var node: NodeID
    var scope: Scope
    /// The key of the wanted session. Without it every sighting stays unverified.
    public var key: BeaconKey?
    /// Whether unverified nodes are reported as long as no verified one is seen. A newcomer wants this: it may have
    /// mistyped the code, and learns that when it dials such a node.
    var knocks: Bool
    /// The seed of the jitter.
    public var seed: UInt64

    public init(node: NodeID, scope: Scope, key: BeaconKey?, knocks: Bool = false, seed: UInt64) {
        self.node = node
        self.scope = scope
        self.key = key
        self.knocks = knocks
        self.seed = seed
    }
}

/// Counts of received and dropped datagrams, and the interfaces on which own beacons came back.
public struct DiscoveryCounters: Hashable, Sendable {
    public var heard = 0
    /// Datagrams that are no beacons, are truncated, or contain names that must not be displayed.
    public var malformed = 0
    var otherSession = 0
    /// Beacons for this session from nodes without the code.
    var unproven = 0
    /// Sightings dropped because a limit was reached.
    var crowdedOut = 0
    /// The interfaces on which own beacons came back, by IPv4 and by IPv6. There, this machine's firewall admits them.
    var own4: Set<UInt32> = []
    var own6: Set<UInt32> = []

    init() {}
}

/// The core of discovery, without sockets or a clock: events and the time go in, effects come out. It works the same
/// with the beacon, mDNS or both.
public struct DiscoveryCore: Sendable {
    public enum Event: Sendable {
        case interfaces([NetworkInterface])
        /// A datagram, its source address, and the interface on which it arrived.
        case datagram([UInt8], source: Endpoint, interface: UInt32)
        case observation(Observation)
        case announce(Announcement?)
        case probed(NodeID, answered: Bool)
        /// The requested wake-up. A stale one has no effect.
        case tick
    }

    public enum Effect: Hashable, Sendable {
        /// Sends a datagram on every interface.
        case send([UInt8])
        case probe(NodeID, Endpoint)
        case changed(NodeChange)
    }

    let setup: DiscoverySetup
    /// The hash of the wanted session as a number; nil for every session.
    let session: UInt64?
    private(set) var table: SightingTable
    private var speaker: BeaconSpeaker
    private var sequence: UInt32 = 0
    private var last: Instant
    var dropped = DiscoveryCounters()
    private var strangers: Strangers
    /// Limits how often own beacons that came back are handled.
    var echoes: Allowance
    /// For each node, the number of its latest verified beacon that requests an answer.
    private(set) var calls: [NodeID: UInt32] = [:]

    public init(_ setup: DiscoverySetup, now: Instant) {
        self.setup = setup
        session = if case .session(let hash) = setup.scope { BeaconHead.word(of: hash) } else { nil }
        table = SightingTable(now: now)
        speaker = BeaconSpeaker(generator: SeededGenerator(seed: setup.seed), now: now)
        last = now
        strangers = Strangers(now: now)
        echoes = Allowance((Limits.echoes, Limits.echoes), at: now)
    }

    public var entries: [NodeEntry] { table.entries }

    public var counters: DiscoveryCounters {
        var counters = dropped
        counters.crowdedOut += table.crowdedOut
        return counters
    }

    /// When `tick` is wanted at the latest. At least once a second, so that a sleep of the machine is noticed.
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
        var effects = apply(event, now: now)
        effects += carryOut(table.tick(now: now))
        if let kind = speaker.speak(now: now) { effects.append(.send(packet(kind))) }
        return effects
    }

    private mutating func apply(_ event: Event, now: Instant) -> [Effect] {
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
        // A question that was heard before is dropped without decoding it.
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

    /// Returns whether a datagram has a valid tag of the session. This comes first, so that a flood of other datagrams
    /// costs only this.
    private func prove(_ bytes: [UInt8]) -> Bool {
        guard let key = setup.key, case .session(let hash) = setup.scope, BeaconPacket.isBeacon(bytes, of: hash) else {
            return false
        }
        return key.isTag(bytes.suffix(BeaconPacket.tagLength), of: bytes.dropLast(BeaconPacket.tagLength))
    }

    /// Returns whether to decode an unverified datagram, within limits. Without a key that is everything for the wanted
    /// session; with a key, only questions and the nodes that a newcomer may dial.
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

    /// Returns whether a verified request for an answer is the newest of its node. Anybody can replay an older one, and
    /// a copy from another interface needs no second answer.
    private mutating func isUnrepeated(_ packet: BeaconPacket) -> Bool {
        let node = packet.announcement.node
        guard packet.sequence > calls[node] ?? 0 else { return false }
        // Forgetting all numbers costs one more answer for each node.
        if calls.count >= Limits.verifiedNodes, calls[node] == nil { calls = [:] }
        calls[node] = packet.sequence
        return true
    }

    private var isKeyed: Bool { if case .session = setup.scope { setup.key != nil } else { false } }

    /// Whether unverified nodes are reported.
    var takesStrangers: Bool { !isKeyed || setup.knocks && table.verified == 0 }

    /// Returns whether to keep an unverified node.
    private func isShown(_ node: NodeID) -> Bool {
        guard isKeyed else { return true }
        return takesStrangers && (table.nodes[node] != nil || table.strangers < Limits.knocks)
    }

    /// Handles a question. Anybody may ask: the answer is the regular beacon, and the speaker limits how often it is
    /// sent.
    private mutating func takeQuestion(_ packet: BeaconPacket, isVerified: Bool, now: Instant) {
        let hash = packet.announcement.sessionHash
        let concernsUs = hash == speaker.announcement?.sessionHash || hash == .any
        if concernsUs, packet.asked.isEmpty || packet.asked.contains(setup.node) {
            speaker.answer(isMember: isVerified, now: now)
        }
        // Only a verified question may replace one of ours. Otherwise a stranger could keep a dead node on the list.
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

    /// The sender of questions while this node announces nothing.
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
