import PotluckCrypto
import PotluckModel
import PotluckWire
import Testing

@testable import PotluckDiscovery

/// What strangers may send: a crash is a failure, and so is growth.
@Suite struct FuzzTests {
    /// A third each: noise, real packets with a few octets changed or cut, real ones of made-up nodes.
    private func datagram(_ round: Int, _ template: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        switch round % 3 {
        case 0: return (0..<generator.next(below: 450)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        case 1:
            var bytes = template
            for _ in 0...generator.next(below: 4) {
                bytes[Int(generator.next(below: UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: generator.next())
            }
            if generator.next(below: 3) == 0 { bytes.removeLast(Int(generator.next(below: UInt64(bytes.count)))) }
            return bytes
        default:
            var bytes = template
            for index in 9..<25 { bytes[index] = UInt8(truncatingIfNeeded: generator.next()) }
            return bytes
        }
    }

    /// A million with POTLUCK_FUZZ=1000000, as CI does; fewer by default, for a debug build takes its time.
    @Test(arguments: [false, true]) func anyPacketsAndRecords(hasKey: Bool) throws {
        var generator = SeededGenerator(seed: hasKey ? 1 : 2)
        let hash = Party.monty.hash
        let key = SessionRoot(openTo: Party.monty).beacon
        let own = NodeID(firstOctetsOf: [UInt8](repeating: 7, count: 16))
        var core = DiscoveryCore(
            DiscoverySetup(node: own, scope: .session(hash), key: hasKey ? key : nil, seed: 1), now: .start)
        let said = Announcement(
            node: own, mode: .peer, sessionHash: hash, session: Party.monty, name: "me", port: 1)
        _ = core.handle(.announce(said), at: .start)
        let friend = Announcement(
            node: NodeID(firstOctetsOf: [UInt8](repeating: 9, count: 16)), mode: .peer, sessionHash: hash,
            session: Party.monty, name: "friend", port: 7077)
        let home = try #require(Endpoint(octets: [10, 0, 0, 1], port: 0))
        let record = TXTRecord.encode(friend)
        var now = Instant.start
        var sent = 0
        let rounds = Environment.fuzzRounds / 2
        for round in 0..<rounds {
            now = now + .microseconds(100)
            let body = BeaconPacket(kind: .present, announcement: friend, sequence: UInt32(round + 1)).body()
            let template =
                body + (round.isMultiple(of: 50) || hasKey ? key.tag(of: body) : [UInt8](repeating: 0, count: 16))
            let source = Endpoint(
                octets: [
                    10, 0, UInt8(truncatingIfNeeded: generator.next(below: 20)), UInt8(generator.next(below: 256)),
                ],
                port: 0)
            let isFriends = round.isMultiple(of: 50)
            let bytes = isFriends ? template : datagram(round, template, &generator)
            let effects = core.handle(
                .datagram(bytes, source: isFriends ? home : try #require(source), interface: 2), at: now)
            sent += effects.count { if case .send = $0 { true } else { false } }
            var text = record
            for _ in 0...2 {
                text[Int(generator.next(below: UInt64(text.count)))] = UInt8(truncatingIfNeeded: generator.next())
            }
            if let heard = TXTRecord.decode(text, port: 7077), let source {
                let hint = Sighting(
                    announcement: heard, source: .mdns, trust: .unverified, interface: 2, sameMachine: false, host: "x",
                    endpoint: try #require(Endpoint(octets: source.octets, port: 7077)))
                _ = core.handle(.observation(.present(hint)), at: now)
            }
        }
        #expect(core.entries.count <= Limits.verifiedNodes + Limits.strangers)
        #expect(core.counters.malformed > rounds / 4)
        // Without the key anybody may claim its address, or say goodbye in its name.
        if hasKey {
            let friendly = try #require(core.entries.first { $0.node == friend.node })
            #expect(friendly.trust == .verified)
        }
        #expect(core.entries.allSatisfy { $0.endpoints.count <= Limits.routes })
        // A tenth of a second a thousand packets: whatever is asked, the answers stay few.
        let seconds = (now - .start).seconds
        let asked = Double(Limits.strangers + 1) / Double(BeaconPacket.maximumAsked) * 4 * seconds
        #expect(Double(sent) <= 40 + seconds * Double(Limits.answersPerSecond + 2) + asked)
    }

    /// Made-up nodes by the thousand push out nobody whose tag was checked, and take only the places strangers have.
    @Test func aFloodOfStrangersPushesNobodyOut() throws {
        let hash = Party.monty.hash
        var generator = SeededGenerator(seed: 3)
        var table = SightingTable(now: .start)
        func sighting(_ port: UInt16, _ trust: Sighting.Trust, _ octets: [UInt8]) throws -> Sighting {
            let node = NodeID(firstOctetsOf: (0..<16).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
            let announcement = Announcement(
                node: node, mode: .peer, sessionHash: hash, session: nil, name: nil, port: port)
            return Sighting(
                announcement: announcement, source: .beacon, trust: trust, interface: 2, sameMachine: false, host: nil,
                endpoint: try #require(Endpoint(octets: octets, port: port)))
        }
        let members = try (0..<100).map { try sighting(7077, .verified, [10, 0, 0, UInt8($0)]) }
        for member in members { _ = table.hear(member, sequence: 1, now: .start) }
        for round in 0..<5000 {
            // Some claim a member's address and port.
            let octets: [UInt8] = [10, UInt8(round % 7 == 0 ? 0 : 1), 0, UInt8(truncatingIfNeeded: round)]
            _ = table.hear(try sighting(7077, .unverified, octets), sequence: 1, now: .start)
            _ = table.hint(try sighting(7077, .unverified, octets), now: .start)
        }
        let there = Set(table.entries.map(\.node))
        #expect(members.allSatisfy { there.contains($0.announcement.node) })
        #expect(table.nodes.count <= 100 + Limits.strangers)
        #expect(table.crowdedOut > 4000)
        let fromOne = try (0..<500).map { try sighting(UInt16($0 + 1), .unverified, [10, 9, 9, 9]) }
        var other = SightingTable(now: .start)
        for stranger in fromOne { _ = other.hear(stranger, sequence: 1, now: .start) }
        #expect(other.nodes.count == Limits.strangersPerAddress)
    }
}
