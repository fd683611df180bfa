import PotluckDoubles
import PotluckNet
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCore

/// Who may view a session, and how a page's connection ends.
@Suite struct EntryTests {
    @Test func filesAreServedUntilTheBrowserIsSilent() throws {
        let room = Room()
        let page = room.connect()
        try room.send(PageSide.get("/", host: Room.host) + PageSide.get("/page.js", host: Room.host), from: page)
        #expect(page.arrivals.first == .answer(status: 200, body: Array("<p>".utf8)))
        #expect(page.arrivals.count == 2 && room.wire.answered == [page.id])
        try room.pass(.seconds(4))
        try room.send(PageSide.get("/", host: Room.host), from: page)
        try room.pass(.seconds(4))
        #expect(page.arrivals.count == 3 && !room.wire.closed.contains(page.id))
        try room.pass(.seconds(2))
        #expect(room.wire.closed.contains(page.id) && room.hub.visitors.isEmpty)
    }

    /// Half a request, or a few bytes of it now and then.
    @Test func aSlowRequestIsNotWaitedFor() throws {
        let room = Room()
        let page = room.connect()
        for octet in PageSide.get("/", host: Room.host).prefix(12) {
            if room.wire.closed.isEmpty { room.hub.received([octet], on: page.id, now: room.now) }
            try room.pass(.milliseconds(600))
        }
        #expect(room.wire.closed == [page.id])
    }

    @Test func theNextRequestWaitsForAnAnswerThatIsBeingSent() throws {
        let room = Room()
        let page = room.connect()
        room.wire.slow.insert(page.id)
        for _ in 0..<10 { room.hub.received(PageSide.get("/page.js", host: Room.host), on: page.id, now: room.now) }
        #expect((room.wire.waiting[page.id]?.count ?? 0) < 100_000)
        try room.drain(page)
        #expect(page.arrivals.count == 10)
        // More requests than a buffer holds end the connection.
        room.wire.slow.insert(page.id)
        for _ in 0..<60 { room.hub.received(PageSide.get("/page.js", host: Room.host), on: page.id, now: room.now) }
        #expect(room.wire.closed.contains(page.id))
    }

    @Test func anAnswerThatNobodyTakesIsGivenUp() throws {
        let room = Room()
        let page = room.connect()
        room.wire.slow.insert(page.id)
        room.hub.received(PageSide.get("/page.js", host: Room.host), on: page.id, now: room.now)
        try room.pass(.seconds(14))
        #expect(!room.wire.closed.contains(page.id))
        try room.pass(.seconds(2))
        #expect(room.wire.closed.contains(page.id))
    }

    @Test func foreignPagesAndNamesAreRefused() throws {
        let room = Room()
        for (request, status) in [
            (PageSide.handshake(host: Room.host, origin: "http://evil.example"), 403),
            (PageSide.handshake(host: "evil.example:7077"), 421), (PageSide.get("/", host: "evil.example:7077"), 421),
            (Array("POST / HTTP/1.1\r\n\r\n".utf8), 405),
        ] {
            let page = room.connect()
            try room.send(request, from: page)
            #expect(page.arrivals.map { if case .answer(let status, _) = $0 { status } else { 0 } } == [status])
            #expect(room.wire.closed.contains(page.id))
        }
    }

    @Test func onlyATicketOfTheSessionIsAdmitted() throws {
        let room = Room()
        let stranger = try room.join("x", ticket: .random())
        #expect(stranger.code == 4401 && room.wire.admitted.isEmpty && room.changes.isEmpty)
        // A page that knows the public name of a ticket, and not the ticket, gets no further.
        let page = room.connect()
        try room.send(PageSide.handshake(host: Room.host), from: page)
        try room.send(page.side.hello, from: page)
        var json = page.side.say(.join(client: [UInt8](repeating: 1, count: 16), name: "x"))
        json[json.count - 1] ^= 1
        try room.send(json, from: page)
        #expect(page.code == 4401 && room.wire.admitted.isEmpty)
    }

    @Test func aWrongMACEndsAPage() throws {
        let room = Room()
        let ana = try room.join("ana")
        let message = ana.side.say(.pong)
        try room.send(message, from: ana)
        try room.send(message, from: ana)
        #expect(ana.code == 4401 && room.changes == [.joined("ana"), .left("ana")])
    }

    @Test(arguments: [
        #"{"do":"lend","cores":1}"#, #"{"do":"ready","job":"0123456789abcdef"}"#, #"{"do":"name"}"#, "[]", "",
        #"{"do":"join","client":"00112233445566778899aabbccddeeff","name":"x"}"#,
    ])
    func aMessageThatBreaksARuleEndsThePage(_ json: String) throws {
        for right in PageRight.allCases {
            let room = Room()
            let ana = try room.join("ana", right)
            try room.send(ana.side.say(json: Array(json.utf8)), from: ana)
            #expect(ana.code == 4400)
        }
    }

    @Test func framesThatBreakARuleEndThePage() throws {
        let room = Room()
        let ana = try room.join("ana")
        try room.send([0x81, 0x01, 0x61], from: ana)
        #expect(ana.code == 1002)
    }

    @Test func aFloodOfMessagesEndsThePage() throws {
        let room = Room()
        let ana = try room.join("ana")
        for _ in 0..<600 where ana.code == nil { try room.send(PageSide.frame([], code: 9), from: ana) }
        #expect(ana.code == 4400)
    }

