import PotluckCore
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckRanks

/// Ranks on real threads.
@Suite(.timeLimit(.minutes(60))) struct RankLaunchTests {
    private static func message(_ rank: Int, _ octets: [UInt8], tag: Int = 0) -> RankMessage {
        RankMessage(source: rank, tag: tag, context: 0, octets: octets)
    }

    private static func from(_ source: Int?, tag: Int? = nil) -> RankPattern {
        RankPattern(source: source, tag: tag, context: 0)
    }

    /// A token goes round and counts every rank, with more and with fewer ranks than cores.
    @Test(arguments: [1, 2, 3, 8, 40], [1, 64]) func aRing(size: Int, cores: Int) async throws {
        let rounds = 50
        let launch = RankLaunch(size: size, cores: cores) { _ in }
        let output = try await launch.run { (rank) throws(RankError) in
            var token: [UInt8] = [0]
            for _ in 0..<rounds {
                if rank.rank == 0 { try rank.send(Self.message(0, token), to: 1 % size, .standard) }
                token = try rank.receive(Self.from((rank.rank + size - 1) % size), capacity: 1).octets
                token[0] &+= 1
                if rank.rank != 0 {
                    try rank.send(Self.message(rank.rank, token), to: (rank.rank + 1) % size, .standard)
                }
            }
            return token
        }
        #expect(output == [UInt8(truncatingIfNeeded: rounds * size)])
        let picture = launch.picture
        #expect(picture.messages == rounds * size && picture.octets == rounds * size)
        #expect(picture.ranks.allSatisfy { $0.activity == .ended && $0.traffic.messagesReceived == rounds })
    }

    /// Random exchanges: every rank sends to every other one, in an order and mode of its own, and receives from any.
    @Test(arguments: 0..<20 as Range<UInt64>) func everybodyToEverybody(seed: UInt64) async throws {
        let size = 6
        let launch = RankLaunch(size: size, cores: seed % 2 == 0 ? 1 : 64) { _ in }
        let output = try await launch.run { (rank) throws(RankError) in
            var random = RandomStream(seed: seed, block: UInt64(rank.rank), lane: 0)
            var others = Array(0..<size)
            random.shuffle(&others)
            var requests: [Int32] = []
            for other in others {
                let octets = [UInt8](repeating: UInt8(rank.rank), count: random.below(2000))
                requests.append(
                    try rank.beginSending(
                        Self.message(rank.rank, octets), to: other, RankSendMode.allCases[random.below(3)]))
            }
            var seen = Array(repeating: false, count: size)
            for _ in 0..<size {
                let message = try rank.receive(Self.from(nil, tag: 0), capacity: 2000)
                seen[message.source] = message.octets.allSatisfy { $0 == UInt8(message.source) }
            }
            while !requests.isEmpty { requests.remove(at: try rank.wait(requests).place) }
            try rank.send(Self.message(rank.rank, [seen.allSatisfy { $0 } ? 1 : 0], tag: 1), to: 0, .standard)
            guard rank.rank == 0 else { return [] }
            var good: UInt8 = 0
            for other in 0..<size { good += try rank.receive(Self.from(other, tag: 1), capacity: 1).octets[0] }
            return [good]
        }
        #expect(output == [UInt8(size)])
    }

    @Test func aDeadlockEndsAllRanks() async {
        let launch = RankLaunch(size: 5, cores: 2) { _ in }
        let fault = await #expect(throws: RankError.self) {
            try await launch.run { (rank) throws(RankError) in
                guard rank.rank > 1 else { return [] }
                return try rank.receive(Self.from((rank.rank + 1) % 5), capacity: 1).octets
            }
        }
        guard case .deadlock(let waits) = fault else {
            Issue.record("\(String(describing: fault))")
            return
        }
        #expect(waits.map(\.rank) == [2, 3, 4])
    }

    /// With the option for it, a standard send waits, and so a hidden deadlock shows.
    @Test(arguments: [false, true]) func synchronousSendsShowHiddenDeadlocks(isSynchronous: Bool) async {
        let launch = RankLaunch(size: 2, cores: 2, isSynchronous: isSynchronous) { _ in }
        var fault: RankError?
        do throws(RankError) {
            _ = try await launch.run { (rank) throws(RankError) in
                try rank.send(Self.message(rank.rank, [1]), to: 1 - rank.rank, .standard)
                return try rank.receive(Self.from(1 - rank.rank), capacity: 1).octets
            }
        } catch {
            fault = error
        }
        if case .deadlock = fault { #expect(isSynchronous) } else { #expect(!isSynchronous && fault == nil) }
    }

    /// A rank that fails ends those that wait, and those that compute until they are told.
    @Test func oneFailureEndsAll() async {
        let launch = RankLaunch(size: 3, cores: 3) { _ in }
        await #expect(throws: RankError.aborted(rank: 1, code: 9)) {
            try await launch.run { (rank) throws(RankError) in
                switch rank.rank {
                case 0: return try rank.receive(Self.from(2), capacity: 1).octets
                case 1:
                    try rank.abort(9)
                    return []
                default:
                    let isOver = Guarded(false)
                    rank.onStop { isOver.with { $0 = true } }
                    while !isOver.with({ $0 }) {}
                    throw .stopped
                }
            }
        }
    }

    @Test func stoppedFromOutside() async {
        let launch = RankLaunch(size: 2, cores: 2) { _ in }
        launch.stop()
        await #expect(throws: RankError.stopped) {
            try await launch.run { (rank) throws(RankError) in
                try rank.log(Array("never".utf8))
                return []
            }
        }
    }

    /// The lines of one rank come in their order, and text is cut at line ends.
    @Test func linesOfARankComeInOrder() async throws {
        let lines = Guarded<[Int: [String]]>([:])
        let launch = RankLaunch(size: 3, cores: 1) { line in
            lines.with { $0[line.rank, default: []].append(String(decoding: line.octets, as: UTF8.self)) }
        }
        _ = try await launch.run { (rank) throws(RankError) in
            for text in ["one", "two\nthree\n", "", "a\n\nb"] { try rank.log(Array(text.utf8)) }
            return []
        }
        let expected = ["one", "two", "three", "", "a", "", "b"]
        #expect(lines.with { $0 } == [0: expected, 1: expected, 2: expected])
    }

    /// A program that begins at a checkpoint gets what each of its ranks kept there.
    @Test func checkpointsAreKeptAndGivenBack() async throws {
        @Sendable func program(_ rank: RankSeat, rounds: UInt8) throws(RankError) -> [UInt8] {
            var round: UInt8 = 0
            if let state = try rank.restored() { round = state[1] }
            let begin = round
            while round < rounds {
                round += 1
                try rank.checkpoint([UInt8(rank.rank), round])
            }
            return [begin, round]
        }
        let first = RankLaunch(size: 4, cores: 2) { _ in }
        #expect(try await first.run { (rank) throws(RankError) in try program(rank, rounds: 3) } == [0, 3])
        #expect(first.checkpoint == (0..<4).map { [$0, 3] })
        let second = RankLaunch(size: 4, cores: 2, checkpoint: first.checkpoint) { _ in }
        #expect(try await second.run { (rank) throws(RankError) in try program(rank, rounds: 5) } == [3, 5])
    }

    @Test func aTimelineHasEveryMessageTwice() async throws {
        let launch = RankLaunch(size: 2, cores: 2, isTraced: true) { _ in }
        _ = try await launch.run { (rank) throws(RankError) in
            for _ in 0..<10 {
                try rank.send(Self.message(rank.rank, [1]), to: 1 - rank.rank, .standard)
                _ = try rank.receive(Self.from(1 - rank.rank), capacity: 1)
            }
            return []
        }
        for (rank, trace) in launch.traces.enumerated() {
            var (sent, received): ([Int], [Int]) = ([], [])
            for event in trace.events {
                switch event {
                case .sent(let message, let to, _, _):
                    #expect(to == 1 - rank)
                    sent.append(message)
                case .received(let message, let from, _):
                    #expect(from == 1 - rank)
                    received.append(message)
                case .waited: break
                }
            }
            #expect(sent == Array(1...10) && received == Array(1...10))
            #expect(trace.dropped == 0)
        }
    }
}
