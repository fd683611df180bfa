import PotluckCore
import PotluckSystem
import Testing

@testable import PotluckNet

/// What strangers may send must neither crash a node nor make it grow.
@Suite struct FuzzTests {
    /// Thousands of made-up nodes displace no verified node, and take only the places of strangers.
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
