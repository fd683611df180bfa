import PotluckDoubles
import PotluckKit
import PotluckNet
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCore

/// What viewers see, and when.
@Suite struct ViewingTests {
    @Test func aPageJoinsAndSeesTheSession() throws {
        let room = Room()
        let ana = try room.join("ana")
        #expect(ana.arrivals.first == .answer(status: 101, body: []))
        #expect(
            ana.messages.first?.text
                == #"{"is":"welcome","session":"Monty","gateway":"host","you":"ana","mayLend":false,"version":"1","mayWrite":true}"#
        )
        try room.pass(.seconds(1), [ana])
        let members = ana.messages("session").last?["members"]?.asArray ?? []
        #expect(members.map { $0["name"]?.asString } == ["host", "ana"])
        #expect(members.map { $0["isYou"] } == [JSON.bool(false), JSON.bool(true)])
        #expect(members.map { $0["kind"]?.asString } == ["laptop", "viewer"])
        #expect(room.changes == [.joined("ana")])
    }

    @Test func everyPageIsToldWhichOneItIs() throws {
        let room = Room()
        let pages = try (0..<20).map { try room.join("guest \($0)") }
        try room.pass(.seconds(1), pages)
        for page in pages {
            let members = page.messages("session").last?["members"]?.asArray ?? []
            #expect(members.count == 21)
            #expect(members.filter { $0["isYou"] == .bool(true) }.map { $0["name"]?.asString } == [page.you])
        }
    }

    @Test func namesAreUniqueAndMayChange() throws {
        let room = Room()
        let pages = try ["ana", "Ana", "host", "ana"].map { try room.join($0) }
        #expect(pages.map(\.you) == ["ana", "Ana 2", "host 2", "ana 3"])
        try room.say(.name("ben\u{1b}[31m"), from: pages[1])
        #expect(room.changes.last == .renamed("Ana 2", to: "ben [31m"))
        try room.pass(.seconds(1), pages)
        let names = pages[0].messages("session").last?["members"]?.asArray?.compactMap { $0["name"]?.asString }
        #expect(names == ["host", "ana", "ben [31m", "host 2", "ana 3"])
    }

    @Test func aJobIsShownAsOnTheScreens() throws {
        let room = Room()
        let ana = try room.join("ana")
        room.hub.change { $0.took(Samples.snapshot(points: 2), solution: nil) }
        try room.pass(.seconds(1), [ana])
        let job = try #require(ana.messages("job").last)
        #expect(job["simulation"]?.asString == "coin" && job["submitter"]?.asString == "ana")
        #expect(job["state"]?.asString == "running" && job["goal"]?.asString == "1 000 trials")
        #expect(job["trials"]?.asBig == 100 && job["fraction"]?.asReal == 0.1 && job["left"]?.asReal == 18)
        let reading = try #require(job["readings"]?.asArray?.first)
        #expect(reading["text"]?.asString == "0.25" && reading["exact"]?.asReal == 0.5)
        #expect(reading["low"]?.asReal == 0.125 && reading["kind"]?.asString == "proportion")
        #expect(job["nodes"]?.asArray?.first?["share"]?.asReal == 1)
        let course = try #require(ana.messages("course").last)
        #expect(course["from"]?.asCount == 0 && course["points"]?.asArray?.count == 2)
    }

    @Test func aChartGrowsByIncrements() throws {
        let room = Room()
        let ana = try room.join("ana")
        for points in [2, 3, 3, 5] {
            room.hub.change { $0.took(Samples.snapshot(UInt64(points), points: points), solution: nil) }
            try room.pass(.seconds(1), [ana])
        }
        let courses = ana.messages("course")
        #expect(courses.map { $0["from"]?.asCount } == [0, 2, 3])
        #expect(courses.map { $0["points"]?.asArray?.count } == [2, 1, 2])
        // Another coordinator read a checkpoint again.
        room.hub.change {
            $0.took(
                JobSnapshot(
                    Samples.spec(), course: Samples.course(1) + Samples.course(4, of: 0.5).dropFirst(),
                    JobPicture(id: Samples.job, submitter: "ana", state: .running, trials: 9)), solution: nil)
        }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("course").last?["from"]?.asCount == 1)
        #expect(ana.messages("course").last?["points"]?.asArray?.count == 3)
    }

    @Test func picturesComeAtMostFourTimesASecondAndOnlyWhenTheyChange() throws {
        let room = Room()
        let ana = try room.join("ana")
        try room.pass(.seconds(1), [ana])
        for step in 0..<100 {
            room.hub.change { $0.took(Samples.snapshot(UInt64(step)), solution: nil) }
            try room.pass(.milliseconds(20), [ana])
        }
        #expect((7...9).contains(ana.messages("job").count))
        #expect(ana.messages("session").count == 1)
        let before = ana.messages.count
        room.hub.change { $0.took(Samples.snapshot(99), solution: nil) }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("job").count <= 9 && ana.messages.count <= before + 1)
    }

    @Test func aSlowViewerGetsTheLatestPictureAndDelaysNobody() throws {
        let room = Room()
        let (slow, quick) = (try room.join("slow"), try room.join("quick"))
        try room.pass(.seconds(1), [slow, quick])
        room.wire.slow.insert(slow.id)
        for step in 1...20 {
            room.hub.change { $0.took(Samples.snapshot(UInt64(step)), solution: nil) }
            try room.pass(.milliseconds(250), [quick])
        }
        #expect(quick.messages("job").count == 20)
        // Only one picture waits.
        #expect((room.wire.waiting[slow.id]?.count ?? 0) < 4096)
        try room.drain(slow)
        #expect(slow.messages("job").compactMap { $0["trials"]?.asBig } == [1, 20])
    }

    @Test func everythingOfAJobArrivesInMessagesThatFit() throws {
        let room = Room()
        let ana = try room.join("ana")
        let readings = (0..<256).map { number in
            Reading(
                name: String(repeating: "\u{1f469}", count: 25) + "\(number)", kind: .histogram, value: nil,
                bins: [UInt64](repeating: .max / 256, count: 16_384), range: 0...1)
        }
        let nodes = (0..<512).map { Samples.row(UInt64($0), String(repeating: "n", count: 60) + "\($0)") }
        room.hub.change { $0.took(Samples.snapshot(readings: readings, nodes: nodes), solution: nil) }
        try room.pass(.seconds(1), [ana])
        let job = try #require(ana.messages("job").last)
        #expect(job.text.utf8.count <= PageLimits.message && (job["nodes"]?.asArray?.count ?? 0) >= 16)
        let few = Reading(
            name: "h", kind: .histogram, value: nil, bins: [1] + [UInt64](repeating: 2, count: 300) + [1], range: 0...3)
        room.hub.change { $0.took(Samples.snapshot(readings: [few]), solution: nil) }
        try room.pass(.seconds(1), [ana])
        let bins = ana.messages("job").last?["readings"]?.asArray?.first?["bins"]
        #expect(bins?["counts"]?.asArray?.count == 100 && bins?["high"]?.asReal == 3)
        let plane = Reading(
            name: "p", kind: .histogram2D, value: nil,
            bins: [64, 0, 1.0.bitPattern, 5] + [UInt64](repeating: .max >> 12, count: 4096), range: 0...3)
        room.hub.change { $0.took(Samples.snapshot(readings: [plane]), solution: nil) }
        try room.pass(.seconds(1), [ana])
        let cells = ana.messages("job").last?["readings"]?.asArray?.first?["cells"]
        #expect(cells?["rows"]?.asArray?.map { $0.asArray?.count } == [Int?](repeating: 32, count: 32))
        #expect(cells?["outside"]?.asBig == 5 && cells?["rows"]?.asArray?[0].asArray?[0].asBig == (.max >> 12) << 2)
    }

    @Test func finishedRunsAreKept() throws {
        let room = Room()
        for number in 1...40 {
            let id = JobID(UInt64(number))
            room.hub.change { pictures in
                pictures.took(Samples.snapshot(of: id), solution: nil)
                pictures.finished(Samples.outcome(id, Samples.result(), digest: "d\(number)"), solution: nil)
            }
        }
        let ana = try room.join("ana")
        #expect(ana.messages("job").count == GatewayLimits.over)
        #expect(ana.messages("job").last?["digest"]?.asString == "d40")
        #expect(ana.messages("job").last?["state"]?.asString == "done")
        try room.say(.results, from: ana)
        let answers = ana.messages("results")
        let runs = answers.flatMap { $0["runs"]?.asArray ?? [] }
        #expect(runs.compactMap { $0["digest"]?.asString } == (9...40).map { "d\($0)" })
        #expect(answers.map { $0["last"] } == answers.indices.map { .bool($0 == answers.count - 1) })
        for answer in answers { #expect(answer.text.utf8.count <= PageLimits.message) }
    }

    @Test func theBestSolutionOfASearchIsShown() throws {
        let room = Room()
        let ana = try room.join("ana")
        room.hub.change { $0.took(Samples.snapshot(), solution: Array("length 7\n0 0\n1 0\n1 2.5\n".utf8)) }
        try room.pass(.seconds(1), [ana])
        let best = ana.messages("job").last?["best"]
        #expect(best?["text"]?.asString == "length 7")
        #expect(best?["points"]?.text == "[[0.0,0.0],[1.0,0.0],[1.0,2.5]]")
    }

    @Test func aForgottenJobIsOver() throws {
        let room = Room()
        var board = Board.empty
        _ = board.apply(.snapshot(Samples.snapshot()), at: .start, time: "")
        room.hub.change { $0.took(.snapshot(Samples.snapshot()), board, solution: nil, at: .start) }
        let ana = try room.join("ana")
        #expect(ana.messages("job").count == 1)
        _ = board.apply(.lost(Samples.job), at: .start, time: "")
        room.hub.change { $0.took(.lost(Samples.job), board, solution: nil, at: .start) }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("over").first?["job"]?.asString == Samples.job.text)
    }

    @Test func aFailureHasItsReason() throws {
        let room = Room()
        let ana = try room.join("ana")
        room.hub.change {
            $0.took(Samples.snapshot(), solution: nil)
            $0.took(Samples.snapshot(state: .failed("no memory")), solution: nil)
        }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("job").last?["state"]?.asString == "failed")
        #expect(ana.messages("job").last?["detail"]?.asString == "no memory")
    }

    @Test func newsReachAllAndTheLastOnesNewcomers() throws {
        let room = Room()
        let ana = try room.join("ana")
        for number in 1...9 {
            room.hub.change { [now = room.now] in $0.said("\(number)", by: "host", at: now) }
            try room.pass(.seconds(1), [ana])
        }
        #expect(ana.messages("news").compactMap { $0["text"]?.asString } == (1...9).map(String.init))
        let ben = try room.join("ben")
        #expect(ben.messages("news").compactMap { $0["text"]?.asString } == (5...9).map(String.init))
        // A newcomer learns when each was said.
        #expect(ben.messages("news").compactMap { $0["ago"]?.asCount } == [5, 4, 3, 2, 1])
    }

    // MARK: Hidden answers

    @Test func hiddenAnswersStayHidden() throws {
        let room = Room()
        let ana = try room.join("ana")
        room.hub.change { $0.took(Samples.snapshot(points: 3, hidesExact: true), solution: nil) }
        try room.pass(.seconds(1), [ana])
        room.hub.change {
            $0.finished(
                Samples.outcome(Samples.job, Samples.result(hidesExact: true, points: 3), digest: "d"), solution: nil)
        }
        try room.pass(.seconds(1), [ana])
        try room.say(.results, from: ana)
        let exact = { (job: JSON) in job["readings"]?.asArray?.first?["exact"]?.asReal }
        #expect(ana.messages("job").count == 2 && ana.messages("job").allSatisfy { exact($0) == nil })
        #expect(ana.messages("results").last?["runs"]?.asArray?.first.map { exact($0) == nil } == true)
        // The host shows the answers after the end.
        room.hub.change { $0.took(Samples.snapshot(state: .done(.trials), hidesExact: false), solution: nil) }
        try room.pass(.seconds(1), [ana])
        try room.say(.results, from: ana)
        #expect(ana.messages("job").last.flatMap(exact) == 0.5)
        #expect(ana.messages("results").last?["runs"]?.asArray?.first.flatMap(exact) == 0.5)
    }

    /// With --hide-exact a job's first pictures come before its coordinator has been told to hide.
    @Test func noPictureSlipsThroughBeforeTheAnswersAreHidden() throws {
        let room = Room(hidesExact: true)
        let ana = try room.join("ana")
        for hides in [false, false, true, false] {
            room.hub.change { $0.took(Samples.snapshot(hides ? 2 : 1, hidesExact: hides), solution: nil) }
            try room.pass(.seconds(1), [ana])
        }
        let exact = ana.messages("job").map { $0["readings"]?.asArray?.first?["exact"]?.asReal }
        #expect(exact.dropLast().allSatisfy { $0 == nil } && exact.last == 0.5)
        let other = JobID(7)
        room.hub.change { $0.finished(Samples.outcome(other, Samples.result(), digest: "d"), solution: nil) }
        try room.pass(.seconds(1), [ana])
        #expect(ana.messages("job").last?["readings"]?.asArray?.first?["exact"] == nil)
    }
}
