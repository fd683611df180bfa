import PotluckDoubles
import PotluckNet
import Testing

@testable import Potluck
@testable import PotluckCore

/// What guests write for the host to judge.
@Suite struct ProposalTests {
    private static func script(_ name: String = "two-dice.py") -> PageScript { PageScript(name: name, text: "x = 1\n") }

    private func states(_ page: Room.Page) -> [String] {
        page.messages("proposed").compactMap { $0["state"]?.asString }
    }

    private func listed(_ host: Room.Page) -> [(number: Int, by: String)] {
        let files = host.messages("proposals").last?["files"]?.asArray ?? []
        return files.compactMap { file in
            file["number"]?.asCount.flatMap { number in file["by"]?.asString.map { (number, $0) } }
        }
    }

    @Test func theHostOpensOrDeclinesWhatAGuestWrote() throws {
        let room = Room()
        let (host, ana, ben) = (
            try room.join("teacher", .host), try room.join("ana"), try room.join("ben", .lend)
        )
        let pages = [host, ana, ben]
        #expect(pages.map { $0.messages("welcome").first?["mayWrite"] } == [nil, .bool(true), .bool(true)])
        try room.say(.propose(Self.script()), from: ana)
        try room.say(.propose(Self.script("coin.py")), from: ben)
        try room.pass(.seconds(1), pages)
        let list = listed(host)
        #expect(list.map(\.by) == ["ana", "ben"] && states(ana) == ["waits"] && states(ben) == ["waits"])
        // Nobody else sees it, and the program hears nothing of it.
        #expect(ana.messages("proposals").isEmpty && ben.messages("proposals").isEmpty && room.requests.isEmpty)

        try room.say(.judge(list[0].number, isOpened: true), from: host)
        try room.say(.judge(list[1].number, isOpened: false), from: host)
        try room.pass(.seconds(1), pages)
        let scripts = host.messages("script")
        #expect(scripts.count == 1 && scripts[0]["text"]?.asString == "x = 1\n" && scripts[0]["print"] == nil)
        #expect(scripts.first?["name"]?.asString == "two-dice.py")
        #expect(states(ana) == ["waits", "opened"] && states(ben) == ["waits", "declined"] && listed(host).isEmpty)
        try room.say(.judge(list[0].number, isOpened: true), from: host)
        try room.pass(.seconds(1), pages)
        #expect(host.messages("script").count == 1 && host.messages("answer").last?["refused"] == .bool(true))
        #expect(pages.map(\.code) == [nil, nil, nil])
    }

    /// The list of a host that comes later has it, too. A later text of a guest takes the place of the one before.
    @Test func aGuestHasOneFile() throws {
        let room = Room()
        let ana = try room.join("ana")
        for name in ["one.py", "two.py"] { try room.say(.propose(Self.script(name)), from: ana) }
        let host = try room.join("teacher", .host)
        try room.pass(.seconds(1), [host, ana])
        #expect(host.messages("proposals").last?["files"]?.asArray?.compactMap { $0["name"]?.asString } == ["two.py"])
        // A guest may have left.
        room.hub.closed(ana.id)
        try room.say(.judge(try #require(listed(host).first).number, isOpened: true), from: host)
        try room.pass(.seconds(1), [host])
        #expect(host.messages("script").last?["name"]?.asString == "two.py" && host.code == nil)
    }

    @Test func aClassIsTheMost() throws {
        let room = Room()
        for number in 0..<GatewayLimits.proposals {
            let page = try room.join("page \(number)", client: UInt8(number), from: UInt8(number + 1))
            try room.say(.propose(Self.script()), from: page)
            #expect(states(page) == ["waits"])
        }
        let late = try room.join("late", client: 200)
        try room.say(.propose(Self.script()), from: late)
        #expect(states(late) == ["refused"] && late.code == nil)
    }

    /// Guests are told whether there is a host's page, also when that changes.
    @Test func withoutAHostsPageNothingIsTaken() throws {
        let room = Room()
        let ana = try room.join("ana")
        room.hub.remake(PageTickets(view: room.tickets.view, lend: room.tickets.lend))
        try room.pass(.seconds(1), [ana])
        try room.say(.propose(Self.script()), from: ana)
        #expect(states(ana) == ["refused"])
        #expect(try room.join("ben").messages("welcome").first?["mayWrite"] == nil)
        room.hub.remake(room.tickets)
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("writing").map { $0["isOpen"] } == [.bool(false), .bool(true)])
    }

    @Test func aTextFitsIntoAMessage() throws {
        func decoded(_ count: Int) throws -> PageMessage? {
            let text = String(repeating: "\n", count: count)
            return try PageMessage.decode(
                Array(PageMessage.propose(PageScript(name: "a.py", text: text)).json.text.utf8))
        }
        #expect(try decoded(PageLimits.script) != nil)
        #expect(throws: PageError.self) { try decoded(PageLimits.script + 1) }
    }
}
