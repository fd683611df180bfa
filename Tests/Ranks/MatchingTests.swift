import PotluckCore
import PotluckKit
import Testing

@testable import PotluckRanks

/// Random calls of all ranks, compared with a plain list of everything that was sent and asked for.
@Suite struct MatchingTests {
    /// What the rules say, by looking at everything each time.
    private struct Rules {
        struct Sent {
            let message: RankMessage
            let receiver: Int
            var isTaken = false
        }
        struct Asked {
            let rank: Int
            let number: Int32
            let pattern: RankPattern
            var brought: Int?
        }
        var sent: [Sent] = []
        var asked: [Asked] = []

        /// The first message for the rank that nobody has taken and that matches.
        func first(_ rank: Int, _ pattern: RankPattern) -> Int? {
            sent.indices.first {
                sent[$0].receiver == rank && !sent[$0].isTaken && pattern.matches(sent[$0].message.envelope)
            }
        }

        /// The first request that waits for this message.
        func request(for message: RankMessage, of receiver: Int) -> Int? {
            asked.indices.first {
                asked[$0].rank == receiver && asked[$0].brought == nil && asked[$0].pattern.matches(message.envelope)
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>) func everyMessageGoesWhereTheRulesSay(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let size = 1 + random.below(5)
        var world = RankWorld(size: size)
        var rules = Rules()
        for step in 0..<400 {
            let rank = random.below(size)
            let pattern = RankPattern(
                source: random.chance(0.3) ? nil : random.below(size), tag: random.chance(0.3) ? nil : random.below(3),
                context: random.below(2))
            switch random.below(4) {
            case 0, 1:
                let receiver = random.below(size)
                var message = RankMessage(
                    source: rank, tag: random.below(3), context: random.below(2),
                    octets: Array(repeating: UInt8(step % 256), count: random.below(9)))
                message.number = step
                let expected = rules.request(for: message, of: receiver)
                _ = try world.send(message, to: receiver, .buffered)
                if let expected { rules.asked[expected].brought = rules.sent.count }
                rules.sent.append(.init(message: message, receiver: receiver, isTaken: expected != nil))
            case 2:
                let expected = rules.first(rank, pattern)
                #expect(world.probe(rank, pattern) == expected.map { rules.sent[$0].message.status })
                let number = try world.request(rank, pattern, capacity: 100)
                if let expected { rules.sent[expected].isTaken = true }
                rules.asked.append(.init(rank: rank, number: number, pattern: pattern, brought: expected))
            default:
                guard !rules.asked.isEmpty else { continue }
                let place = random.below(rules.asked.count)
                let asked = rules.asked[place]
                switch try world.complete(asked.rank, asked.number) {
                case .received(let message):
                    let brought = try #require(asked.brought)
                    #expect(message == rules.sent[brought].message)
                    rules.asked.remove(at: place)
                case .sent: Issue.record("a receive that sends")
                case nil: #expect(asked.brought == nil)
                }
            }
        }
    }

    /// Two messages with the same source, tag and context are received in the order in which they were sent, whatever
    /// mode each has.
    @Test(arguments: 0..<100 as Range<UInt64>) func messagesDoNotOvertake(seed: UInt64) throws {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        var world = RankWorld(size: 3)
        var last: [[Int]: Int] = [:]
        for step in 1...300 {
            if random.chance(0.6) {
                var message = RankMessage(source: random.below(2), tag: random.below(2), context: 0, octets: [])
                message.number = step
                _ = try world.send(message, to: 2, RankSendMode.allCases[random.below(3)])
            } else {
                let pattern = RankPattern(source: nil, tag: random.chance(0.5) ? nil : random.below(2), context: 0)
                guard let status = world.probe(2, pattern) else { continue }
                guard case .message(let message) = try world.receive(2, pattern, capacity: 0) else {
                    Issue.record("a probe that found nothing")
                    continue
                }
                #expect(message.status == status)
                #expect(message.number > last[[message.source, message.tag], default: 0])
                last[[message.source, message.tag]] = message.number
            }
        }
    }

    @Test func aSynchronousSendIsCompleteWhenItIsReceived() throws {
        var world = RankWorld(size: 2)
        let message = RankMessage(source: 0, tag: 1, context: 0, octets: [1, 2])
        let sending = try world.send(message, to: 1, .synchronous)
        let request = try #require(sending)
        #expect(try world.complete(0, request) == nil)
        #expect(try world.park(0, on: [request], at: .start))
        guard case .message(let received) = try world.receive(1, .init(source: 0, tag: nil, context: 0), capacity: 2)
        else { throw RankError.stopped }
        #expect(received == message)
        #expect(world.takeWoken() == [0])
        guard case .sent(octets: 2)? = try world.complete(0, request) else {
            Issue.record("the send is not complete")
            return
        }
    }

    /// A standard send waits once the receiver has no room.
    @Test func aStandardSendWaitsForRoom() throws {
        var world = RankWorld(size: 2)
        let large = RankMessage(
            source: 0, tag: 0, context: 0, octets: Array(repeating: 0, count: RankRooms().room / 2))
        #expect(try world.send(large, to: 1, .standard) == nil)
        #expect(try world.send(large, to: 1, .standard) == nil)
        let sending = try world.send(large, to: 1, .standard)
        let request = try #require(sending)
        #expect(try world.send(large, to: 1, .buffered) == nil)
        #expect(try world.complete(0, request) == nil)
        // Two of four are left, one of them without room, which it gets when another one is taken.
        let pattern = RankPattern(source: 0, tag: 0, context: 0)
        for taken in 1...2 {
            _ = try world.receive(1, pattern, capacity: .max)
            #expect(try (world.complete(0, request) != nil) == (taken == 2))
        }
        for _ in 0..<2 { _ = try world.receive(1, pattern, capacity: .max) }
        #expect(try world.send(large, to: 1, .standard) == nil)
    }

    /// What nobody has taken counts, also if it was asked for, and however short it is.
    @Test func untakenMessagesAreBounded() throws {
        let large = RankMessage(source: 0, tag: 0, context: 0, octets: Array(repeating: 0, count: RankLimits.message))
        let most = RankLimits.pending / RankLimits.message
        for isAsked in [false, true] {
            var world = RankWorld(size: 2)
            var sent = 0
            let fault = #expect(throws: RankError.self) {
                while sent <= most {
                    if isAsked { _ = try world.request(1, .init(source: 0, tag: 0, context: 0), capacity: .max) }
                    _ = try world.send(large, to: 1, .buffered)
                    sent += 1
                }
            }
            #expect(fault == .pending(rank: 0) && sent == most - 1)
        }
        var world = RankWorld(size: 2)
        let empty = RankMessage(source: 0, tag: 0, context: 0, octets: [])
        for _ in 0..<(RankRooms().room / RankLimits.messageItself) { _ = try world.send(empty, to: 1, .buffered) }
        #expect(try world.send(empty, to: 1, .standard) != nil, "messages without bytes need room, too")
    }

