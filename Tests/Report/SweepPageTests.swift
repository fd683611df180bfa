import Foundation
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// The page of a sweep has all of its points, and no text of them becomes markup.
@Suite struct SweepPageTests {
    private typealias Values = [(name: String, text: String, number: Double?)]

    private func point(_ index: Int, _ values: Values, named name: String = "monty-hall") -> RunRecord {
        var run = PageTests.run(named: name)
        run.key = RunRecord.key(ofPoint: index, inSweep: JobID(7))
        run.parameters = values.map { RecordedParameter(name: $0.name, slot: 1, text: $0.text, number: $0.number) }
        run.digest = "\(index)".padding(toLength: 64, withPad: "d", startingAt: 0)
        return run
    }

    private func sweep(_ points: [Values], named name: String = "monty-hall") throws -> RecordedSweep {
        try #require(RecordedSweep(JobID(7), points.enumerated().map { point($0, $1, named: name) }))
    }

    private func page(_ sweep: RecordedSweep, _ command: SweepCommand? = nil) -> String {
        SweepPage(sweep, question: "Stay or switch?", command: command) { _ in "2026-11-20 14:30" }.html
    }

    private func count(_ part: String, in text: String) -> Int { text.components(separatedBy: part).count - 1 }

    /// The simulation has these parameters in the other order, which the rows show.
    private func grid(_ columns: Int, _ rows: Int) -> [Values] {
        (0..<columns).flatMap { column in
            (0..<rows).map { row in
                [("opened", "\(row)", Double(row)), ("doors", "\(column)", Double(column)), ("cars", "1", 1)]
            }
        }
    }

    @Test func twoParametersHaveAChartEach() throws {
        let sweep = try sweep(grid(3, 4))
        #expect(sweep.varied == ["doors", "opened"], "the last one changes fastest")
        let page = page(sweep, .sweep(["potluck", "run", "<b>"]))
        #expect(PageTests.isWellFormed(page))
        #expect(count("<svg", in: page) == 2 && count("<tr>", in: page) == 12 + 2)
        for text in [
            "<title>monty-hall, 12 points, 2026-11-20 14:30</title>", "Stay or switch?", "Sweep 0000000000000007.",
            ">doors</text>", ">opened</text>", "0.3330 ± 0.0010", "0.3333", "1 000 000", "<span>11dddddd</span>",
            "<td>cars</td><td><span>1</span></td>", "same digests on any machine", "<span>&lt;b&gt;</span>",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!self.page(sweep).contains("Repeat"))
    }

    /// In the terminal, where a chart has one line of values.
    @Test func theTableHasAChartForEachSetOfTheOthers() throws {
        let sweep = try sweep(grid(3, 4))
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let lines = SweepView(sweep, command: nil) { _ in "then" }.lines(on: canvas).map { $0.rendered(on: canvas) }
        for doors in 0..<3 { #expect(lines.contains("monty-hall, doors=\(doors) by opened, 4 runs"), "\(lines)") }
        // More would be many screens.
        let many = SweepView(try self.sweep(grid(9, 4)), command: nil) { _ in "then" }.lines(on: canvas)
        #expect(many.count { $0.rendered(on: canvas).hasSuffix("by opened, 4 runs") } == 6)
    }

    @Test func namesHaveNoChart() throws {
        let sweep = try sweep(["knowing", "random"].map { [("host", $0, nil)] })
        let page = page(sweep)
        #expect(PageTests.isWellFormed(page) && page.contains(">random</td>"))
        #expect(!page.contains("<svg") && Drawings.sweep(sweep) { _ in "" } == nil)
        let flags = try self.sweep(["no", "yes"].map { [("list", $0, $0 == "yes" ? 1 : 0)] })
        #expect(flags.varied == ["list"] && flags.axes.isEmpty)
    }

    /// A chart has points from the whole range of each parameter, even if every hundredth has the same of the other.
    @Test func manyPointsAreAllInTheTable() throws {
        let sweep = try sweep(grid(60, 100))
        let page = page(sweep)
        #expect(count("<tr>", in: page) == 6000 + 2 && count("<svg", in: page) == 2)
        #expect(count("<circle", in: page) == 2 * SweepTrends.mostPoints)
        for axis in sweep.axes {
            let places = Set(try #require(SweepTrends.all(sweep.runs, by: axis).first).points.map(\.x))
            #expect(places.count > 50, "\(axis)")
        }
        #expect(page.contains("at most 60 of the points"))
    }

    @Test func aSearchHasNoTrials() throws {
        let runs = (5...7).map { cities -> RunRecord in
            var run = point(cities, [("cities", "\(cities)", Double(cities))])
            (run.blockSize, run.trials, run.course) = (1, SearchSpace.points, [])
            run.goal = Goal(trials: SearchSpace.points)
            run.readings = [Reading(name: "distance", kind: .derived, value: 1000 + Double(cities))]
            return run
        }
        let page = page(try #require(RecordedSweep(JobID(7), runs)))
        #expect(PageTests.isWellFormed(page) && page.contains("searched") && !page.contains("trials"))
        #expect(page.contains("1005") && !page.contains("±") && count("<svg", in: page) == 1)
    }

    @Test func onePointIsATableOnly() throws {
        let page = page(try sweep([[("doors", "3", 3)]]))
        #expect(PageTests.isWellFormed(page) && page.contains("1 point,") && !page.contains("<svg"))
        #expect(RecordedSweep(JobID(7), []) == nil)
    }

    @Test(arguments: ["<script>alert(1)</script>", "\"><img src=x onerror=y>", "a & b <!-- ' -->", "\u{202e}\u{0}]]>"])
    func nobodysTextIsMarkup(_ text: String) throws {
        let sweep = try sweep(
            [1, 2].map { [(text, "\($0)", Double($0)), ("b", text + "\($0)", nil), ("c", text, nil)] }, named: text)
        let page = page(sweep, .point([text]))
        #expect(PageTests.isWellFormed(page))
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("<!--"))
        #expect(!page.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{0}" })
        let drawing = try #require(Drawings.sweep(sweep) { _ in "" })
        #expect(XML.isWellFormed(drawing))
    }

    /// Points that a stranger made need not have the same readings and parameters.
    @Test func strangePointsAreDrawn() throws {
        var runs = grid(2, 2).enumerated().map { point($0, $1) }
        runs[1].readings = []
        runs[2].parameters = []
        runs[3].readings[0] = PageTests.reading("other", .nan, nil)
        let sweep = try #require(RecordedSweep(JobID(7), runs))
        #expect(PageTests.isWellFormed(page(sweep)))
        for columns in [1, 20, 80] {
            let canvas = Canvas(columns: columns, unicode: true, colour: false)
            _ = SweepView(sweep, command: nil) { _ in "then" }.lines(on: canvas)
        }
    }
}
