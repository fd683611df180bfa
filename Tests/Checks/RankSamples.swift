import PotluckCore
import PotluckKit
import PotluckRanks

/// Sample frames and items of programs with ranks: one of each kind with all its fields.
package enum RankSamples {
    private static let launch: UInt64 = 0x0102_0304_0506_0708

    package static let frames: [RankFrame] = [
        RankFrame(launch: launch, content: .part([1, 2, 3], isLast: false)),
        RankFrame(launch: launch, target: Samples.node(16), content: .part([4], isLast: true)),
        RankFrame(launch: launch, origin: Samples.node(0), content: .received(300)),
        RankFrame(launch: launch, content: .received(0)),
        RankFrame(launch: launch, content: .open([Samples.node(0), Samples.node(16)])),
        RankFrame(launch: launch, content: .opened),
        RankFrame(launch: 0, content: .closed("it has no cores")),
        RankFrame(launch: launch, origin: Samples.node(0), content: .show([5, 6])),
    ]

    package static let order = RankOrder(
        LaunchedProgram(
            name: "ring", module: [0, 97, 115, 109], memory: 256 << 20, parameters: [3, 1], payload: [7], seed: 300,
            arguments: ["-v", ""], isSynchronous: true, isTraced: true),
        map: RankMap([0, 1, 0])!, nodes: [Samples.node(0), Samples.node(16)], relay: Samples.node(32), own: 0,
        isResumed: true)
    private static let pattern = RankPattern(source: 1, tag: 2, context: 4)
    package static let rows = [
        RankRow(
            standing: .waits(.message(pattern), for: .microseconds(1)),
            traffic: RankTraffic(messagesSent: 1, octetsSent: 200, messagesReceived: 3, octetsReceived: 4),
            waits: RankWaits(whole: .microseconds(3), ranks: [-1: .microseconds(1), 1: .microseconds(2)])),
        RankRow(standing: .computes, traffic: RankTraffic(), waits: RankWaits()),
        RankRow(standing: .ended, traffic: RankTraffic(), waits: RankWaits()),
    ]
    private static let message = {
        var message = RankMessage(source: 1, tag: 2, context: 4, octets: [9, 8])
        message.number = 300
        return message
    }()

    package static let items: [RankItem] = [
        .order(order), .begin, .pass, .end, .ready, .fault(RankEnding(why: "it crashed", rank: 2, places: [16, 300])),
        .fault(RankEnding(why: "it aborted", code: 7)), .line(rank: 2, [101], isError: true),
        .report(
            RankReport(
                standings: [
                    .ended, .waits(.message(pattern)), .waits(.receiver(3)), .waits(.checkpoint),
                    .waits(.requests(7, first: .message(RankPattern(source: nil, tag: nil, context: 1)))),
                ], sent: [0, 300], received: [0, 2], open: RankReport.Open(rank: 0, messages: 0, requests: 1))),
        .state(rank: 1, [1, 2]), .line(rank: 1, [104, 105]), .rows(rows), .output([111, 107]),
        .trace(
            rank: 1,
            [
                .sent(message: 1, to: 2, octets: 300, at: Instant(nanoseconds: 4)),
                .received(message: 5, from: 0, at: Instant(nanoseconds: 6)),
                .waited(.receiver(2), since: Instant(nanoseconds: 7), for: .nanoseconds(8)),
            ], dropped: 9),
        .lost(node: 1), .letter(.message(message, to: 2, isSynchronous: true)),
        .letter(.offer(message.envelope, to: 2, isSynchronous: false)), .letter(.ask(source: 1, number: 300)),
        .letter(.octets([9, 8], source: 1, number: 300, to: 2)), .letter(.taken(source: 0, number: 0)),
        .letter(.received(1, octets: 300)),
        .show(
            RankShow(
                name: "ring", launcher: "ana", state: .failed("it crashed"), elapsed: .seconds(1), checkpoints: 2,
                rows: [
                    RankRow(
                        standing: .waits(.checkpoint, for: .microseconds(1)), traffic: RankTraffic(messagesSent: 1),
                        waits: RankWaits(whole: .microseconds(3), ranks: [1: .microseconds(2)])),
                    rows[1], rows[2],
                ], laptops: ["ana", "Bö", "ana"])),
    ]
}

