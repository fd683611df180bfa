import Foundation
import PotluckDoubles
import PotluckKit
import PotluckNet
import Testing

@testable import Potluck
@testable import PotluckCore
@testable import PotluckScreen

/// Whatever a node hears of its jobs, and however slow a page is or how often its link is lost: when all has arrived, the
/// page shows what the node's board shows.
@Suite struct PageLawTests {
    @Test func aPageShowsWhatTheScreensShow() throws {
        for seed in 1...40 as ClosedRange<UInt64> {
            var evening = Evening(seed: seed)
            try evening.play(steps: 120)
            #expect(evening.faults == [], "seed \(seed)")
        }
    }

    /// A long job ends after a shorter one that failed, and after more jobs than a page keeps.
    @Test func theLastEndIsInFront() throws {
        var evening = Evening(seed: 1)
        for job in 1...7 as ClosedRange<UInt64> { evening.hear(Board.shown(JobID(job), .running)) }
        for job in 2...6 as ClosedRange<UInt64> { evening.hear(Board.finished(JobID(job))) }
        evening.hear(.failed(JobID(7), "it crashed"))
        evening.hear(Board.finished(JobID(1)))
        try evening.settle()
        #expect(evening.foremost == [1, 1, 1] && evening.faults == [])
        evening.hear(Board.shown(JobID(8), .running))
        evening.hear(.failed(JobID(8), "it crashed"))
        try evening.settle()
        #expect(evening.foremost == [8, 8, 8])
        // The host shows the exact answers of a job that pages do not show any more.
        evening.hear(Board.shown(JobID(2), .done(.trials)))
        try evening.settle()
        #expect(evening.foremost == [8, 8, 8] && evening.faults == [])
    }

    /// Nothing that comes after an end makes a page show another one.
    @Test func theFirstEndCounts() throws {
        for (first, later) in [
            (JobEvent.failed(JobID(1), "it crashed"), Board.shown(JobID(1), .done(.trials))),
            (Board.finished(JobID(1)), Board.shown(JobID(1), .failed("it crashed"))),
            (Board.finished(JobID(1)), Board.shown(JobID(1), .running)),
        ] {
            var evening = Evening(seed: 1)
            for event in [Board.shown(JobID(1), .running), first, later] { evening.hear(event) }
            try evening.settle()
            #expect(evening.faults == [])
        }
    }

    /// A page says so while the coordinator of a job is lost, and also when nobody has continued it in time.
    @Test func aLostJobIsNotShownAsRunning() throws {
        var evening = Evening(seed: 1)
        evening.hear(Board.shown(JobID(1), .running))
        evening.hear(Board.orphaned(JobID(1)))
        try evening.settle()
        #expect(evening.states == ["lost"])
        evening.hear(.lost(JobID(1)))
        try evening.settle()
        #expect(evening.states == ["lost"] && evening.faults == [])
        evening.hear(.news(.continues(JobID(1), Board.lab, name: "lab")))
        evening.hear(Board.shown(JobID(1), .running))
        try evening.settle()
        #expect(evening.states == ["running"] && evening.faults == [])
    }

    /// What pages were told in some of these evenings, and what they must show then. `Tests/Pages` plays it to the page.
    @Test func theConversationsForTheBrowserAreThese() throws {
        var lines = try (1...5 as ClosedRange<UInt64>).map { seed in
            var evening = Evening(seed: seed)
            try evening.play(steps: 40)
            return evening.conversation
        }
        // The first job ends last, after one that failed.
        var evening = Evening(seed: 1)
        for job in 1...3 as ClosedRange<UInt64> { evening.hear(Board.shown(JobID(job), .running)) }
        for event in [Board.finished(JobID(2)), .failed(JobID(3), "it crashed"), Board.finished(JobID(1))] {
            try evening.settle()
            evening.hear(event)
        }
        try evening.settle()
        lines.append(evening.conversation)
        let text = "[\n" + lines.map(\.text).joined(separator: ",\n") + "\n]\n"
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Pages/conversations.json")
        if ProcessInfo.processInfo.environment["POTLUCK_CONVERSATIONS"] == "write" {
            try text.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: path, encoding: .utf8) == text)
    }
}

