import PotluckChecks
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckRanks

/// What nodes of a program say to each other arrives as it was sent, and nothing else is believed.
@Suite struct ItemTests {
    @Test(arguments: 0..<8) func sentItemsArrive(part: UInt64) throws {
        for seed in part * 250..<(part + 1) * 250 {
            var any = AnyRankItem(random: RandomStream(seed: seed, block: 1, lane: 0))
            for kind in 0..<AnyRankItem.kinds {
                let item = any.item(kind)
                #expect(try RankItem(item.encoded()) == item, "seed \(seed)")
            }
        }
    }

    /// A stream must not lose an item. So nothing in an item is skipped, and a value has one encoding.
    @Test func anItemHasOneEncoding() {
        var read = 0
        for seed: UInt64 in 0..<10_000 {
            var any = AnyRankItem(random: RandomStream(seed: seed, block: 2, lane: 0))
            var generator = SeededGenerator(seed: seed)
            let octets = mutated(any.next().encoded(), &generator, odd: [0, 1, 0x7f, 0x80, 0xff])
            guard let item = try? RankItem(octets) else { continue }
            read += 1
            #expect(item.encoded() == octets, "seed \(seed)")
        }
        #expect(read > 500)
    }

    /// Whatever comes is an item, or it is refused.
    @Test func anyOctetsAreRead() {
        for item in RankSamples.items {
            let octets = item.encoded()
            for count in 0..<octets.count {
                let prefix = Array(octets[..<count])
                if let read = try? RankItem(prefix) { #expect(read.encoded() == prefix) }
            }
        }
        for seed: UInt64 in 0..<10_000 {
            var generator = SeededGenerator(seed: seed)
            var octets = generator.octets(Int(generator.next(below: 60)))
            // Most begin as an item does.
            if seed % 4 != 0, !octets.isEmpty { octets[0] = UInt8(generator.next(below: 22)) }
            if let read = try? RankItem(octets) { #expect(read.encoded() == octets, "seed \(seed)") }
        }
    }

    @Test func anItemOfALaterVersionIsRefused() {
        #expect(throws: WireError.self) { try RankItem([21]) }
        #expect(throws: WireError.self) { try RankItem([]) }
        // With a field that this version does not know.
        #expect(throws: WireError.self) { try RankItem([2, 9, 1, 1]) }
        #expect(throws: WireError.self) { try RankItem([13, 1, 1, 1, 2, 1, 1]) }
    }

    // MARK: texts

    /// What another node says must not reach a terminal as it is.
    @Test func reasonsAreCleaned() throws {
        let dirty = "it\u{1b}[2J crashed\n\u{202e}"
        let clean = "it [2J crashed  "
        #expect(try sent(.fault(RankEnding(why: dirty))) == .fault(RankEnding(why: clean)))
        let show = RankShow(
            name: "a\n", launcher: "b\u{7}", state: .failed(dirty), elapsed: .zero, checkpoints: 0,
            rows: [RankSamples.rows[1]], laptops: ["c\r"])
        let cleaned = RankShow(
            name: "a ", launcher: "b ", state: .failed(clean), elapsed: .zero, checkpoints: 0,
            rows: [RankSamples.rows[1]], laptops: ["c "])
        #expect(try sent(.show(show)) == .show(cleaned))
        var order = RankSamples.order
        order.program.name = "a\u{1b}b"
        guard case .order(let read) = try sent(.order(order)) else {
            Issue.record("not an order")
            return
        }
        #expect(read.program.name == "a b")
        // A program that does not clean them is refused.
        #expect(throws: WireError.self) { try RankItem([6, 1, 2, 0x61, 0x1b]) }
    }

    /// The longest reason is a deadlock of many ranks, and it arrives whole.
    @Test func theLongestDeadlockIsToldWhole() throws {
        let last = RankLimits.ranks - 1
        let cause = RankActivity.Cause.requests(
            RankLimits.requests, first: .message(RankPattern(source: last, tag: RankLimits.tag, context: 0)))
        let waits = Array(repeating: RankWait(rank: last, cause: cause, ended: last), count: RankLimits.ranks)
        let ending = RankEnding(RankError.deadlock(waits))
        #expect(ending.why.utf8.count > RankEnding.longestReason / 3)
        #expect(try sent(.fault(ending)) == .fault(ending))
    }

    private func sent(_ item: RankItem) throws -> RankItem { try RankItem(item.encoded()) }

    // MARK: what everybody sees

    /// The largest picture of a program fits into a frame, with the longest names and numbers.
    @Test func theLargestShowFits() throws {
        let (last, tag, count) = (RankLimits.ranks - 1, RankLimits.tag, RankLimits.count)
        let cause = RankActivity.Cause.requests(
            RankLimits.requests, first: .message(RankPattern(source: last, tag: tag, context: tag)))
        let row = RankRow(
            standing: .waits(cause, for: Duration.longestOnWire),
            traffic: RankTraffic(
                messagesSent: count, octetsSent: count, messagesReceived: count, octetsReceived: count),
            waits: RankWaits(whole: Duration.longestOnWire, ranks: [last: Duration.longestOnWire]))
        let longest = JobMessage.maximumDisplayName
        let show = RankShow(
            name: String(repeating: "n", count: JobMessage.maximumName),
            launcher: String(repeating: "l", count: longest),
            state: .failed(String(repeating: "w", count: RankEnding.longestReason)), elapsed: Duration.longestOnWire,
            checkpoints: count, rows: Array(repeating: row, count: RankLimits.ranks),
            laptops: (0..<RankLimits.ranks).map { number in
                String("\(number) \(String(repeating: "x", count: longest))".prefix(longest))
            })
        let octets = RankItem.show(show).encoded()
        #expect(octets.count <= RankFrame.longestShow)
        #expect(octets.count > RankFrame.longestShow * 3 / 4, "the limit is far too large")
        #expect(try RankItem(octets) == .show(show))
        let frame = Message.ranks(RankFrame(launch: 1, content: .show(octets)))
        #expect(try Message.decode(frame.encoded()) == frame)
    }

    /// Of the waits for certain ranks only the longest travels.
    @Test func aShowHasTheLongestWait() throws {
        let waits = RankWaits(
            whole: .seconds(9), ranks: [-1: .seconds(4), 0: .seconds(1), 1: .seconds(3), 2: .seconds(1)])
        let row = RankRow(standing: .computes, traffic: RankTraffic(), waits: waits)
        let show = RankShow(
            name: "a", launcher: "b", state: .running, elapsed: .zero, checkpoints: 0, rows: [row], laptops: [])
        guard case .show(let read) = try sent(.show(show)) else {
            Issue.record("not a show")
            return
        }
        #expect(read.rows[0].waits.whole == waits.whole)
        #expect(read.rows[0].waits.longest?.rank == 1 && read.rows[0].waits.longest?.time == .seconds(3))
        #expect(read.rows[0].waits.ranks.count == 1)
        #expect(try sent(.rows([row])) == .rows([row]))
    }
}
