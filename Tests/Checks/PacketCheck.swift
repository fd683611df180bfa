import PotluckCore
import PotluckNet
import PotluckSystem

extension Check {
    /// Whatever strangers send, the state and the answers of a node stay bounded. If there is a key, a friend with the
    /// right tag stays known.
    static func packets(hasKey: Bool) -> Check {
        Check(name: "packets and records of discovery, \(hasKey ? "with" : "without") a key", few: 10_000) { seeds in
            var flood = try PacketFlood(hasKey: hasKey, seed: seeds.lowerBound)
            for round in 0..<seeds.count { try flood.send(round) }
            try flood.judge(rounds: seeds.count, hasKey: hasKey)
        }
    }
}

/// A node that receives two packets of a friend in a hundred rounds, and packets of strangers in all others.
private struct PacketFlood {
    private static let monty = SessionID("Monty")!
    private static let key = SessionRoot(openTo: monty).beacon
    private static let friend = Announcement(
        node: NodeID(firstOctetsOf: [UInt8](repeating: 9, count: 16)), mode: .peer, sessionHash: monty.hash,
        session: monty, name: "friend", port: 7077)
    private static let home = Endpoint(octets: [10, 0, 0, 1], port: 0)!

    private var generator: SeededGenerator
    private var core: DiscoveryCore
    private let hasKey: Bool
    private var now = Instant.start
    private var sent = 0

    init(hasKey: Bool, seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        self.hasKey = hasKey
        let own = NodeID(firstOctetsOf: [UInt8](repeating: 7, count: 16))
        let hash = Self.monty.hash
        core = DiscoveryCore(
            DiscoverySetup(node: own, scope: .session(hash), key: hasKey ? Self.key : nil, seed: 1), now: .start)
        let said = Announcement(
            node: own, mode: .peer, sessionHash: hash, session: Self.monty, name: "me", port: 1)
        _ = core.handle(.announce(said), at: .start)
    }

    mutating func send(_ round: Int) throws {
        now = now + .microseconds(100)
        let isFriends = round.isMultiple(of: 50)
        let body = BeaconPacket(kind: .present, announcement: Self.friend, sequence: UInt32(round + 1)).body()
        let template = body + (isFriends || hasKey ? Self.key.tag(of: body) : [UInt8](repeating: 0, count: 16))
        let stranger: [UInt8] = [
            10, 0, UInt8(truncatingIfNeeded: generator.next(below: 20)), UInt8(generator.next(below: 256)),
        ]
        guard let source = Endpoint(octets: stranger, port: 0), let port = Endpoint(octets: stranger, port: 7077) else {
            throw Broken(description: "an IPv4 address has 4 octets")
        }
        let octets = isFriends ? template : datagram(round, template)
        let effects = core.handle(.datagram(octets, source: isFriends ? Self.home : source, interface: 2), at: now)
        sent += effects.count { if case .send = $0 { true } else { false } }
        var text = TXTRecord.encode(Self.friend)
        for _ in 0...2 {
            text[Int(generator.next(below: UInt64(text.count)))] = UInt8(truncatingIfNeeded: generator.next())
        }
        guard let heard = TXTRecord.decode(text, port: 7077) else { return }
        let hint = Sighting(
            announcement: heard, source: .mdns, trust: .unverified, interface: 2, sameMachine: false, host: "x",
            endpoint: port)
        _ = core.handle(.observation(.present(hint)), at: now)
    }

    /// Returns random bytes, a real packet with a few bytes changed or cut off, or a real packet of a made-up node, a
    /// third each.
    private mutating func datagram(_ round: Int, _ template: [UInt8]) -> [UInt8] {
        var octets = template
        switch round % 3 {
        case 0: return (0..<generator.next(below: 450)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        case 1:
            for _ in 0...generator.next(below: 4) {
                octets[Int(generator.next(below: UInt64(octets.count)))] = UInt8(truncatingIfNeeded: generator.next())
            }
            if generator.next(below: 3) == 0 { octets.removeLast(Int(generator.next(below: UInt64(octets.count)))) }
        default: for index in 9..<25 { octets[index] = UInt8(truncatingIfNeeded: generator.next()) }
        }
        return octets
    }

    func judge(rounds: Int, hasKey: Bool) throws {
        try must(core.entries.count <= Limits.verifiedNodes + Limits.strangers, "\(core.entries.count) nodes are kept")
        try must(core.counters.malformed > rounds / 4, "only \(core.counters.malformed) packets were malformed")
        // Without a key anybody may claim the friend's address or say goodbye in its name.
        if hasKey {
            try must(
                core.entries.contains { $0.node == Self.friend.node && $0.trust == .verified }, "the friend is lost")
        }
        try must(core.entries.allSatisfy { $0.endpoints.count <= Limits.routes }, "a node has too many routes")
        // A thousand packets take a tenth of a second. The answers stay few, however many nodes ask.
        let seconds = (now - .start).seconds
        let asked = Double(Limits.strangers + 1) / Double(BeaconPacket.maximumAsked) * 4 * seconds
        try must(
            Double(sent) <= 40 + seconds * Double(Limits.answersPerSecond + 2) + asked, "\(sent) packets were sent")
    }
}