/// Generates random frames and items that nodes could send.
package struct AnyRankItem {
    package var random: RandomStream

    package init(random: RandomStream) { self.random = random }

    /// How many kinds of items there are.
    package static let kinds = 20

    private static let most = 1 << 53

    /// Small numbers as well as large ones.
    private mutating func number(atMost limit: Int = most) -> Int {
        random.chance(0.1) ? limit : Int(random.next64() >> UInt64(1 + random.below(63))) % (limit + 1)
    }
    private mutating func octets(_ most: Int = 40) -> [UInt8] {
        (0..<random.below(most)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
    private mutating func list<Value>(_ most: Int, _ make: (inout AnyRankItem) -> Value) -> [Value] {
        (0..<random.below(most + 1)).map { _ in make(&self) }
    }
    private mutating func some<Value>(_ value: Value) -> Value? { random.chance(0.5) ? value : nil }
    private mutating func rank() -> Int { number(atMost: 511) }
    private mutating func tag() -> Int { number(atMost: Int(Int32.max)) }
    private mutating func text() -> String { String("Grüße — 骰子 🎲".prefix(random.below(14))) }
    private mutating func duration() -> Duration { .nanoseconds(Int64(number(atMost: 315_360_000_000_000_000))) }
    private mutating func moment() -> Instant { .start + duration() }
    private mutating func node() -> NodeID { Samples.node(UInt8(random.below(256))) }

    private mutating func cause() -> RankActivity.Cause {
        let first: RankActivity.Cause =
            switch random.below(3) {
            case 0: .message(RankPattern(source: some(rank()), tag: some(tag()), context: tag()))
            case 1: .receiver(rank())
            default: .checkpoint
            }
        return random.chance(0.3) ? .requests(2 + number(atMost: 16_382), first: first) : first
    }

    private mutating func traffic() -> RankTraffic {
        RankTraffic(
            messagesSent: number(), octetsSent: number(), messagesReceived: number(), octetsReceived: number())
    }

    /// A row whose waits name any number of ranks, or one at most.
    private mutating func row(isBrief: Bool = false) -> RankRow {
        var ranks: [Int: Duration] = [:]
        for _ in 0..<random.below(isBrief ? 2 : 6) { ranks[rank() - (isBrief ? 0 : 1)] = duration() }
        let standings: [RankRow.Standing] = [.computes, .ended, .waits(cause(), for: duration())]
        return RankRow(
            standing: standings[random.below(3)], traffic: traffic(), waits: RankWaits(whole: duration(), ranks: ranks))
    }

    private mutating func map() -> RankMap {
        let nodes = 1 + random.below(6)
        return RankMap((0..<nodes) + list(9) { $0.random.below(nodes) })!
    }

    private mutating func order() -> RankOrder {
        let map = map()
        let own = random.below(map.nodes)
        let first = random.below(200)
        return RankOrder(
            LaunchedProgram(
                name: text(), module: [0] + octets(), memory: 1 << (20 + random.below(13)),
                parameters: list(9) { $0.random.next64() }, payload: octets(), seed: random.next64() >> 8,
                arguments: list(4) { $0.text() }, isSynchronous: random.chance(0.5), isTraced: random.chance(0.5)),
            map: map, nodes: (0..<map.nodes).map { Samples.node(UInt8(first + $0)) }, relay: some(node()), own: own,
            isResumed: random.chance(0.5))
    }

    private mutating func report() -> RankReport {
        RankReport(
            standings: list(9) { $0.some(.waits($0.cause())) ?? .ended }, sent: list(5) { $0.number() },
            received: list(5) { $0.number() },
            open: some(RankReport.Open(rank: rank(), messages: number(), requests: number(atMost: 16_384))))
    }

    private mutating func message() -> RankMessage {
        var message = RankMessage(source: rank(), tag: tag(), context: tag(), octets: octets())
        message.number = number()
        return message
    }

    private mutating func event() -> RankTrace.Event {
        switch random.below(3) {
        case 0: .sent(message: number(), to: rank(), octets: number(atMost: 256 << 20), at: moment())
        case 1: .received(message: number(), from: rank(), at: moment())
        default: .waited(cause(), since: moment(), for: duration())
        }
    }

    private mutating func show() -> RankShow {
        let rows = list(9) { $0.row(isBrief: true) }
        let states: [RankShow.State] = [.running, .ended, .failed(text())]
        return RankShow(
            name: text(), launcher: text(), state: states[random.below(3)], elapsed: duration(),
            checkpoints: number(), rows: rows, laptops: some(rows.map { _ in text() }) ?? [])
    }

    package mutating func next() -> RankItem { item(random.below(Self.kinds)) }

    /// An item of the kind with this number, from 0.
    package mutating func item(_ kind: Int) -> RankItem {
        switch kind {
        case 0: .order(order())
        case 1: .begin
        case 2: .pass
        case 3: .end
        case 4: .ready
        case 5: .fault(RankEnding(why: text(), rank: some(rank()), places: list(9) { $0.number(atMost: 1 << 32 - 1) }))
        case 6: .report(report())
        case 7: .state(rank: rank(), octets())
        case 8: .line(rank: rank(), octets())
        case 9: .rows(list(9) { $0.row() })
        case 10: .output(octets())
        case 11: .trace(rank: rank(), list(9) { $0.event() }, dropped: number())
        case 12: .lost(node: rank())
        case 13: .letter(.message(message(), to: rank(), isSynchronous: random.chance(0.5)))
        case 14: .letter(.offer(envelope(), to: rank(), isSynchronous: random.chance(0.5)))
        case 15: .letter(.ask(source: rank(), number: number()))
        case 16: .letter(.octets(octets(), source: rank(), number: number(), to: rank()))
        case 17: .letter(.taken(source: rank(), number: number()))
        case 18: .letter(.received(rank(), octets: number(atMost: 1 << 20)))
        default: .show(show())
        }
    }

    private mutating func envelope() -> RankEnvelope {
        RankEnvelope(
            source: rank(), tag: tag(), context: tag(), number: number(), octets: number(atMost: 256 << 20))
    }

    package mutating func frame() -> RankFrame {
        let contents: [RankFrame.Content] = [
            .part([0] + octets()[...], isLast: random.chance(0.5)),
            .received(random.next64() >> UInt64(random.below(64))),
            .open(list(5) { $0.node() }), .opened, .closed(text()), .show([0] + octets()),
        ]
        return RankFrame(
            launch: random.next64(), origin: some(node()), target: some(node()), content: contents[random.below(6)])
    }
}