/// A node's board, and events for it.
enum Board {
    static let lab = NodeID(firstOctetsOf: [UInt8](repeating: 1, count: 16))

    static var empty: JobBoard {
        JobBoard(unicode: false, digest: { "digest of \($0.trials)" }, isBuiltIn: { _ in true })
    }

    static func shown(_ id: JobID, _ state: JobState, _ trials: UInt64 = 100) -> JobEvent {
        .snapshot(Samples.snapshot(trials, of: id, state: state, points: Int(trials % 4)))
    }

    static func finished(_ id: JobID) -> JobEvent { .finished(id, Samples.result(), isOurs: false) }
    static func orphaned(_ id: JobID) -> JobEvent { .news(.orphaned(id, lab, name: "lab")) }
}

/// A node that hears of jobs, with a few pages.
private struct Evening {
    /// A page of a person, over all its connections.
    struct Guest {
        let client: UInt8
        var page: Room.Page
        var model = PageModel()
        var seen = 0
        var welcomed = Instant.start
        var told: [JSON] = []
    }

    private let room = Room()
    private var board = Board.empty
    private var guests: [Guest] = []
    private var random: SeededGenerator
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for client in 1...3 as ClosedRange<UInt8> {
            guard let page = try? room.join("guest", client: client) else { continue }
            guests.append(Guest(client: client, page: page))
        }
    }

    private mutating func draw(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    /// Hears an event as a session does.
    mutating func hear(_ event: JobEvent) {
        guard !board.isOld(event) else { return }
        _ = board.apply(event, at: room.now, time: "12:00:00")
        let (board, now) = (board, room.now)
        room.hub.change { $0.took(event, board, solution: nil, at: now) }
    }

    mutating func play(steps: Int) throws {
        var trials: UInt64 = 0
        for _ in 0..<steps {
            let number = UInt64(1 + draw(12))
            let job = JobID(number << 60 | number)
            trials += 1
            switch draw(20) {
            case 0..<7: hear(Board.shown(job, .running, trials))
            case 7: hear(Board.shown(job, [.waiting(.line(1)), .paused, .stopping][draw(3)], trials))
            case 8: hear(Board.shown(job, .done(.trials), trials))
            case 9...10: hear(Board.finished(job))
            // A job that failed before it was seen, and is seen then, has no place in the order of ends.
            case 11: if board.snapshot(job) != nil { hear(.failed(job, "it crashed")) }
            case 12: hear(Board.shown(job, .failed("it crashed"), trials))
            case 13: hear(Board.orphaned(job))
            case 14: hear(.news(.continues(job, Board.lab, name: "lab")))
            case 15: hear(.lost(job))
            case 16: hear(.news(.forgotten(job, Board.lab, name: "lab")))
            case 17: room.wire.slow.insert(guests[draw(3)].page.id)
            case 18: try room.drain(guests[draw(3)].page)
            default: try reconnect(draw(3))
            }
            try pass(.milliseconds(draw(600)))
        }
        try settle()
    }

    private mutating func reconnect(_ index: Int) throws {
        try read(index)
        room.hub.closed(guests[index].page.id)
        guests[index].page = try room.join("guest", client: guests[index].client)
        guests[index].seen = 0
        try read(index)
    }

    private mutating func pass(_ time: Duration) throws {
        for guest in guests { try room.say(.pong, from: guest.page) }
        try room.pass(time, guests.map(\.page))
        for index in guests.indices { try read(index) }
    }

    /// Lets a page take what has come, and ask for what it asks for.
    private mutating func read(_ index: Int) throws {
        try room.read(guests[index].page)
        while guests[index].seen < guests[index].page.messages.count {
            let message = guests[index].page.messages[guests[index].seen]
            guests[index].seen += 1
            if message["is"]?.asString == "welcome" { guests[index].welcomed = room.now }
            if let told = Self.told(message) { guests[index].told.append(told) }
            if guests[index].model.take(message) { try room.say(.results, from: guests[index].page) }
        }
        if room.now - guests[index].welcomed >= .seconds(2), guests[index].welcomed > .start { settled(index) }
    }

    private mutating func settled(_ index: Int) {
        guests[index].welcomed = .start
        guests[index].model.forgetStale()
        guests[index].told.append(["is": "settled"])
    }

    /// Lets everything arrive, and looks at the pages.
    mutating func settle() throws {
        for index in guests.indices { try room.drain(guests[index].page) }
        for _ in 0..<40 {
            try pass(.seconds(1))
        }
        for guest in guests { check(guest) }
    }

    private mutating func check(_ guest: Guest) {
        let shown = guest.model
        if let code = guest.page.code { faults.append("the page was closed with \(code)") }
        faults += shown.returned.map { "\($0) was over, and runs again" }
        if Set(shown.jobs.map(\.id)).count < shown.jobs.count { faults.append("a job is there twice") }
        if Set(shown.runs.map(\.job)).count < shown.runs.count { faults.append("a run is there twice") }
        let open = board.jobs.filter { !$0.state.isOver }
        let wanted = Set(
            open.map { "\($0.id.text) \(board.awaited[$0.id] == nil ? Self.word($0.state) : "lost") \($0.trials)" })
        let here = Set(shown.jobs.filter(\.isUnderWay).map { "\($0.id) \($0.state) \($0.trials ?? 0)" })
        if here != wanted { faults.append("open are \(wanted), but it shows \(here)") }
        for job in shown.jobs where job.hasEnded {
            let outcome = board.outcomes.first { $0.id.text == job.id }
            let isFailed = board.jobs.contains { $0.id.text == job.id && $0.state.isOver && !$0.state.isDone }
            if job.digest != outcome?.digest || outcome == nil && !isFailed { faults.append("\(job) is wrong") }
        }
        let runs = board.outcomes.map { PageModel.Run(job: $0.id.text, digest: $0.digest) }
        if runs.contains(where: { !shown.runs.contains($0) }) { faults.append("runs are missing") }
        if let ended = board.lastEnded, open.isEmpty, board.forgotten[ended] == nil, board.snapshot(ended) != nil,
            shown.foremost?.id != ended.text, shown.foremost?.hasEnded != false
        {
            faults.append("\(ended) ended last, but \(shown.foremost?.id ?? "nothing") is in front")
        }
    }

    private static func word(_ state: JobState) -> String {
        switch state {
        case .waiting: "waiting"
        case .running: "running"
        case .paused: "paused"
        case .stopping: "stopping"
        case .done, .failed: "over"
        }
    }

    var foremost: [UInt64?] { guests.map { $0.model.foremost.flatMap { UInt64($0.id, radix: 16) } } }
    var states: Set<String> { Set(guests.flatMap { $0.model.jobs.map(\.state) }) }

    // MARK: For the browser

    /// What `Pages/session.js` looks at in a message; nil if that is nothing.
    private static func told(_ message: JSON) -> JSON? {
        func short(_ job: JSON, _ more: [(key: String, value: JSON)] = []) -> JSON {
            .object(
                more + [
                    ("job", job["job"] ?? .null), ("state", job["state"] ?? .null), ("trials", job["trials"] ?? .null),
                    ("digest", job["digest"] ?? .null),
                ])
        }
        switch message["is"]?.asString {
        case "welcome": return ["is": "welcome"]
        case "over": return message
        case "job": return short(message, [("is", "job")])
        case "results":
            let runs = message["runs"]?.asArray ?? []
            return ["is": "results", "runs": JSON(runs.map { short($0) }), "last": message["last"] ?? .null]
        default: return nil
        }
    }

    /// What the first page was told, and what it shows.
    var conversation: JSON {
        let shown = guests[0].model
        return [
            "messages": JSON(guests[0].told),
            "jobs": JSON(shown.jobs.sorted { $0.id < $1.id }.map { .array([.string($0.id), .string($0.state)]) }),
            "foremost": JSON(shown.foremost?.id), "runs": JSON(shown.runs.map { .string($0.digest + " " + $0.job) }),
        ]
    }
}
