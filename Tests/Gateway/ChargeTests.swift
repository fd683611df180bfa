import PotluckDoubles
import PotluckKit
import PotluckNet
import Testing

@testable import Potluck
@testable import PotluckCore

/// What the messages of one page cost the thread of the links, and that the page pays for it.
@Suite struct ChargeTests {
    /// The most bytes that the gateway sends for one message that it counts: a quarter of a part in base64.
    private static let perMessage = PageLimits.part * 4 / 3 / GatewayLimits.fetch + 64
    private static let seconds = 4

    /// Every message that a page can send, and what it makes the gateway send to this page and to others.
    static let messages: [(message: PageMessage, what: String)] =
        [
            (.join(client: [UInt8](repeating: 7, count: 16), name: "eve"), "breaks a rule of a page that has joined"),
            (.name("eve"), "the members to all pages"), (.pong, "nothing"), (.results, "the finished runs"),
            (.lend(cores: 1), "a node of the session"), (.guess(Samples.job, 1), "a guess to all pages"),
            (.work(.fetch(BlobHash([UInt8](repeating: 1, count: BlobHash.length))!, from: 0)), "a part of a module"),
            (.work(.ready(Samples.job)), "nothing"), (.work(.unable(Samples.job, why: "no")), "nothing"),
            (.work(.done(PageChunk(attempt: "1", end: 1, busy: 0, tally: [1], output: nil))), "nothing"),
            (.work(.output(attempt: "1", octets: [1])), "nothing"),
            (.work(.failed(attempt: "1", block: 1, why: "no")), "nothing"),
            (.propose(PageScript(name: "two-dice.py", text: "x = 1")), "a file to the host's page"),
            (.judge(1, isOpened: true), "breaks a rule of a page that is not the host's"),
            (.judge(1, isOpened: false), "breaks a rule of a page that is not the host's"),
        ] + requests.map { (.host($0), "breaks a rule of a page that is not the host's") }

    /// Every request of the host's page.
    static let requests: [HostRequest] =
        [
            .start(HostStart("coin", parameters: [.init("sides", "3")], trials: "1e6")), .say("hello"),
            .accept(NodeID(firstOctetsOf: [UInt8](repeating: 5, count: 16))),
            .decline(NodeID(firstOctetsOf: [UInt8](repeating: 5, count: 16))), .remove("ana"),
            .script(.list), .script(.new(kind: "dice", name: "two-dice.py")), .script(.open(name: "two-dice.py")),
            .script(.check("x = 1", number: 1)), .script(.save("x = 1", name: "two-dice.py", print: nil)),
        ] + [JobCommand.pause, .resume, .cancel, .reveal, .hide].map { .command($0, Samples.job) }

    /// Answers a `fetch` with the longest part, as a page's node does.
    private final class Workers: PageWorkers, @unchecked Sendable {
        var count: [String: Int] = [:]
        var send: ((GatewayMessage) -> Void)?

        func opened(
            _ page: PageID, name: String, at address: [UInt8], send: @escaping @Sendable (GatewayMessage) -> Void
        ) { self.send = send }
        func renamed(_ page: PageID, to name: String) { count["renamed", default: 0] += 1 }
        func lends(_ page: PageID, cores: Int) { count["lends", default: 0] += 1 }
        func received(_ work: PageWork, from page: PageID) {
            count["received", default: 0] += 1
            if case .fetch(let hash, let from) = work {
                send?(.part(hash, from: from, octets: [UInt8](repeating: 1, count: PageLimits.part)))
            }
        }
        func closed(_ page: PageID) {}
    }

    /// A room whose finished runs have the longest pictures, with a page that lends and one that only looks.
    private func room() throws -> (room: Room, workers: Workers, eve: Room.Page, ana: Room.Page) {
        let workers = Workers()
        let room = Room(workers: workers)
        let readings = (0..<GatewayLimits.readings).map { number in
            Reading(
                name: String(repeating: "r", count: 60) + "\(number)", kind: .histogram, value: nil,
                bins: [UInt64](repeating: 9_999, count: 130), range: 0...1)
        }
        for number in 1...GatewayLimits.results {
            let result = Samples.result(readings: readings)
            room.hub.change {
                $0.finished(Samples.outcome(JobID(UInt64(number)), result, digest: "d\(number)"), solution: nil)
            }
        }
        room.hub.workSender = { [room = Thread(room)] page in
            { message in room.room.hub.send(message, to: page, at: room.room.now) }
        }
        return (room, workers, try room.join("eve", .lend), try room.join("ana"))
    }

    /// Lets the sender of a page reach the hub. Everything is on one thread.
    private struct Thread: @unchecked Sendable {
        let room: Room
        init(_ room: Room) { self.room = room }
    }

