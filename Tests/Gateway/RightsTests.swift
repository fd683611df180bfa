import PotluckDoubles
import PotluckKit
import PotluckNet
import Testing

@testable import Potluck
@testable import PotluckCore

/// What each kind of ticket allows, and to whom the host's belongs.
@Suite struct RightsTests {
    private final class Workers: PageWorkers, @unchecked Sendable {
        var count = 0
        func opened(
            _ page: PageID, name: String, at address: [UInt8], send: @escaping @Sendable (GatewayMessage) -> Void
        ) {}
        func renamed(_ page: PageID, to name: String) {}
        func lends(_ page: PageID, cores: Int) { count += 1 }
        func received(_ work: PageWork, from page: PageID) { count += 1 }
        func closed(_ page: PageID) {}
    }

    /// What each ticket allows, once more and in another way than the list: the first word of a message, by the ticket.
    private static let allowed: [PageRight: Set<String>] = [
        .view: ["name", "pong", "results", "guess", "new", "propose"],
        .lend: [
            "name", "pong", "results", "guess", "new", "propose", "lend", "fetch", "ready", "unable", "done", "output",
            "failed",
        ],
        .host: [
            "name", "pong", "results", "guess", "start", "pause", "resume", "cancel", "reveal", "hide", "say", "accept",
            "decline", "remove", "scripts", "new", "open", "check", "save", "take", "reject",
        ],
    ]

    /// Every kind of ticket with every message: what is allowed has its effect, and all else ends the page without one.
    @Test(arguments: PageRight.allCases) func everyMessageIsAllowedOrEndsThePage(right: PageRight) throws {
        var words: Set<String> = []
        for (message, _) in ChargeTests.messages {
            let workers = Workers()
            let room = Room(workers: workers)
            room.hub.change { $0.took(Samples.snapshot(0, state: .paused, hidesExact: true), solution: nil) }
            let page = try room.join("ana", right)
            #expect(page.code == nil)
            try room.say(message, from: page)
            let word = try #require(message.json["do"]?.asString)
            words.insert(word)
            let isAllowed = try #require(Self.allowed[right]).contains(word)
            #expect(right.allows(message) == isAllowed && page.code == (isAllowed ? nil : 4400), "\(right): \(word)")
            let asked: [HostRequest] = if case .host(let request) = message, isAllowed { [request] } else { [] }
            #expect(room.requests == asked, "\(right): \(word)")
            let isWork = ["lend", "fetch", "ready", "unable", "done", "output", "failed"].contains(word)
            #expect(workers.count == (isWork && isAllowed ? 1 : 0), "\(right): \(word)")
        }
        #expect(words == Self.allowed.values.reduce(["join"]) { $0.union($1) }, "a message is not tried")
    }

    @Test func theFirstBrowserHasTheHostsPage() throws {
        let room = Room()
        let mine = DeviceSecret([UInt8](repeating: 1, count: 16))
        let other = DeviceSecret([UInt8](repeating: 2, count: 16))
        let first = try room.join("teacher", .host, from: 5, device: mine)
        #expect(first.messages("welcome").first?["isHost"] == .bool(true) && first.you == "teacher")
        #expect(room.changes == [.hostOpened(at: "10.0.0.5"), .joined("teacher")])
        let second = try room.join("eve", .host, from: 6, device: other)
        #expect(second.code == 4411 && second.you == nil && first.code == nil)
        #expect(room.changes.last == .hostRefused(at: "10.0.0.6"))
        // A page that shows no secret, and one that hears another's proof.
        #expect(try room.join("eve", .host, device: nil).code == 4411)
        // Another tab of the same browser, and the same one after a reload.
        #expect(try room.join("teacher", .host, from: 9, device: mine).code == nil)
        #expect(try room.join("ana").messages("welcome").first?["isHost"] == nil)
        #expect(room.hub.tickets.host?.device == mine)
    }

    /// Nobody learns the secret of a device from what it sends later, and a proof is worth nothing elsewhere.
    @Test func aProofHoldsForOneConversation() throws {
        let device = try #require(Room.device)
        let (key, other) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        let (first, later) = (device.shown(key, isFirst: true), device.shown(key, isFirst: false))
        #expect(first.device(key) == device && first.device(other) == nil)
        #expect(later.isOf(device, key) && !later.isOf(device, other) && later.device(key) == nil)
        #expect("\(device)" == "DeviceSecret" && DeviceSecret(digits: device.digits) == device)
    }

    @Test func theHostsTicketEndsAlone() throws {
        let room = Room()
        let (host, ana) = (try room.join("teacher", .host), try room.join("ana"))
        // The class gets other addresses; the host keeps its page.
        var tickets = PageTickets.random()
        tickets.host = room.tickets.host
        room.hub.remake(tickets)
        for page in [host, ana] { try room.read(page) }
        #expect([host.code, ana.code] == [nil, 4401] && room.hub.tickets.host?.device == Room.device)
        // The host's address is revoked.
        let ben = try room.join("ben", ticket: tickets.view)
        tickets.host = nil
        room.hub.remake(tickets)
        for page in [host, ben] { try room.read(page) }
        #expect([host.code, ben.code] == [4401, nil])
        #expect(try room.join("teacher", .host).code == 4401)
    }

    @Test func theHostsPageIsNotRemoved() throws {
        let room = Room()
        let (host, ana) = (try room.join("teacher", .host), try room.join("ana"))
        #expect(room.hub.kick("teacher") == nil && room.hub.kick("ana") == ["ana"])
        for page in [host, ana] { try room.read(page) }
        #expect([host.code, ana.code] == [nil, 4403])
        // Its device may share the address of those whom it removed.
        #expect(try room.join("teacher", .host).code == nil)
    }

    @Test func aHostsPageThatAsksTooOftenIsClosed() throws {
        let room = Room()
        let host = try room.join("teacher", .host)
        for _ in 0...GatewayLimits().deeds.most where host.code == nil { try room.say(.host(.say("hi")), from: host) }
        #expect(host.code == 4400 && room.requests.count == GatewayLimits().deeds.most)
    }

    @Test func onlyTheHostSeesWhatItCanStartAndWhoWaits() throws {
        let room = Room()
        let node = NodeID(firstOctetsOf: [UInt8](repeating: 3, count: 16))
        let pages = try PageRight.allCases.map { try room.join("\($0)", $0) }
        room.hub.show(gallery: [.simulation(key: "coin", ["name": "coin"]), .simulation(key: "pi", ["name": "pi"])])
        room.hub.show(newcomers: [PageNewcomer(node, name: "eve")])
        try room.pass(.seconds(1), pages)
        room.hub.show(newcomers: [])
        try room.pass(.seconds(1), pages)
        let late = try room.join("late", .host)
        for (page, right) in zip(pages, PageRight.allCases) {
            let isHost = right == .host
            #expect(page.messages("simulation").map { $0["key"]?.asString } == (isHost ? ["coin", "pi"] : []))
            #expect(page.messages("newcomers").map { $0["nodes"]?.asArray?.count } == (isHost ? [1, 0] : []))
        }
        let newcomer = pages.last?.messages("newcomers").first?["nodes"]?.asArray?.first
        #expect(newcomer?["node"]?.asString == String(repeating: "03", count: 16))
        #expect(newcomer?["name"]?.asString == "eve")
        #expect(late.messages("simulation").count == 2)
    }
}
