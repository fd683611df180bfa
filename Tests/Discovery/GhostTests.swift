import PotluckCore
import Testing

@testable import PotluckNet

/// Nodes that mDNS still lists although they crashed: its caches keep a crashed host for over an hour.
@Suite struct GhostTests {
    @Test(arguments: 1...3 as ClosedRange<UInt64>) func aCrashedHostDoesNotComeBackFromCaches(seed: UInt64) {
        let party = Party(seed: seed)
        for _ in 0..<4 { party.join(avahi: true) }
        party.room.run(for: .seconds(5))
        let victim = party.guests[0]
        party.room.crash(victim.host)
        party.room.run(for: .seconds(7))
        #expect(party.guests.dropFirst().allSatisfy { !$0.sees(victim) })
        party.room.run(for: .seconds(seed == 1 ? 1000 : 100))
        for guest in party.guests.dropFirst() {
            #expect(guest.departures.map(\.1) == [.silent], "it went once, and did not come back to go again")
        }
    }

    @Test func aNewcomerIsShownAGhostAsUnconfirmedAndThenNoMore() {
        let party = Party(seed: 6)
        for _ in 0..<3 { party.join(avahi: true) }
        party.room.run(for: .seconds(5))
        let victim = party.guests[0]
        party.room.crash(victim.host)
        party.room.run(for: .seconds(60))
        let newcomer = party.join(on: party.guests[1].host, port: 7078)
        #expect(party.room.run(upTo: .seconds(1)) { newcomer.sees(victim) } != nil)
        #expect(newcomer.entry(of: victim)?.standing == .unconfirmed)
        party.room.run(for: .seconds(10))
        #expect(!newcomer.sees(victim))
        party.room.run(for: .seconds(300))
        #expect(newcomer.departures.map(\.0) == [victim.node])
        #expect(newcomer.departures.map(\.1) == [.unreachable])
    }

    @Test func aNodeWithABlockedBeaconIsConfirmedByItsAnswer() {
        let party = Party(seed: 7)
        let viewer = party.join(avahi: true)
        let blocked = party.join(avahi: true, beaconBlocked: true)
        #expect(party.room.run(upTo: .seconds(2)) { viewer.sees(blocked) } != nil)
        #expect(viewer.entry(of: blocked)?.standing == .unconfirmed)
        party.room.run(for: .seconds(1))
        #expect(viewer.entry(of: blocked)?.standing == .present)
        #expect(viewer.entry(of: blocked)?.sources == [.mdns])
        #expect(viewer.entry(of: blocked)?.trust == .unverified)
        party.room.run(for: .seconds(600))
        #expect(viewer.departures.isEmpty)
        blocked.discovery.stop()
        party.room.run(for: .seconds(2))
        #expect(viewer.departures.map(\.1) == [.withdrawn])
    }

    @Test func aBlockedNodeIsFoundAgainAfterACut() {
        let party = Party(seed: 11)
        let viewer = party.join(avahi: true)
        let blocked = party.join(avahi: true, beaconBlocked: true)
        party.room.run(for: .seconds(5))
        party.room.cut(blocked.host)
        party.room.run(for: .seconds(40))
        #expect(!viewer.sees(blocked))
        party.room.heal(blocked.host)
        party.room.run(for: .seconds(61))
        #expect(viewer.entry(of: blocked)?.standing == .present)
    }

    @Test func aBlockedNodeThatIsKilledIsWithdrawn() {
        let party = Party(seed: 12)
        let viewer = party.join(avahi: true)
        let blocked = party.join(avahi: true, beaconBlocked: true)
        party.room.run(for: .seconds(5))
        party.room.kill(blocked.discovery)
        party.room.run(for: .seconds(2))
        #expect(!viewer.sees(blocked))
    }

    /// A host crashes and boots, and a new node uses the old address and port while the caches still list the old node.
    @Test func aGhostAtTheAddressOfALivingNodeStaysAway() {
        let party = Party(seed: 13)
        let viewer = party.join(avahi: true)
        let old = party.join(avahi: true)
        party.room.run(for: .seconds(5))
        party.room.crash(old.host)
        party.room.run(for: .seconds(30))
        party.room.boot(old.host)
        let new = party.join(on: old.host)
        let late = party.join(on: viewer.host, port: 7078)
        party.room.run(for: .seconds(200))
        for guest in [viewer, late] {
            #expect(guest.sees(new))
            #expect(!guest.sees(old))
        }
    }
}
