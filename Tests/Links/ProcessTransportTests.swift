import PotluckCore
import PotluckDoubles
import PotluckNet
import PotluckSystem
import Testing

/// Links between nodes of one process.
@Suite struct ProcessTransportTests {
    /// A node's transport, and what it reported.
    private struct End {
        let transport: ProcessTransport
        let events = Guarded<[TransportEvent]>([])

        init(_ transport: ProcessTransport) {
            self.transport = transport
            transport.start { [events] event in events.with { $0.append(event) } }
        }

        var opened: [(link: LinkID, origin: LinkOrigin, remote: Endpoint, binding: [UInt8])] {
            events.with {
                $0.compactMap {
                    if case .opened(let link, let origin, let remote, let binding) = $0 {
                        (link, origin, remote, binding)
                    } else {
                        nil
                    }
                }
            }
        }
        /// The numbers of the messages, whether they came as they are or as bytes.
        var received: [UInt64] {
            events.with {
                $0.compactMap {
                    switch $0 {
                    case .handed(_, .received(let number)): number
                    case .received(_, let octets): UInt64(octets[0])
                    default: nil
                    }
                }
            }
        }
        var ends: [LinkEnd] {
            events.with { $0.compactMap { if case .closed(_, let end) = $0 { end } else { nil } } }
        }
        var isStopped: Bool { events.with { $0.contains { if case .stopped = $0 { true } else { false } } } }
        var failures: [DialFailure] {
            events.with { $0.compactMap { if case .dialFailed(_, let failure) = $0 { failure } else { nil } } }
        }

        func send(_ number: UInt64, on link: LinkID, _ reliability: Reliability = .reliable) {
            transport.send(.received(number), on: link, reliability: reliability)
        }
    }

    /// A host, a guest, and a link between them.
    private struct Pair {
        let network = MemoryNetwork(seed: 1)
        let host: End
        let guest: End
        let hostEnd: LinkID
        let guestEnd: LinkID

        init() throws {
            host = End(ProcessTransport(on: network))
            guest = End(ProcessTransport(to: host.transport))
            guest.transport.dial(DialNumber(1), to: [])
            network.advance(by: .zero)
            hostEnd = try #require(host.opened.first).link
            guestEnd = try #require(guest.opened.first).link
        }

        func run() { network.advance(by: .zero) }
    }

    @Test func bothEndsOfALinkKnowItsBinding() throws {
        let pair = try Pair()
        let other = End(ProcessTransport(to: pair.host.transport))
        other.transport.dial(DialNumber(1), to: [])
        pair.run()
        let (here, there) = (pair.host.opened, pair.guest.opened + other.opened)
        #expect(here.map(\.binding) == there.map(\.binding) && Set(here.map(\.binding)).count == 2)
        #expect(here.map(\.origin) == [.accepted, .accepted] && there[0].origin == .dialled(DialNumber(1)))
        // The engine believes this computer where a browser runs.
        #expect((here + there).allSatisfy { $0.remote.octets == [127, 0, 0, 1] && $0.link.isInside })
    }

    @Test func messagesPassInOrder() throws {
        let pair = try Pair()
        for number in 0..<100 as Range<UInt64> {
            pair.guest.send(number, on: pair.guestEnd, number.isMultiple(of: 3) ? .unreliable : .reliable)
            pair.host.transport.send([UInt8(number)], on: pair.hostEnd, lane: .bulk, reliability: .reliable)
        }
        pair.run()
        #expect(pair.host.received == Array(0..<100))
        #expect(pair.guest.received == Array(0..<100))
    }

    @Test func aHeldLinkDeliversWhenItIsReleased() throws {
        let pair = try Pair()
        pair.host.transport.hold(pair.hostEnd, true)
        for number in 0..<10 as Range<UInt64> {
            pair.guest.send(number, on: pair.guestEnd)
            pair.guest.send(100, on: pair.guestEnd, .unreliable)
            pair.host.send(number, on: pair.hostEnd)
        }
        pair.run()
        #expect(pair.host.received.isEmpty && pair.guest.received == Array(0..<10))
        pair.host.transport.hold(pair.hostEnd, false)
        pair.guest.send(10, on: pair.guestEnd)
        pair.run()
        #expect(pair.host.received == Array(0...10))
    }

    @Test func aNodeThatNeverReadsLosesItsLink() throws {
        let pair = try Pair()
        pair.host.transport.hold(pair.hostEnd, true)
        let part = [UInt8](repeating: 0, count: LinkLimits.bulkBacklog / 4)
        for count in 1...5 {
            #expect(pair.host.ends.isEmpty, "after \(count - 1) messages")
            pair.guest.transport.send(part, on: pair.guestEnd, lane: .bulk, reliability: .reliable)
            pair.run()
        }
        #expect(pair.host.ends == [.lost] && pair.guest.ends == [.overfull])
    }

    @Test func aFarewellFollowsWhatWasSent() throws {
        let pair = try Pair()
        pair.host.transport.hold(pair.hostEnd, true)
        pair.guest.send(1, on: pair.guestEnd)
        pair.guest.transport.close(pair.guestEnd, .leaving)
        pair.guest.send(2, on: pair.guestEnd)
        pair.run()
        #expect(pair.host.received == [1])
        #expect(pair.host.ends == [.closedThere(.leaving)] && pair.guest.ends == [.closedHere(.leaving)])
    }

    @Test func aNodeThatStoppedIsNotReached() throws {
        let pair = try Pair()
        pair.host.transport.stop(.leaving)
        pair.guest.transport.dial(DialNumber(2), to: [])
        pair.run()
        #expect(pair.guest.ends == [.closedThere(.leaving)] && pair.guest.failures == [.unreachable])
        // The host's other transport says that it has stopped.
        #expect(!pair.host.isStopped && !pair.guest.isStopped)
        pair.guest.transport.stop(.leaving)
        pair.run()
        #expect(pair.guest.isStopped)
    }
}
