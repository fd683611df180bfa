import PotluckCore
import PotluckSystem
import Testing

@testable import PotluckNet

/// Nodes that say goodbye and announce themselves again, as a host does that takes no guests for a while.
@Suite struct GoodbyeTests {
    /// A node that announces itself, and a node of another laptop that hears it.
    private final class Pair {
        private var speaker: DiscoveryCore
        private var listener: DiscoveryCore
        private let source: Endpoint
        let announcement: Announcement

        /// `hasKey` is whether the listener can check tags.
        init(_ party: Party, hasKey: Bool = true, knocks: Bool = false) throws {
            let (session, key) = (Party.monty, SessionRoot(openTo: Party.monty).beacon)
            announcement = Announcement(
                node: party.newID(), mode: .server, sessionHash: session.hash, session: session, name: "ana", port: 7077
            )
            source = try #require(Endpoint(octets: [10, 77, 0, 1], port: 17_077))
            speaker = DiscoveryCore(
                DiscoverySetup(node: announcement.node, scope: .session(session.hash), key: key, seed: 1), now: .start)
            listener = DiscoveryCore(
                DiscoverySetup(
                    node: party.newID(), scope: .session(session.hash), key: hasKey ? key : nil, knocks: knocks, seed: 2
                ), now: .start)
        }

        /// Announces the node, or says goodbye. Returns the datagrams that this sends.
        func announce(_ isPresent: Bool, at now: Instant) -> [[UInt8]] {
            speaker.handle(.announce(isPresent ? announcement : nil), at: now).compactMap { effect in
                if case .send(let bytes) = effect { bytes } else { nil }
            }
        }

        /// Delivers datagrams. Returns the changes that the listener reports.
        func hear(_ datagrams: [[UInt8]], at now: Instant) -> [NodeChange] {
            var changes: [NodeChange] = []
            for bytes in datagrams where !listener.drops(bytes.span, at: now) {
                for effect in listener.handle(.datagram(bytes, source: source, interface: 2), at: now) {
                    if case .changed(let change) = effect { changes.append(change) }
                }
            }
            return changes
        }

        /// Whether the listener lists the node.
        var sees: Bool { listener.entries.contains { $0.node == announcement.node } }
    }

    @Test(arguments: [true, false]) func aNodeThatAnnouncesItselfAgainAppearsAgain(hasKey: Bool) throws {
        let pair = try Pair(Party(seed: 1), hasKey: hasKey)
        #expect(pair.hear(pair.announce(true, at: .start), at: .start).count == 1 && pair.sees)
        let left = Instant.start + .seconds(1)
        let goodbyes = pair.announce(false, at: left)
        #expect(goodbyes.count == Limits.goodbyes)
        guard case .disappeared(_, .left)? = pair.hear(goodbyes, at: left).first else {
            Issue.record("the goodbye was not heard")
            return
        }
        #expect(!pair.sees)
        let back = left + .seconds(2)
        let changes = pair.hear(pair.announce(true, at: back), at: back)
        guard case .appeared(let entry)? = changes.first else {
            Issue.record("\(changes)")
            return
        }
        #expect(entry.announcement == pair.announcement && changes.count == 1 && pair.sees)
        let trust: Sighting.Trust = hasKey ? .verified : .unverified
        #expect(entry.trust == trust)
    }

    @Test(arguments: [true, false]) func aBeaconFromBeforeTheGoodbyeBringsNobodyBack(hasKey: Bool) throws {
        let pair = try Pair(Party(seed: 2), hasKey: hasKey)
        let before = pair.announce(true, at: .start)
        #expect(pair.hear(before, at: .start).count == 1)
        let left = Instant.start + .seconds(1)
        #expect(pair.hear(pair.announce(false, at: left), at: left).count == 1)
        for later in [Duration.milliseconds(1), .seconds(1), .seconds(3)] {
            #expect(pair.hear(before, at: left + later).isEmpty && !pair.sees)
        }
    }

    /// The copies of a goodbye may arrive late, and anybody can replay them.
    @Test func aGoodbyeFromBeforeTheReturnIsOutdated() throws {
        let pair = try Pair(Party(seed: 3))
        let before = pair.announce(true, at: .start)
        _ = pair.hear(before, at: .start)
        let left = Instant.start + .seconds(1)
        let goodbyes = pair.announce(false, at: left)
        _ = pair.hear(goodbyes, at: left)
        let back = left + .seconds(1)
        #expect(pair.hear(pair.announce(true, at: back), at: back).count == 1)
        #expect(pair.hear(goodbyes + before, at: back).isEmpty && pair.sees)
    }

    /// A newcomer that sees no verified node listens to unverified ones, but not in the name of a node that left.
    @Test func aBeaconWithoutATagBringsNoVerifiedNodeBack() throws {
        let party = Party(seed: 4)
        let pair = try Pair(party, knocks: true)
        _ = pair.hear(pair.announce(true, at: .start), at: .start)
        let left = Instant.start + .seconds(1)
        #expect(pair.hear(pair.announce(false, at: left), at: left).count == 1)
        let lie = Outsider(party, seed: 4).lie(.present, in: pair.announcement.node, sequence: 1000)
        #expect(pair.hear([lie], at: left + .seconds(1)).isEmpty && !pair.sees)
    }

    /// With loss, with mDNS, and also for somebody who only browses.
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func everybodySeesAHostThatOpensItsDoorAgain(seed: UInt64) {
        let party = Party(seed: seed, loss: seed.isMultiple(of: 2) ? 0.2 : 0)
        let host = party.join(avahi: seed > 4)
        for _ in 0..<4 { party.join(avahi: seed > 4) }
        party.join(avahi: seed > 4, announces: false, hasKey: false)
        let others = party.guests.dropFirst()
        party.room.run(for: .seconds(3))
        for _ in 0..<2 {
            #expect(others.allSatisfy { $0.sees(host) })
            host.discovery.announce(nil)
            party.room.run(for: .seconds(10))
            #expect(others.allSatisfy { !$0.sees(host) })
            host.discovery.announce(host.announcement)
            party.room.run(for: .seconds(5))
        }
        #expect(others.allSatisfy { $0.sees(host) })
    }
}
