import PotluckCore
import PotluckNet
import Testing

/// Links over TCP and TLS on loopback.
@Suite(.timeLimit(.minutes(60))) struct LinkTests {
    @Test func bothEndsKnowTheDiallerAndShareABinding() async throws {
        let pair = try await Pair()
        #expect(pair.hostEnd.origin == .accepted)
        #expect(pair.guestEnd.origin == .dialled(DialNumber(1)))
        #expect(pair.hostEnd.binding == pair.guestEnd.binding && pair.hostEnd.binding.count == 32)
        #expect(pair.hostEnd.remote.octets == [127, 0, 0, 1])
        let other = try await Pair()
        #expect(other.hostEnd.binding != pair.hostEnd.binding)
        try await pair.stop()
        try await other.stop()
    }

    @Test func messagesOfAnySizeArriveWholeAndInOrder() async throws {
        let pair = try await Pair()
        var generator = SeededGenerator(seed: 1)
        let sizes =
            [1, 2, 16_375, 16_376, 16_380, 16_381, 32_760, 65_536]
            + (0..<40).map { _ in Int(generator.next(below: 65_536)) + 1 }
        let messages = sizes.map { size in (0..<size).map { _ in UInt8(truncatingIfNeeded: generator.next()) } }
        for lane in LinkLane.allCases {
            for message in messages { pair.guest.send(message, pair.guestEnd.link, lane) }
            for message in messages { #expect(try await pair.host.received() == message) }
        }
        let large = [UInt8](repeating: 7, count: LinkLimits.bulkMessage)
        pair.host.send(large, pair.hostEnd.link, .bulk)
        #expect(try await pair.guest.received() == large)
        try await pair.stop()
    }

    @Test func aFarewellArrivesAfterAllThatWasSent() async throws {
        let pair = try await Pair()
        let farewell = Farewell(rawValue: 42)
        for count in 1...100 { pair.guest.send([UInt8](repeating: 1, count: count * 10), pair.guestEnd.link) }
        pair.guest.transport.close(pair.guestEnd.link, farewell)
        #expect(try await pair.guest.closed() == .closedHere(farewell))
        for count in 1...100 { #expect(try await pair.host.received().count == count * 10) }
        #expect(try await pair.host.closed() == .closedThere(farewell))
        try await pair.stop()
    }
}
