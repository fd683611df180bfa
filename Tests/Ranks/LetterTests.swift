import PotluckCore
import Testing

@testable import PotluckRanks

/// Single cases of messages between nodes. `RankScheduleTests` have random ones.
@Suite struct LetterTests {
    private let any = RankPattern(source: nil, tag: nil, context: 0)

    /// Rank 0 on node 0, and rank 1 on node 1, which have room for three short messages.
    private func worlds() throws -> [RankWorld] {
        var rooms = RankRooms()
        (rooms.eager, rooms.eagerRoom, rooms.eagerReturn) = (8, 3 * 136, 1)
        let map = try #require(RankMap([0, 1]))
        return (0..<2).map { RankWorld(map, node: $0, rooms: rooms) }
    }

    private func message(_ number: Int, _ count: Int) -> RankMessage {
        var message = RankMessage(source: 0, tag: 0, context: 0, octets: Array(repeating: UInt8(number), count: count))
        message.number = number
        return message
    }

    /// Delivers all letters until there are none.
    private func settle(_ worlds: inout [RankWorld]) throws {
        while true {
            let letters = [worlds[0].takeLetters(), worlds[1].takeLetters()]
            guard letters.contains(where: { !$0.isEmpty }) else { return }
            for (node, letters) in letters.enumerated() {
                for (other, letter) in letters { try worlds[other].deliver(letter, from: node) }
            }
        }
    }

    @Test func aShortMessageTravelsAtOnceAsLongAsThereIsRoom() throws {
        var worlds = try worlds()
        for number in 1...4 { _ = try worlds[0].send(message(number, 8), to: 1, .buffered) }
        _ = try worlds[0].send(message(5, 9), to: 1, .buffered)
        let letters = worlds[0].takeLetters().map(\.letter)
        for (place, letter) in letters.enumerated() {
            switch letter {
            case .message(let message, to: 1, isSynchronous: false): #expect(place < 3 && message.number == place + 1)
            case .offer(let envelope, to: 1, isSynchronous: false):
                #expect(place >= 3 && envelope.number == place + 1)
            default: Issue.record("\(letter)")
            }
        }
        #expect(letters.count == 5)
    }

    /// A message that waits at its sender's node is open at its receiver, as on one node, and once.
    @Test func anOfferIsOpenAtItsReceiver() throws {
        var worlds = try worlds()
        _ = try worlds[0].send(message(1, 9), to: 1, .buffered)
        _ = try worlds[0].checkpoint(0, [], at: .start)
        let request = try worlds[1].request(1, RankPattern(source: 0, tag: 7, context: 0), capacity: 0)
        #expect(request > 0)
        _ = try worlds[1].checkpoint(1, [], at: .start)
        try settle(&worlds)
        #expect(worlds[0].report?.open == nil)
        #expect(worlds[1].report?.open == RankReport.Open(rank: 1, messages: 1, requests: 1))
    }

    /// A node reports once, until something comes that may let its ranks compute.
    @Test func aNodeReportsEachChangeOnce() throws {
        var worlds = try worlds()
        #expect(worlds[1].takeReport() == nil, "its rank computes")
        _ = try worlds[1].checkpoint(1, [], at: .start)
        #expect(worlds[1].takeReport() != nil)
        #expect(worlds[1].takeReport() == nil)
        _ = try worlds[0].send(message(1, 1), to: 1, .buffered)
        try settle(&worlds)
        #expect(worlds[1].takeReport()?.received == [1, 0])
        #expect(worlds[1].takeReport() == nil)
        // It comes to the next checkpoint without a letter.
        try worlds[1].passCheckpoint()
        #expect(worlds[1].takeWoken() == [1] && worlds[1].takeReport() == nil)
        _ = try worlds[1].checkpoint(1, [], at: .start)
        #expect(worlds[1].takeReport() != nil)
    }

    @Test func onlyRanksAtACheckpointPassIt() throws {
        var worlds = try worlds()
        #expect(throws: RankError.misfit) { try worlds[0].passCheckpoint() }
    }

    /// Bytes that come from other nodes count, like those of this one.
    @Test func messagesFromOtherNodesAreBounded() throws {
        let map = try #require(RankMap([0, 1]))
        var world = RankWorld(map, node: 1)
        let octets = [UInt8](repeating: 0, count: RankLimits.message)
        let most = RankLimits.pending / (octets.count + RankLimits.messageItself)
        for number in 0...most {
            let envelope = RankEnvelope(source: 0, tag: 0, context: 0, number: number, octets: octets.count)
            _ = try world.request(1, any, capacity: .max)
            try world.deliver(.offer(envelope, to: 1, isSynchronous: true), from: 0)
            let letter = RankLetter.octets(octets, source: 0, number: number, to: 1)
            if number < most {
                try world.deliver(letter, from: 0)
            } else {
                #expect(throws: RankError.pending(rank: 0)) { try world.deliver(letter, from: 0) }
            }
        }
    }
}
