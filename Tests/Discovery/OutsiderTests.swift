import Foundation
import PotluckCore
import PotluckSystem
import Testing

@testable import PotluckNet

@Suite struct OutsiderTests {
    /// One datagram in the server's name and one in another name from the same address and port look as if the server
    /// had been replaced there.
    @Test(arguments: 1...10 as ClosedRange<UInt64>, [false, true]) func twoDatagramsHoldNobodyOut(
        seed: UInt64, knocks: Bool
    ) {
        let party = Party(seed: seed)
        let server = party.join()
        party.room.run(for: .seconds(3))
        let outsider = Outsider(party, seed: seed)
        let newcomer = party.join(announces: false, knocks: knocks)
        for name in [server.node, party.newID()] {
            party.room.shout(outsider.lie(.present, in: name), from: [10, 77, 0, 99])
        }
        let took = party.room.run(upTo: .seconds(20)) { newcomer.entry(of: server)?.trust == .verified }
        #expect(took.map { $0 <= .milliseconds(50) } == true, "took \(String(describing: took))")
        #expect(newcomer.entry(of: server)?.endpoints.contains { $0.octets == [10, 77, 0, 99] } == false)
    }

    /// The number of seeds; POTLUCK_OUTSIDERS sets another one.
    private static let evenings = ProcessInfo.processInfo.environment["POTLUCK_OUTSIDERS"].flatMap(UInt64.init) ?? 12

    /// The outsider sends a hundred datagrams a second. Newcomers see all members within a second, each with a right
    /// address among its first two; not always the first, because a replay arrives first if the original was lost. No
    /// present node disappears, and no departed one returns.
    @Test(arguments: 1...evenings) func datagramsOfAnOutsiderChangeNothing(seed: UInt64) {
        let party = Party(seed: seed, loss: seed.isMultiple(of: 2) ? 0.1 : 0)
        let leaver = party.join()
        let members = (0..<4).map { party.join(port: 7077 + UInt16($0 % 2)) }
        party.room.run(for: .seconds(2))
        var outsider = Outsider(party, seed: seed)
        for round in 0..<5 {
            let newcomer = party.join(announces: round > 0, knocks: true)
            if round == 1 { leaver.discovery.stop() }
            for moment in 0..<300 {
                outsider.shout()
                party.room.run(for: .milliseconds(10))
                guard moment >= 100 else { continue }
                for member in members {
                    let entry = newcomer.entry(of: member)
                    #expect(entry?.trust == .verified)
                    let own = party.room.addresses(of: member.host)
                    #expect(entry?.endpoints.prefix(2).contains { own.contains($0.octets) } == true)
                }
            }
        }
        let there = party.guests.filter { $0.node != leaver.node }
        for guest in there {
            #expect(guest.departures.allSatisfy { left in !there.contains { $0.node == left.0 } })
        }
        for member in members {
            #expect(member.discovery.entries.allSatisfy { $0.trust == .verified })
            #expect(!member.sees(leaver))
            #expect(member.departures.map(\.0) == [leaver.node], "it went once, and did not come back to go again")
        }
        #expect(outsider.missing == [], "the outsider has not done all that it can")
    }

    /// Datagrams that are dropped early would have changed nothing.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func datagramsDroppedEarlyWouldChangeNothing(seed: UInt64) {
        func story(dropsAtOnce: Bool) -> (told: [[NodeChange]], said: [[UInt8]], dropped: Int) {
            let party = Party(seed: seed, loss: seed.isMultiple(of: 2) ? 0.1 : 0, dropsAtOnce: dropsAtOnce)
            let leaver = party.join()
            party.join()
            party.join(announces: false, knocks: true)
            party.join(scope: .everything)
            var outsider = Outsider(party, seed: seed)
            for moment in 0..<600 {
                outsider.shout()
                party.room.run(for: .milliseconds(10))
                if moment == 200 { leaver.discovery.stop() }
                if moment == 300 { party.join(knocks: true) }
            }
            return (party.guests.map(\.changes), party.room.overheard, party.room.dropped)
        }
        let (some, all) = (story(dropsAtOnce: true), story(dropsAtOnce: false))
        #expect(some.told == all.told)
        #expect(some.said == all.said)
        #expect(some.dropped > 500 && all.dropped == 0)
    }

    /// A flood of 15,000 datagrams a second, each from another node, causes few reports and few entries.
    @Test(arguments: [true, false], [true, false]) func aFloodIsNoFloodOfNews(hasKey: Bool, knocks: Bool) throws {
        let party = Party(seed: 1)
        let outsider = Outsider(party, seed: 1)
        let root = SessionRoot(openTo: Party.monty)
        var core = DiscoveryCore(
            DiscoverySetup(
                node: party.newID(), scope: .session(Party.monty.hash), key: hasKey ? root.beacon : nil, knocks: knocks,
                seed: 1), now: .start)
        var generator = SeededGenerator(seed: 7)
        var changes = 0
        let seconds = 2
        for round in 0..<seconds * 15_000 {
            let octets = (0..<2).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let source = try #require(Endpoint(octets: [10, 77] + octets, port: 0))
            let bytes = outsider.lie(round.isMultiple(of: 5) ? .leaving : .present, in: party.newID(), port: 7077)
            let effects = core.handle(
                .datagram(bytes, source: source, interface: 2), at: .start + .microseconds(round * 66))
            changes += effects.count { if case .changed = $0 { true } else { false } }
        }
        #expect(changes <= (hasKey ? knocks ? 32 : 0 : 1200))
        #expect(core.entries.count <= (hasKey ? knocks ? 16 : 0 : Limits.strangers))
    }

    /// mDNS proves nothing, so an address that only mDNS gives for a verified node ranks last.
    @Test func addressesThatOnlyMDNSGivesComeLast() throws {
        let party = Party(seed: 3)
        let hash = Party.monty.hash
        let server = Announcement(
            node: party.newID(), mode: .server, sessionHash: hash, session: Party.monty, name: "lab", port: 7077)
        func sighting(_ octets: [UInt8], _ source: Sighting.Source, _ trust: Sighting.Trust) throws -> Sighting {
            Sighting(
                announcement: server, source: source, trust: trust, interface: 2, sameMachine: false,
                host: source == .mdns ? "liar.local" : nil, endpoint: try #require(Endpoint(octets: octets, port: 7077))
            )
        }
        let home: [UInt8] = [10, 77, 0, 50]
        for isFirst in [true, false] {
            var table = SightingTable(now: .start)
            func lie() throws {
                for number in 0..<40 as Range<UInt8> {
                    _ = table.hint(try sighting([10, 77, 0, number], .mdns, .unverified), now: .start)
                }
            }
            if isFirst { try lie() }
            _ = table.hear(try sighting(home, .beacon, .verified), sequence: 1, now: .start)
            if !isFirst { try lie() }
            let entry = try #require(table.entries.first)
            #expect(entry.trust == .verified)
            #expect(entry.endpoints.first?.octets == home)
            #expect(entry.host == nil)
        }
    }
}