    @Test func aSilentPageIsClosedAndOneThatAnswersStays() throws {
        let room = Room()
        let (ana, ben) = (try room.join("ana"), try room.join("ben"))
        for _ in 0..<20 {
            try room.pass(.seconds(1), [ana, ben])
            try room.say(.pong, from: ben)
        }
        #expect(ana.code == 4408 && ben.code == nil)
        #expect(ben.messages("ping").count == 4 && ben.arrivals.filter { $0 == .ping }.count == 4)
    }

    @Test func aPageThatSaysNothingAfterItsHandshakeIsClosed() throws {
        let room = Room()
        let page = room.connect()
        try room.send(PageSide.handshake(host: Room.host), from: page)
        try room.pass(.seconds(6), [page])
        #expect(page.code == 4408)
    }

    @Test func theSamePageReplacesItsOldConnection() throws {
        let room = Room()
        let old = try room.join("ana", client: 5)
        let new = try room.join("ana", client: 5)
        try room.read(old)
        #expect(old.code == 4409 && new.you == "ana")
        #expect(room.changes == [.joined("ana"), .left("ana"), .joined("ana")])
    }

    @Test func aFullGatewaySaysSo() throws {
        let room = Room()
        room.wire.places = 2
        let pages = try ["ana", "ben", "cleo"].map { try room.join($0) }
        #expect(pages.map(\.code) == [nil, nil, 4429])
        room.hub.closed(pages[0].id)
        room.wire.closed.insert(pages[0].id)
        #expect(try room.join("cleo").code == nil)
    }

    @Test func aRemovedViewerStaysOut() throws {
        let room = Room()
        let pages = [try room.join("ana", from: 2), try room.join("ana", from: 2), try room.join("ben", from: 3)]
        #expect(room.hub.kick("eve") == nil)
        #expect(room.hub.kick("ANA") == ["ana", "ana 2"])
        for page in pages { try room.read(page) }
        #expect(pages.map(\.code) == [4403, 4403, nil])
        #expect(try room.join("new name", client: 99, from: 2).code == 4403)
        #expect(try room.join("same tab", client: 1, from: 9).code == 4403)
        #expect(try room.join("cleo", from: 4).code == nil)
    }

    @Test func newTicketsEndOldPages() throws {
        let room = Room()
        let ana = try room.join("ana")
        let half = room.connect()
        try room.send(PageSide.handshake(host: Room.host), from: half)
        try room.send(half.side.hello, from: half)
        let new = PageTickets.random()
        room.hub.remake(new)
        for page in [ana, half] { try room.read(page) }
        #expect([ana.code, half.code] == [4401, 4401])
        #expect(try room.join("ana").code == 4401)
        #expect(try room.join("ana", ticket: new.view).code == nil)
    }

    @Test func theEndOfTheSessionIsTold() throws {
        let room = Room()
        let (ana, other) = (try room.join("ana"), room.connect())
        room.hub.stop()
        try room.read(ana)
        #expect(ana.code == 4410 && room.wire.closed == [ana.id, other.id] && room.hub.visitors.isEmpty)
    }

    // MARK: Lending

    /// Notes what pages that lend send.
    private final class Workers: PageWorkers, @unchecked Sendable {
        var calls: [String] = []
        var send: ((GatewayMessage) -> Void)?

        func opened(
            _ page: PageID, name: String, at address: [UInt8], send: @escaping @Sendable (GatewayMessage) -> Void
        ) {
            calls.append("opened \(name)")
            self.send = send
        }
        func renamed(_ page: PageID, to name: String) { calls.append("renamed \(name)") }
        func lends(_ page: PageID, cores: Int) { calls.append("lends \(cores)") }
        func received(_ work: PageWork, from page: PageID) { calls.append("received") }
        func closed(_ page: PageID) { calls.append("closed") }
    }

    @Test func aPageThatMayLendTalksWithTheWorkers() throws {
        let workers = Workers()
        let room = Room(workers: workers)
        let hub = room.hub
        let pending = Guarded<[(GatewayMessage, PageID)]>([])
        hub.workSender = { page in { message in pending.with { $0.append((message, page)) } } }
        let viewer = try room.join("eve", .view)
        try room.say(.lend(cores: 2), from: viewer)
        #expect(viewer.code == 4400 && workers.calls.isEmpty)
        let ana = try room.join("ana", .lend)
        #expect(ana.messages("welcome").first?["mayLend"] == .bool(true))
        try room.say(.name("ida"), from: ana)
        try room.say(.lend(cores: 2), from: ana)
        try room.say(.name("eva"), from: ana)
        try room.say(.work(.ready(Samples.job)), from: ana)
        workers.send?(.interrupt(Samples.job))
        room.wire.slow.insert(ana.id)
        room.hub.change { $0.took(Samples.snapshot(), solution: nil) }
        try room.pass(.seconds(1))
        for (message, page) in pending.with({ $0 }) { hub.send(message, to: page, at: room.now) }
        try room.drain(ana)
        #expect(ana.messages("interrupt").count == 1)
        hub.closed(ana.id)
        #expect(workers.calls == ["opened ana", "renamed ida", "lends 2", "received", "closed"])
    }

    @Test func aPageThatTakesNoWorkIsGivenUp() throws {
        let room = Room(workers: Workers())
        let ana = try room.join("ana", .lend)
        let page = try #require(room.hub.viewers.first?.page)
        room.wire.slow.insert(ana.id)
        for _ in 0..<100 where room.wire.closed.isEmpty {
            room.hub.send(.news(String(repeating: "x", count: 32_000), by: nil), to: page, at: room.now)
        }
        #expect(room.wire.closed == [ana.id])
    }
}
