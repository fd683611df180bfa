import Foundation
import PotluckCore
import PotluckKit
import PotluckRanks
import Testing

@testable import PotluckScreen

/// Compares whole screens with checked-in files. After an intended change, run the tests with POTLUCK_SCREENS=write and
/// look at the difference.
@Suite struct ScreenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Screens")

    private func check(
        _ name: String, _ picture: ClusterPicture, _ columns: Int, _ rows: Int, unicode: Bool = true,
        keys: [ViewKey] = []
    ) throws {
        let canvas = Canvas(columns: columns, rows: rows, unicode: unicode, colour: false)
        let view = ClusterView(picture, now: .start + .seconds(100), on: canvas)
        var state = ViewState()
        for key in keys { #expect(state.press(key, on: view) == nil) }
        let screen = view.lines(state).map { $0.rendered(on: canvas) + "\n" }.joined()
        let file = Self.folder.appending(path: name + ".txt")
        if ProcessInfo.processInfo.environment["POTLUCK_SCREENS"] == "write" {
            try screen.write(to: file, atomically: false, encoding: .utf8)
            Issue.record("\(name) was written again: look at the difference, and run again without POTLUCK_SCREENS")
        } else {
            #expect(try screen == String(contentsOf: file, encoding: .utf8), "\(name)")
        }
    }

    @Test func aClassAtEightyByTwentyFour() throws { try check("class-80x24", Room.picture(nodes: 6), 80, 24) }
    @Test func inASmallWindow() throws { try check("class-40x10", Room.picture(nodes: 6), 40, 10) }
    @Test func inALargeWindow() throws { try check("class-120x40", Room.picture(nodes: 6, jobs: 2), 120, 40) }
    @Test func inASCII() throws { try check("class-ascii-80x24", Room.picture(nodes: 6), 80, 24, unicode: false) }

    @Test func thirtyNodesScroll() throws {
        try check("thirty-80x24", Room.picture(nodes: 30), 80, 24, keys: [.character("s"), .pageDown, .down])
    }

    @Test func everybodyIsListed() throws {
        var picture = Room.picture(nodes: 30)
        picture.session?.roster =
            picture.jobs[0].nodes.map { .init(name: $0.name, cores: $0.cores) } + [.init(name: "Mia's phone", cores: 0)]
        try check("list-80x24", picture, 80, 24, keys: [.character("l"), .pageDown])
        try check("list-30x10", picture, 30, 10, keys: [.character("l")])
    }

    @Test func aClassGuessesFirst() throws {
        var picture = Room.picture(nodes: 3)
        picture.hidesExact = true
        try check("guess-80x24", picture, 80, 24)
    }

    @Test func somebodyWantsInMeanwhile() throws {
        var picture = Room.picture(nodes: 6)
        picture.session?.questions = ["zoe asks to join: y approves, n declines."]
        picture.session?.answers = .consent
        try check("question-80x24", picture, 80, 24)
    }

    @Test func reallyCancel() throws {
        try check("cancel-60x16", Room.picture(nodes: 6), 60, 16, keys: [.character("c")])
    }

    @Test func help() throws { try check("help-80x24", Room.picture(nodes: 6), 80, 24, keys: [.character("?")]) }

    @Test func aResultStays() throws {
        var picture = Room.picture(nodes: 4)
        let job = picture.jobs[0]
        let result = Sample.result(
            readings: job.readings, trials: job.trials, completion: .trials, course: job.course, nodes: job.nodes)
        picture.outcomes = [.init(id: job.id, result: result, digest: Sample.digest, isBuiltIn: true)]
        picture.jobs = [Room.job(nodes: 4, state: .done(.trials))]
        try check("result-80x24", picture, 80, 24)
        try check("result-100x50", picture, 100, 50)
    }

    /// A viewer sees no session, but the submitter and the nodes that compute.
    @Test func aViewerSeesNoSession() throws {
        let picture = ClusterPicture(jobs: [Room.job(nodes: 1)], leaving: .detaches)
        try check("watch-60x16", picture, 60, 16)
    }

    @Test func aSessionWithoutAJob() throws {
        var picture = Room.picture(nodes: 0)
        picture.jobs = []
        try check("session-80x24", picture, 80, 24)
    }

    @Test func somebodyHasOtherWords() throws {
        var picture = Room.picture(nodes: 0)
        (picture.jobs, picture.leaving, picture.session) = (
            [], .leaves,
            SessionPicture(
                title: "Monty: you are a spectator, as zoe, at port 7077", waiting: ["Looking for Monty."],
                takesOtherWords: true,
                news: [
                    .init(
                        "lab has another join code for Monty than yours; looking on. Press w to type others", .warning)
                ])
        )
        try check("words-80x24", picture, 80, 24)
        try check("words-40x10", picture, 40, 10)
        try check("words-help-80x24", picture, 80, 24, keys: [.character("?")])
    }

    @Test func aJobThatFailed() throws {
        var picture = Room.picture(nodes: 3)
        picture.jobs = [Room.job(nodes: 3, state: .failed("block 7 trapped on bob and on dora: division by zero"))]
        try check("failed-60x20", picture, 60, 20)
    }

    /// A suspicious value is marked even if there is no room to say by how much it is off.
    @Test func aSuspiciousReading() throws {
        var picture = Room.picture(nodes: 1)
        let wrong = Reading(name: "stay", kind: .proportion, value: 0.34, interval: 0.339...0.341, exact: 1.0 / 3)
        picture.jobs = [Sample.snapshot(readings: [wrong])]
        try check("suspicious-30x10", picture, 30, 10)
    }

    @Test func aProgramWithRanks() throws {
        var picture = Room.picture(nodes: 3)
        _ = picture.programs.take(1, ProgramSample.heat(), at: .start + .seconds(99))
        try check("program-job-80x24", picture, 80, 24)
        picture.jobs = []
        try check("program-80x24", picture, 80, 24)
        try check("program-ascii-80x24", picture, 80, 24, unicode: false)
        try check("program-40x16", picture, 40, 16)
        try check("program-40x8", picture, 40, 8)
    }

    @Test func severalPrograms() throws {
        var picture = Room.picture(nodes: 0)
        picture.jobs = []
        for (launch, show, second) in [
            (1, ProgramSample.show("ring", by: "bob"), 90), (2, ProgramSample.crowd(laptops: 24, ranks: 96), 99),
            (3, ProgramSample.show("quiet", rows: []), 78),
            (4, ProgramSample.heat(.failed("a deadlock: rank 3 waits for rank 1, rank 1 waits for rank 3")), 99),
        ] as [(UInt64, RankShow, Int)] {
            _ = picture.programs.take(launch, show, at: .start + .seconds(second))
        }
        try check("programs-80x24", picture, 80, 24)
    }

    @Test func aProgramThatHasEnded() throws {
        var picture = Room.picture(nodes: 0)
        picture.jobs = []
        _ = picture.programs.take(1, ProgramSample.heat(.ended), at: .start + .seconds(70))
        try check("program-ended-60x16", picture, 60, 16)
    }

    @Test func waitingForWorkers() throws {
        var picture = Room.picture(nodes: 0)
        picture.jobs = [Room.job(nodes: 0, trials: 0, state: .waiting(.workers(2, of: 3)))]
        try check("waiting-80x24", picture, 80, 24)
    }
}