    /// What a page could have had by `fetch`, and the pictures that every page gets.
    private static let most =
        (GatewayLimits().messages.most + GatewayLimits().messages.perSecond * seconds) * perMessage

    /// Sends one message as often as the gateway takes it, and returns how many bytes went to the page and to another, and
    /// whether the page was closed. Ends as soon as the page has had too much, which may be gigabytes otherwise.
    private func flood(_ message: PageMessage) throws -> (sent: Int, own: Int, other: Int, isClosed: Bool) {
        let (room, _, eve, ana) = try room()
        try room.pass(.seconds(1))
        room.wire.sent = [:]
        var sent = 0
        let limits = GatewayLimits().messages
        for step in 0..<Self.seconds * 10 {
            // All that the page may send at once, and then what it may send in a tenth of a second.
            for _ in 0..<(step == 0 ? limits.most : limits.perSecond / 10) where !room.wire.closed.contains(eve.id) {
                if room.wire.sent[eve.id]?.count ?? 0 > Self.most { break }
                sent += 1
                let next = if case .name = message { PageMessage.name("eve \(sent)") } else { message }
                room.hub.received(eve.side.say(next), on: eve.id, now: room.now)
            }
            try room.pass(.milliseconds(100))
        }
        let octets = room.wire.sent
        return (sent, octets[eve.id]?.count ?? 0, octets[ana.id]?.count ?? 0, room.wire.closed.contains(eve.id))
    }

    @Test(arguments: messages.indices) func aPagePaysForItsMessages(index: Int) throws {
        let (message, what) = Self.messages[index]
        let (sent, own, other, isClosed) = try flood(message)
        #expect(own <= Self.most, "\(what): \(sent) messages, \(own) bytes")
        // Others get no more than a short list of members four times a second.
        #expect(other <= Self.seconds * 4 * 1024, "\(what): \(sent) messages, \(other) bytes to another page")
        if case .results = message { #expect(!isClosed, "a page that asks for what it may ask is closed") }
    }

    /// What waits for its allowance comes, whole and with the runs of then.
    @Test func anAnswerThatWaitsComes() throws {
        let (room, _, _, ana) = try room()
        for _ in 0..<6 { try room.say(.results, from: ana) }
        func answers() -> Int { ana.messages("results").count { $0["last"] == .bool(true) } }
        let before = answers()
        #expect((1...2).contains(before))
        room.hub.change { $0.finished(Samples.outcome(JobID(99), Samples.result(), digest: "late"), solution: nil) }
        for _ in 0..<20 where answers() == before {
            try room.pass(.seconds(1), [ana])
            try room.say(.pong, from: ana)
        }
        #expect(answers() == before + 1 && ana.code == nil)
        // The next question has its answer at once again after a while.
        for _ in 0..<20 {
            try room.pass(.seconds(1), [ana])
            try room.say(.pong, from: ana)
        }
        try room.say(.results, from: ana)
        #expect(answers() == before + 2)
        let runs = ana.messages("results").flatMap { $0["runs"]?.asArray ?? [] }
        #expect(runs.last?["digest"]?.asString == "late")
    }

    /// A page that joins again and again gets all pictures each time. Others at other addresses are not concerned.
    @Test func joiningIsChargedToTheAddress() throws {
        let room = Room()
        var (joined, refused) = (0, 0)
        for _ in 0..<600 {
            let eve = try room.join("eve", client: 9, from: 9)
            if eve.code == 4429 { refused += 1 } else { joined += 1 }
        }
        #expect(joined == GatewayLimits().joins.most && refused == 600 - joined)
        #expect(try room.join("ana", from: 2).code == nil)
        // A room of 200 behind one router may reconnect together.
        #expect(try (0..<200).allSatisfy { try room.join("pupil", client: UInt8($0), from: 3).code == nil })
        try room.pass(.seconds(2))
        #expect(try room.join("eve", client: 9, from: 9).code == nil)
    }

    /// A hand is never too quick, and a program that plays one ends its page.
    @Test func namesAndLendingAreForHands() throws {
        for message in [PageMessage.name("eve 1"), .lend(cores: 2)] {
            let (room, workers, eve, _) = try room()
            for number in 0..<100 where eve.code == nil {
                if case .name = message {
                    try room.say(.name("eve \(number)"), from: eve)
                } else {
                    try room.say(message, from: eve)
                }
            }
            #expect(eve.code == 4400)
            #expect(
                workers.count["renamed", default: 0] + workers.count["lends", default: 0] == GatewayLimits().deeds.most)
        }
        let (room, _, ana, _) = try room()
        for number in 0..<40 {
            try room.say(.name("ana \(number)"), from: ana)
            try room.pass(.seconds(1), [ana])
        }
        #expect(ana.code == nil && ana.messages("session").count > 20)
    }
}
