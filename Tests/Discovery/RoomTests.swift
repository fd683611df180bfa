import Foundation
import PotluckCore
import Testing

@testable import PotluckNet

/// What nodes see of a room, for many seeds on a virtual clock.
@Suite struct RoomTests {
    @Test(arguments: 1...10 as ClosedRange<UInt64>) func newcomerAndOthersKnowEachOtherWithinFiftyMilliseconds(
        seed: UInt64
    ) {
        let party = Party(seed: seed)
        for _ in 0..<11 { party.join() }
        party.room.run(for: .seconds(3))
        #expect(party.allSeeAll())
        let newcomer = party.join()
        let took = party.room.run(upTo: .seconds(1)) { party.allSeeAll() }
        #expect(took.map { $0 <= .milliseconds(50) } == true, "took \(String(describing: took))")
        #expect(newcomer.discovery.entries.count == 11, "each once")
    }

    /// Uses IPv4 only, so that a fifth of all beacons is lost and not a fifth of a fifth. POTLUCK_ROOM_HOURS sets
    /// another duration.
    @Test func lossAndDelayMakeNobodyDisappear() {
        let hours = ProcessInfo.processInfo.environment["POTLUCK_ROOM_HOURS"].flatMap(Double.init) ?? 0.03
        for seed in 1...2 as ClosedRange<UInt64> {
            let party = Party(seed: seed, loss: 0.2, delay: .milliseconds(30))
            for _ in 0..<12 { party.join(ipv6: false) }
            for _ in 0..<Int((hours * 60).rounded(.up)) {
                party.room.run(for: .seconds(60))
                for guest in party.guests { #expect(guest.departures.isEmpty, "seed \(seed)") }
            }
            #expect(party.allSeeAll())
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func cutAndHeal(seed: UInt64) {
        let party = Party(seed: seed)
        for _ in 0..<12 { party.join() }
        party.room.run(for: .seconds(2))
        party.room.cut(party.guests[0].host)
        party.room.run(for: .seconds(7))
        #expect(party.guests[0].discovery.entries.isEmpty)
        #expect(party.guests.dropFirst().allSatisfy { !$0.sees(party.guests[0]) })
        #expect(party.allSeeAll(Array(party.guests.dropFirst())))
        party.room.run(for: .seconds(20))
        party.room.heal(party.guests[0].host)
        let took = party.room.run(upTo: .seconds(5)) { party.allSeeAll() }
        #expect(took.map { $0 <= .seconds(2) } == true, "took \(String(describing: took))")
    }

    /// The cut is shorter than the timeout of either side, so no node disappears.
    @Test(arguments: 1...10 as ClosedRange<UInt64>) func aShortCutIsNoDeparture(seed: UInt64) {
        let party = Party(seed: seed)
        for _ in 0..<6 { party.join() }
        party.room.run(for: .seconds(2))
        party.room.cut(party.guests[0].host)
        party.room.run(for: .seconds(5))
        party.room.heal(party.guests[0].host)
        party.room.run(for: .seconds(5))
        #expect(party.guests.allSatisfy { $0.departures.isEmpty })
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func crashIsKnownWithinSevenSeconds(seed: UInt64) {
        let party = Party(seed: seed, loss: seed.isMultiple(of: 2) ? 0.2 : 0)
        for _ in 0..<8 { party.join() }
        party.room.run(for: .seconds(5) + .milliseconds(Int64(seed * 53)))
        let victim = party.guests[3]
        party.room.crash(victim.host)
        let others = party.guests.filter { $0.node != victim.node }
        let took = party.room.run(upTo: .seconds(20)) { others.allSatisfy { !$0.sees(victim) } }
        #expect(took.map { $0 <= .seconds(7) } == true, "took \(String(describing: took))")
        #expect(others.allSatisfy { $0.departures.map(\.1) == [.silent] })
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func goodbyeIsKnownAtOnce(seed: UInt64) {
        let party = Party(seed: seed, delay: .milliseconds(30))
        for _ in 0..<8 { party.join() }
        party.room.run(for: .seconds(3))
        let leaver = party.guests[2]
        leaver.discovery.stop()
        let others = party.guests.filter { $0.node != leaver.node }
        let took = party.room.run(upTo: .seconds(1)) { others.allSatisfy { !$0.sees(leaver) } }
        #expect(took.map { $0 <= .milliseconds(100) } == true)
        party.room.run(for: .seconds(30))
        #expect(others.allSatisfy { $0.departures.map(\.1) == [.left] }, "and nobody comes back from it")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>) func aRestartReplacesTheOldNodeAtOnce(seed: UInt64) {
        let party = Party(seed: seed)
        for _ in 0..<4 { party.join(avahi: seed.isMultiple(of: 2)) }
        party.room.run(for: .seconds(3))
        let old = party.guests[0]
        party.room.kill(old.discovery)
        let new = party.join(on: old.host)
        let others = [party.guests[1], party.guests[2], party.guests[3]]
        let took = party.room.run(upTo: .seconds(10)) { others.allSatisfy { $0.sees(new) && !$0.sees(old) } }
        #expect(took.map { $0 <= .milliseconds(50) } == true, "took \(String(describing: took))")
        party.room.run(for: .seconds(30))
        #expect(others.allSatisfy { $0.departures.map(\.1) == [.replaced(by: new.node)] })
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>) func aClosedLidJudgesNobody(seed: UInt64) {
        let party = Party(seed: seed)
        for _ in 0..<5 { party.join() }
        party.room.run(for: .seconds(3))
        let sleeper = party.guests[0]
        party.room.close(sleeper.host)
        party.room.run(for: .seconds(200))
        #expect(party.guests.dropFirst().allSatisfy { !$0.sees(sleeper) })
        party.room.open(sleeper.host)
        let took = party.room.run(upTo: .seconds(5)) { party.allSeeAll() }
        #expect(took.map { $0 <= .seconds(2) } == true)
        party.room.run(for: .seconds(30))
        #expect(sleeper.departures.isEmpty, "all were there all the time")
    }

    @Test func aNodeThatWakesLearnsOfDepartures() {
        let party = Party(seed: 5)
        for _ in 0..<3 { party.join() }
        party.room.run(for: .seconds(3))
        party.room.close(party.guests[0].host)
        party.guests[2].discovery.stop()
        party.room.run(for: .seconds(120))
        party.room.open(party.guests[0].host)
        party.room.run(for: .seconds(6))
        #expect(party.guests[0].sees(party.guests[1]))
        #expect(!party.guests[0].sees(party.guests[2]))
    }

    @Test func sessionsDoNotSeeEachOtherUnlessAsked() {
        let party = Party(seed: 9)
        let monty = (0..<3).map { _ in party.join(avahi: true) }
        let pi = (0..<3).map { _ in party.join(Party.session("Pi"), avahi: true) }
        let browser = party.join(avahi: true, announces: false, scope: .everything, hasKey: false)
        party.room.run(for: .seconds(5))
        for guest in monty {
            #expect(Set(guest.discovery.entries.map(\.node)) == Set(monty.map(\.node)).subtracting([guest.node]))
        }
        for guest in pi {
            #expect(Set(guest.discovery.entries.map(\.node)) == Set(pi.map(\.node)).subtracting([guest.node]))
        }
        #expect(Set(browser.discovery.entries.map(\.node)) == Set((monty + pi).map(\.node)))
        #expect(browser.discovery.entries.allSatisfy { $0.trust == .unverified })
        #expect(monty[0].discovery.entries.allSatisfy { $0.trust == .verified })
    }

    @Test func aListenerSeesAllNodesAndIsSeenByNone() {
        let party = Party(seed: 3)
        for _ in 0..<6 { party.join() }
        party.room.run(for: .seconds(3))
        let browser = party.join(announces: false, hasKey: false)
        let took = party.room.run(upTo: .seconds(2)) { browser.discovery.entries.count == 6 }
        #expect(took.map { $0 <= .milliseconds(50) } == true)
        party.room.run(for: .seconds(10))
        #expect(party.guests[0].discovery.entries.count == 5)
    }

    /// Members do not see a node with a wrong code. A newcomer does as long as it sees no other node: if it has the
    /// wrong code itself, dialling tells it so.
    @Test func aWrongCodeIsSeenByNewcomersOnly() {
        let party = Party(seed: 4)
        let right = [party.join(), party.join()]
        let far = party.room.addHost()
        party.room.cut(far)
        let newcomer = party.join(on: far, announces: false, knocks: true)
        let room = party.room
        let stranger = Announcement(
            node: party.newID(), mode: .peer, sessionHash: Party.monty.hash, session: Party.monty, name: "eve", port: 1)
        let setup = DiscoverySetup(
            node: stranger.node, scope: .session(Party.monty.hash), key: nil, seed: 1)
        let eve = room.join(room.addHost(avahi: false), setup)
        eve.announce(stranger)
        room.run(for: .seconds(3))
        for guest in right {
            #expect(guest.discovery.entries.map(\.trust) == [.verified])
        }
        for guest in right { room.cut(guest.host) }
        room.heal(far)
        room.run(for: .seconds(3))
        #expect(newcomer.discovery.entries.map(\.node) == [stranger.node])
        #expect(newcomer.discovery.entries.map(\.trust) == [.unverified])
        // Now verified nodes are present, and unverified ones are ignored.
        for guest in right { room.heal(guest.host) }
        room.run(for: .seconds(10))
        #expect(Set(newcomer.discovery.entries.map(\.node)) == Set(right.map(\.node)))
    }

    /// A stranger that claims that a node's session has no code is not believed if the node itself says otherwise,
    /// whichever is heard first.
    @Test(arguments: [true, false]) func nobodyTalksANodeOutOfItsCode(lureIsFirst: Bool) {
        let party = Party(seed: 9)
        let room = party.room
        let looker = party.join(announces: false, hasKey: false)
        let truth = party.join(announces: false)
        var lie = truth.announcement
        lie.isOpen = true
        let eve = room.join(
            room.addHost(avahi: true),
            DiscoverySetup(node: lie.node, scope: .session(Party.monty.hash), key: nil, seed: 1))
        for isLure in [lureIsFirst, !lureIsFirst] {
            if isLure { eve.announce(lie) } else { truth.discovery.announce(truth.announcement) }
            room.run(for: .seconds(3))
            #expect(looker.entry(of: truth)?.announcement.isOpen == (isLure && lureIsFirst))
        }
    }

    /// A laptop with a cable, Wi-Fi, docker0 and loopback is one node, with addresses that others can use.
    @Test func manyInterfacesAreOneNode() {
        let party = Party(seed: 8)
        let plain = party.join(avahi: true)
        let host = party.room.addHost(avahi: true)
        party.room.plug(host, name: "wlan0", address: [10, 77, 9, 9])
        party.room.plug(host, name: "docker0", address: [172, 17, 0, 1], leadsNowhere: true)
        let many = party.join(on: host)
        let neighbour = party.join(on: host, port: 7078)
        party.room.run(for: .seconds(30))
        let seen = plain.entry(of: many)
        #expect(
            seen?.endpoints.map(\.octets).prefix(2) == [[10, 77, 0, 2], [10, 77, 9, 9]], "by cable and global first")
        #expect(seen?.endpoints.dropFirst(2).allSatisfy { $0.octets.isLinkLocal } == true)
        #expect(seen?.endpoints.contains { $0.octets.first == 172 || $0.octets.isLoopback } == false)
        #expect(seen?.sources == [.beacon, .mdns])
        #expect(seen?.host == "host2.local")
        #expect(plain.discovery.entries.count == 2)
        #expect(neighbour.entry(of: many)?.endpoints.first?.octets == [127, 0, 0, 1], "on one machine by loopback")
        #expect(neighbour.entry(of: many)?.sameMachine == true)
        #expect(seen?.sameMachine == false)
    }

    @Test func twoNodesFindEachOtherWithLoopbackOnly() {
        let party = Party(seed: 2)
        let host = party.room.addHost(avahi: false)
        party.room.cut(host)
        let one = party.join(on: host, port: 1)
        let other = party.join(on: host, port: 2)
        let took = party.room.run(upTo: .seconds(1)) { one.sees(other) && other.sees(one) }
        #expect(took.map { $0 <= .milliseconds(50) } == true)
    }

    @Test func theSameSeedGivesTheSameStory() {
        func story(_ seed: UInt64) -> [NodeChange] {
            let party = Party(seed: seed, loss: 0.3, delay: .milliseconds(40))
            for index in 0..<6 { party.join(avahi: index.isMultiple(of: 2)) }
            party.room.run(for: .seconds(20))
            party.room.crash(party.guests[0].host)
            party.room.run(for: .seconds(20))
            return party.guests[1].changes
        }
        #expect(story(1) == story(1))
        #expect(story(1) != story(2))
    }
}