/// A sample room of laptops with jobs.
enum Room {
    private static let names = ["ana", "bob", "中文", "dora", "emil-the-laptop-with-a-long-name", "fay"]

    static func node(_ index: Int) -> NodeRow {
        let name = names[index % names.count] + (index < names.count ? "" : " \(index / names.count + 1)")
        let work: NodeWork = index % 7 == 3 ? .silent : index % 11 == 5 ? .resting : .computing
        return Sample.node(
            UInt8(index), name, cores: 2 + 2 * (index % 4), trials: UInt64(100_000 + 37_000 * (index % 5)),
            rate: work == .computing ? Double(400_000 + 90_000 * (index % 5)) : nil, work: work,
            roundTrip: index == 0 ? nil : .microseconds(Int64(700 + 430 * index)), since: .seconds(100 - index))
    }

    /// Returns a proportion that approaches a third, from the first checkpoint on.
    static func stay(_ trials: UInt64, _ index: Int) -> Reading {
        let half = 0.924 / Double(trials).squareRoot()
        // Oscillates slowly by at most two standard errors, as running means do.
        let value = 1.0 / 3 + half * Maths.sin(0.35 * Double(index) + 4)
        return Reading(
            name: "stay", kind: .proportion, value: value, interval: (value - half)...(value + half), exact: 1.0 / 3)
    }

    static func readings(_ trials: UInt64, _ index: Int) -> [Reading] {
        let stay = stay(trials, index)
        let swap = Reading(
            name: "switch", kind: .proportion, value: stay.value.map { 1 - $0 },
            interval: stay.interval.map { (1 - $0.upperBound)...(1 - $0.lowerBound) }, exact: 2.0 / 3)
        return [stay, swap]
    }

    static func job(
        nodes: Int, id: UInt64 = 1, trials: UInt64 = 700_000_000, state: JobState = .running
    ) -> JobSnapshot {
        // Four checkpoints for each power of two, nearly as a job has them.
        let course = (0..<60).map { (step: UInt64) -> UInt64 in
            let whole: UInt64 = 1_048_576 << (step / 4)
            return whole + (step % 4) * whole / 4
        }.filter { $0 < trials }
        return Sample.snapshot(
            readings: trials > 0 ? readings(trials, 38) : [], trials: trials, goal: Goal(trials: 3_000_000_000),
            rate: trials > 0 ? 12.5e6 : nil, elapsed: trials > 0 ? .seconds(56) : .zero,
            remaining: trials > 0 ? .about(.seconds(184)) : .unknown, state: state, id: id, submitter: "ana",
            course: course.enumerated().map { CoursePoint(trials: $1, readings: readings($1, $0)) },
            nodes: (0..<nodes).map(node))
    }

    static func picture(nodes: Int, jobs: Int = 1) -> ClusterPicture {
        let session = SessionPicture(
            title: "Serving Monty: lab, port 7077",
            invitation: .words(command: "potluck join Monty", code: "maple-river-candle-ocean-tiger"),
            members: [.init(name: "ana", mode: .client, state: .connected, since: .start)],
            waiting: ["Ctrl-C ends the session."],
            news: [
                .init("bob connected", .good), .init("dora lost connection; reconnecting", .warning),
                .init("ana: hello"),
            ])
        let rest = (1..<max(1, jobs)).map { job(nodes: 0, id: UInt64($0) + 1, trials: 0, state: .waiting(.line($0))) }
        return ClusterPicture(
            session: session, jobs: [job(nodes: nodes)] + rest, commandable: [JobID(1)], leaving: .ends)
    }
}
