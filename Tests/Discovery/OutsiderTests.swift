import PotluckCrypto
import PotluckModel
import PotluckWire
import Testing

@testable import PotluckDiscovery

/// Somebody on the network who does not know the code: says anything in anybody's name from anybody's address, and repeats
/// what members said.
private struct Outsider {
    let party: Party
    var generator: SeededGenerator

    init(_ party: Party, seed: UInt64) {
        self.party = party
        generator = SeededGenerator(seed: seed ^ 0x6f75_7473)
    }

    /// A beacon of Monty with a tag that is none.
    func lie(
        _ kind: BeaconPacket.Kind, in name: NodeID, port: UInt16 = 7077, sequence: UInt32 = 1, tag: UInt8 = 0
    ) -> [UInt8] {
        let said = Announcement(
            node: name, mode: .server, sessionHash: Party.monty.hash, session: Party.monty, name: "liar", port: port)
        let asked = kind == .question ? [name] : []
        return BeaconPacket(kind: kind, announcement: said, sequence: sequence, asked: asked).body()
            + [UInt8](repeating: tag, count: BeaconPacket.tagLength)
    }

    /// One datagram of whatever kind, about whomever, from wherever.
    mutating func shout() {
        let names = party.guests.map(\.node) + [party.newID()]
        let guests = party.guests.flatMap { party.room.addresses(of: $0.host) }.filter { !$0.isLoopback }
        let own = (0..<20).map { [10, 77, 0, 200 + UInt8($0)] as [UInt8] } + [[10, 0, 0, 1]]
        let address = pick(generator.next(below: 2) == 0 ? guests : own)
        if generator.next(below: 3) == 0, !party.room.overheard.isEmpty {
            return party.room.shout(pick(party.room.overheard), from: address)
        }
        let kinds = BeaconPacket.Kind.allCases
        party.room.shout(
            lie(
                pick(kinds), in: pick(names), port: pick([7077, 7078, 9]), sequence: pick([1, 1000, .max]),
                tag: UInt8(truncatingIfNeeded: generator.next())), from: address)
    }

    private mutating func pick<Element>(_ some: [Element]) -> Element {
        some[Int(generator.next(below: UInt64(some.count)))]
    }
}

@Suite struct OutsiderTests {
    /// The first in the server's name, the second in another from the same address and port: as if the server had been
    /// replaced there.
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

    /// All evening, a hundred a second: nobody who is there goes for anybody, newcomers see them all within a second, with
    /// an address of theirs among the first two: one that was lost on its way may come from the outsider first.
    @Test(arguments: 1...4 as ClosedRange<UInt64>) func anOutsiderWhoSaysAnythingChangesNothing(seed: UInt64) {
        let party = Party(seed: seed, loss: seed.isMultiple(of: 2) ? 0.1 : 0)
        let members = (0..<4).map { _ in party.join() }
        party.room.run(for: .seconds(2))
        var outsider = Outsider(party, seed: seed)
        for _ in 0..<6 {
            let newcomer = party.join(knocks: true)
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
        for guest in party.guests {
            #expect(guest.departures.allSatisfy { left in !party.guests.contains { $0.node == left.0 } })
        }
        for member in members { #expect(member.discovery.entries.allSatisfy { $0.trust == .verified }) }
    }

    /// At 15,000 a second, each of another node: what comes of it for people and programs is little.
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

    /// mDNS proves nothing: what it says of a node whose tag was checked is another place to look, after all others.
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
