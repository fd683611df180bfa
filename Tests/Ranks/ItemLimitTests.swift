import PotluckChecks
import PotluckCore
import Testing

@testable import PotluckRanks

/// The largest items are read, and larger ones are refused before they reach a world or a lead.
@Suite struct ItemLimitTests {
    private func isRead(_ item: RankItem) -> Bool { (try? RankItem(item.encoded())) == item }

    private static let (last, tag, count) = (RankLimits.ranks - 1, RankLimits.tag, RankLimits.count)

    private func message(
        source: Int = 0, tag: Int = 0, context: Int = 0, number: Int = 0, octets: Int = 0, to receiver: Int = 0
    ) -> RankItem {
        var message = RankMessage(
            source: source, tag: tag, context: context, octets: [UInt8](repeating: 1, count: octets))
        message.number = number
        return .letter(.message(message, to: receiver, isSynchronous: false))
    }

    private func offer(octets: Int) -> RankItem {
        let envelope = RankEnvelope(source: 0, tag: 0, context: 0, number: 0, octets: octets)
        return .letter(.offer(envelope, to: 0, isSynchronous: false))
    }

    private func report(
        _ cause: RankActivity.Cause = .checkpoint, standings: Int = 1, letters: [Int] = [0], requests: Int = 0
    ) -> RankItem {
        .report(
            RankReport(
                standings: Array(repeating: .waits(cause), count: standings), sent: letters, received: letters,
                open: RankReport.Open(rank: 0, messages: 0, requests: requests)))
    }

    private func rows(_ count: Int, traffic: RankTraffic = RankTraffic(), waits: RankWaits = RankWaits()) -> RankItem {
        .rows(Array(repeating: RankRow(standing: .computes, traffic: traffic, waits: waits), count: count))
    }

    private func show(rows: Int, laptops: Int) -> RankItem {
        .show(
            RankShow(
                name: "a", launcher: "b", state: .ended, elapsed: .zero, checkpoints: 0,
                rows: Array(repeating: RankSamples.rows[1], count: rows), laptops: Array(repeating: "c", count: laptops)
            ))
    }

    private func trace(_ events: Int) -> RankItem {
        .trace(rank: 0, Array(repeating: .received(message: 0, from: 0, at: .start), count: events), dropped: 0)
    }