    @Test func aMessageThatDoesNotFitEndsTheProgram() throws {
        var world = RankWorld(size: 2)
        let message = RankMessage(source: 0, tag: 4, context: 0, octets: [1, 2, 3])
        let pattern = RankPattern(source: 0, tag: 4, context: 0)
        let expected = RankError.truncated(rank: 1, message.status, capacity: 2)
        _ = try world.request(1, pattern, capacity: 2)
        #expect(throws: expected) { try world.send(message, to: 1, .standard) }
        world = RankWorld(size: 2)
        _ = try world.send(message, to: 1, .standard)
        #expect(throws: expected) { try world.receive(1, pattern, capacity: 2) }
    }

    @Test func requestsAreBounded() throws {
        var world = RankWorld(size: 1)
        let pattern = RankPattern(source: 0, tag: 0, context: 0)
        for _ in 0..<RankLimits.requests { _ = try world.request(0, pattern, capacity: 0) }
        #expect(throws: RankError.tooManyRequests(rank: 0)) { try world.request(0, pattern, capacity: 0) }
        #expect(throws: RankError.argument(rank: 0, call: "wait", .request, 70_000)) {
            try world.complete(0, 70_000)
        }
    }
}

extension RankWorld.Completion: Equatable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.sent(let a), .sent(let b)): a == b
        case (.received(let a), .received(let b)): a == b
        case (.sent, .received), (.received, .sent): false
        }
    }
}
