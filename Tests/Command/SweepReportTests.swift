import Foundation
import PotluckCore
import PotluckScreen
import Testing

@testable import Potluck
@testable import PotluckCommand

/// `potluck report` of a sweep, from the history to the file.
@Suite struct SweepReportTests {
    private let room = Laptops()

    private func run(_ words: [String]) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(words, environment: room.environment("lab"))
    }

    private func sweep(_ line: String) throws -> (number: String, digests: [String]) {
        let outcome = try room.run(line + " --json", "lab")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        let points = try outcome.stdout.split(separator: "\n").map { try object(String($0)) }
        return (try #require(points.first?["sweep"] as? String), points.compactMap { $0["digest"] as? String })
    }

    /// The command on the page gives the same sweep. Where the seed is not known, it gives the first point.
    @Test(arguments: [
        ("run monty-hall --trials 1000 -p doors=3..5 --seed 4 --common-seed", true),
        ("run monty-hall --trials 1000 -p opened=1,2 -p doors=5..6 --seed 4 --common-seed", true),
        ("run monty-hall --until 0.1 -p doors=3,4 --seed 4 --common-seed", true),
        ("run tsp -p cities=6 -p bound=cost,one-tree", true),
        ("run primes -p limit=100..300:100", true), ("run tsp -p cities=5..7", true),
        ("run monty-hall --trials 1000 -p doors=3..5 --seed 4", false),
    ])
    func theCommandRepeatsTheSweep(line: String, isWhole: Bool) throws {
        let (number, digests) = try sweep(line)
        let html = try run(["report", "sweep=\(number)"])
        #expect(html.code == 0 && html.stdout.hasPrefix("<!DOCTYPE html>"), "\(html.stderr)")
        #expect(digests.allSatisfy { html.stdout.contains(">\($0.prefix(8))<") })
        let page = html.stdout
        let start = try #require(page.firstRange(of: "<pre>")), end = try #require(page.firstRange(of: "</pre>"))
        let words = page[start.upperBound..<end.lowerBound].replacing("<span>", with: "").replacing("</span>", with: "")
            .split(separator: " ").dropFirst().map(String.init)
        let again = try run(words + ["--json", "--ephemeral"]).stdout.split(separator: "\n")
            .map { try object(String($0))["digest"] as? String }
        #expect(again == (isWhole ? digests : [digests[0]]), "\(words)")
    }

    /// A page of a sweep without one of its points does not pretend to repeat it.
    @Test func aGapIsNotRepeated() throws {
        let (number, _) = try sweep("run monty-hall --trials 1000 -p doors=3..5 --seed 4 --common-seed")
        #expect(try room.run("history rm 2", "lab").code == 0)
        let page = try run(["report", "sweep=\(number.uppercased())"]).stdout
        #expect(page.contains("2 points") && page.contains("digest of the first point"))
    }

    /// A file of points may have two numbers that differ in every line. All combinations of them would fill the memory.
    @Test func aRandomDesignIsNotRepeatedAsAGrid() throws {
        let mine = SimulationIdentity(name: "mine", source: "", streams: 1)
        let runs = (0..<SweepPoint.most).map { index -> RunRecord in
            let values = [(name: "width", value: index), (name: "height", value: SweepPoint.most - index)]
            return RunRecord(
                key: RunRecord.key(ofPoint: index, inSweep: JobID(7)), simulation: mine, file: "mine.swift",
                parameters: values.map { name, value in
                    RecordedParameter(name: name, slot: UInt64(value), text: "\(value)", number: Double(value))
                }, seed: 4, blockSize: 16, goal: Goal(trials: 1000), trials: 1000, tally: [], counts: [], readings: [],
                course: [], digest: "", completion: .trials, startedAt: 0, elapsed: .seconds(1), nodes: [])
        }
        let points = runs.map {
            SweepPoint(varied: [], given: [], parameters: $0.slots, seed: $0.seed, goal: $0.goal)
        }
        // The number shows that these are all points of the sweep.
        let sweep = try #require(RecordedSweep(SweepPoint.sweep(of: mine, points, []), runs))
        #expect(sweep.varied == ["width", "height"])
        let isPoint = if case .point? = SweepRepetition(sweep).command { true } else { false }
        #expect(isPoint)
    }

    @Test func theNewestLineMayBeASweep() throws {
        let table = try room.run("run monty-hall --trials 1000 -p doors=3..5 --seed 1", "lab").stdout
        let number = String(table[try #require(table.firstRange(of: "report sweep=")).upperBound...].prefix(16))
        #expect(table.contains("potluck report sweep=\(number) -o FILE.html"))
        #expect(try run(["report", "last"]).stdout == run(["report", "sweep=\(number)"]).stdout)
        let folder = "\(NSTemporaryDirectory())/sweep-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for suffix in ["txt", "svg"] { #expect(try run(["report", "last", "-o", "\(folder)/x.\(suffix)"]).code == 0) }
        let text = try String(contentsOfFile: "\(folder)/x.txt", encoding: .utf8).split(separator: "\n")
        let printed = table.split(separator: "\n")
        #expect(text.prefix(5) == printed.prefix(5) && text.contains("stay by doors, 3 runs"))
        #expect(try String(contentsOfFile: "\(folder)/x.svg", encoding: .utf8).contains("monty-hall: stay"))
        #expect(try room.run("run monty-hall --trials 1000 --seed 1", "lab").code == 0)
        #expect(try run(["report", "last"]).stdout.contains("Run 4."))
        #expect(try run(["report", "1"]).stdout.contains("Run 1."))
    }

    @Test func mistakesAreOneLine() throws {
        let (number, _) = try sweep("run tsp -p cities=6 -p bound=cost,one-tree")
        for (words, code, why) in [
            (["sweep=0123456789abcdef"], Int32(1), "no sweep 0123456789abcdef"),
            (["sweep=\(number.prefix(5))"], 2, "is not a sweep's number"),
            (["sweep=+123456789abcdef"], 2, "is not a sweep's number"), (["sweep="], 2, "is not a sweep's number"),
            (["1", "sweep=\(number)"], 2, "name the sweep alone"),
            (["sweep=\(number)", "-o", "/tmp/x.svg"], 1, "no numbers differ"),
        ] {
            let outcome = try run(["report"] + words)
            #expect(outcome.code == code && outcome.stderr.contains(why), "\(words): \(outcome.stderr)")
            #expect(outcome.stdout.isEmpty && outcome.stderr.filter { $0 == "\n" }.count == 1)
        }
    }
}