    @Test func theLargestAreRead() {
        let (last, tag, count) = (Self.last, Self.tag, Self.count)
        let waits = RankWaits(
            whole: Duration.longestOnWire, ranks: Dictionary(uniqueKeysWithValues: (-1...last).map { ($0, .zero) }))
        let good = [
            message(
                source: last, tag: tag, context: tag, number: count, octets: RankLetter.longestMessage, to: last),
            offer(octets: RankLimits.message), .letter(.ask(source: last, number: count)),
            .letter(.taken(source: last, number: count)), .letter(.received(last, octets: RankLetter.mostReceived)),
            .letter(.octets([], source: last, number: count, to: last)), .state(rank: last, []),
            .line(rank: last, [UInt8](repeating: 1, count: RankLimits.line)), .lost(node: last),
            report(.receiver(last), standings: RankLimits.ranks, letters: Array(repeating: count, count: last + 1)),
            report(.message(RankPattern(source: last, tag: tag, context: tag)), requests: RankLimits.requests),
            report(.requests(RankLimits.requests, first: .receiver(0))), report(.requests(2, first: .checkpoint)),
            rows(RankLimits.ranks, waits: waits), rows(1, traffic: RankTraffic(octetsReceived: count)),
            trace(RankTrace.mostSent), show(rows: RankLimits.ranks, laptops: RankLimits.ranks),
            show(rows: 3, laptops: 0),
            .fault(RankEnding(why: String(repeating: "x", count: RankEnding.longestReason), rank: last, places: [0])),
        ]
        for item in good { #expect(isRead(item), "\("\(item)".prefix(100))") }
    }

    @Test func largerOnesAreRefused() {
        let (last, tag, count) = (Self.last, Self.tag, Self.count)
        let bad = [
            message(source: last + 1), message(to: last + 1), message(tag: tag + 1), message(context: tag + 1),
            message(number: count + 1), message(octets: RankLetter.longestMessage + 1),
            offer(octets: RankLimits.message + 1),
            .letter(.ask(source: last + 1, number: 0)), .letter(.ask(source: 0, number: count + 1)),
            .letter(.taken(source: last + 1, number: 0)), .letter(.taken(source: 0, number: count + 1)),
            .letter(.received(last + 1, octets: 0)), .letter(.received(0, octets: RankLetter.mostReceived + 1)),
            .letter(.octets([], source: last + 1, number: 0, to: 0)),
            .letter(.octets([], source: 0, number: count + 1, to: 0)),
            .letter(.octets([], source: 0, number: 0, to: last + 1)), .state(rank: last + 1, []),
            .line(rank: last + 1, []), .line(rank: 0, [UInt8](repeating: 1, count: RankLimits.line + 1)),
            .lost(node: last + 1), report(standings: RankLimits.ranks + 1),
            report(letters: Array(repeating: 0, count: last + 2)), report(letters: [count + 1]),
            report(requests: RankLimits.requests + 1), report(.receiver(last + 1)),
            report(.message(RankPattern(source: last + 1, tag: nil, context: 0))),
            report(.message(RankPattern(source: nil, tag: tag + 1, context: 0))),
            report(.message(RankPattern(source: nil, tag: nil, context: tag + 1))),
            report(.requests(RankLimits.requests + 1, first: .receiver(0))), report(.requests(1, first: .receiver(0))),
            // A wait within a wait within a wait.
            report(.requests(2, first: .requests(2, first: .receiver(0)))), rows(RankLimits.ranks + 1),
            rows(1, traffic: RankTraffic(messagesSent: count + 1)),
            rows(1, waits: RankWaits(whole: .zero, ranks: [last + 1: .zero])),
            trace(RankTrace.mostSent + 1), .trace(rank: last + 1, [], dropped: 0),
            .trace(rank: 0, [], dropped: count + 1),
            .trace(rank: 0, [.sent(message: 0, to: 0, octets: RankLimits.message + 1, at: .start)], dropped: 0),
            show(rows: RankLimits.ranks + 1, laptops: 0), show(rows: 2, laptops: 1), show(rows: 1, laptops: 2),
            .fault(RankEnding(why: "a", code: 256)), .fault(RankEnding(why: "a", rank: last + 1)),
            .fault(RankEnding(why: "a", places: [1 << 32])),
        ]
        for item in bad {
            #expect(throws: WireError.self, "\("\(item)".prefix(100))") { try RankItem(item.encoded()) }
        }
    }

    /// States, outputs and long messages: the bytes are counted before any is copied.
    @Test func longOctetsAreCounted() {
        let limit = RankLimits.message
        #expect(RankLimits.checkpoint == limit && RankLimits.output == limit)
        var head = ByteWriter()
        head.varint(UInt64(limit + 1))
        var octets = [UInt8](repeating: 1, count: 2 + head.bytes.count + limit + 1)
        octets.replaceSubrange(2..<2 + head.bytes.count, with: head.bytes)
        let letter = RankLetter.octets([], source: 0, number: 0, to: 0)
        for (item, tag) in [(.state(rank: 0, []), 2), (.output([]), 2), (.letter(letter), 4)] as [(RankItem, UInt8)] {
            (octets[0], octets[1]) = (item.encoded()[0], tag)
            #expect(throws: WireError.tooLong(limit: limit)) { try RankItem(octets) }
        }
    }

    // MARK: orders

    private func order(_ change: (inout RankOrder) -> Void) -> RankItem {
        var order = RankSamples.order
        change(&order)
        return .order(order)
    }

    private func program(_ change: (inout LaunchedProgram) -> Void) -> RankItem { order { change(&$0.program) } }

    private func nodes(_ count: Int) -> [NodeID] {
        (0..<count).map {
            NodeID(firstOctetsOf: [UInt8($0 & 0xff), UInt8($0 >> 8)] + [UInt8](repeating: 0, count: 14))
        }
    }

    @Test func theLargestOrdersAreRead() throws {
        let all = try #require(RankMap(Array(0..<RankLimits.ranks)))
        let good = [
            order { ($0.map, $0.nodes, $0.own) = (all, nodes(RankLimits.ranks), RankLimits.ranks - 1) },
            program { $0.memory = RankLimits.memory.lowerBound }, program { $0.memory = RankLimits.memory.upperBound },
            program { $0.parameters = Array(repeating: .max, count: JobMessage.mostParameters) },
            program { $0.module = [UInt8](repeating: 1, count: BlobReference.largestModule) },
            program { $0.arguments = Array(repeating: "", count: RankOrder.mostArguments) },
            program { $0.arguments = [String(repeating: "x", count: RankOrder.longestArguments - 4)] },
            program { $0.arguments = ["a\n\u{1b}"] }, order { ($0.isResumed, $0.relay) = (false, nil) },
        ]
        for item in good { #expect(isRead(item)) }
    }

    @Test func impossibleOrdersAreRefused() throws {
        let one = RankMap(size: RankLimits.ranks + 1)
        let own = RankSamples.order.nodes[0]
        let bad = [
            order { ($0.map, $0.nodes) = (one, [own]) }, order { $0.nodes = [own] },
            order { $0.nodes = [own, own] }, order { $0.nodes = [] }, order { $0.own = 2 },
            program { $0.memory = RankLimits.memory.lowerBound - 1 },
            program { $0.memory = RankLimits.memory.upperBound + 1 }, program { $0.memory = 0 },
            program { $0.parameters = Array(repeating: 1, count: JobMessage.mostParameters + 1) },
            program { $0.module = [] },
            program { $0.module = [UInt8](repeating: 1, count: BlobReference.largestModule + 1) },
            program { $0.arguments = Array(repeating: "", count: RankOrder.mostArguments + 1) },
            program { $0.arguments = [String(repeating: "x", count: RankOrder.longestArguments)] },
        ]
        for item in bad { #expect(throws: WireError.self) { try RankItem(item.encoded()) } }
    }

    /// Each node of a program has a rank. `RankMap` cannot be made otherwise, but octets can.
    @Test func aMapThatIsNoneIsRefused() throws {
        for places in [[], [0, 2, 0], [1, 1], [3]] as [[Int]] {
            var (memory, places, nodes) = (RankLimits.memory.lowerBound, places, nodes((places.max() ?? 0) + 1))
            var (module, writer): ([UInt8], FieldWriter) = ([1], FieldWriter(ByteWriter()))
            try writer.kind(1)
            try writer.number(2, &memory)
            try writer.numbers(8, &places, most: .max, each: .max)
            try writer.nodes(9, &nodes, atMost: RankLimits.ranks)
            try writer.octets(12, &module, atMost: .max)
            #expect(throws: WireError.malformed("a node without ranks")) { try RankItem(writer.sink.bytes) }
        }
    }
}
