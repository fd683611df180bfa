import Foundation
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// Pages of runs are complete and well-formed, and no text of a run becomes markup.
@Suite struct PageTests {
    static func reading(_ name: String, _ value: Double?, _ half: Double?, exact: Double? = nil) -> Reading {
        Reading(
            name: name, kind: .proportion, value: value,
            interval: value.flatMap { value in half.flatMap { value.isNaN ? nil : (value - $0)...(value + $0) } },
            exact: exact)
    }

    static func run(named name: String = "monty-hall", note: String = "in the lab", value: Double = 0.333) -> RunRecord
    {
        let course = (1...9).map { step in
            CoursePoint(
                trials: 1 << UInt64(2 * step), readings: [reading(name, value, 0.5 / Double(step), exact: 1 / 3.0)])
        }
        return RunRecord(
            key: String(repeating: "a", count: 32),
            simulation: SimulationIdentity(name: name, source: String(repeating: "b", count: 64), streams: 1),
            parameters: [RecordedParameter(name: name, slot: 3, text: name, number: 3)], seed: 7, blockSize: 65_536,
            goal: Goal(trials: 1_000_000, precision: .relative(0.001)), trials: 1_000_000, tally: [1, 2],
            counts: [RecordedCount(name: name, count: 5)],
            readings: [
                reading(name, value, 0.001, exact: 1 / 3.0),
                Reading(name: "hist", kind: .histogram, value: nil, bins: [0, 4, 0, 9, 1], range: 0...3),
                Reading(
                    name: "plane", kind: .histogram2D, value: nil, bins: [2, 0, 1.0.bitPattern, 7, 1, 2, 3, 4],
                    range: 0...5),
            ], course: course, digest: String(repeating: "c", count: 64), completion: .trials,
            startedAt: 1_700_000_000_000, elapsed: .seconds(3),
            nodes: [RecordedNode(name: name, cores: 4, trials: 1_000_000, rate: 1e6)],
            notes: [RunNote(at: 1_700_000_000_000, text: note)])
    }

    private func page(_ run: RunRecord) -> String {
        Page(run, id: 12, isBuiltIn: true, question: "Stay or switch?") { _ in "2026-11-20 14:30" }.html
    }

    static func isWellFormed(_ text: String) -> Bool {
        // The whole page is XML, except for its first line and its void elements.
        let xml = text.replacingOccurrences(of: "<!DOCTYPE html>\n", with: "")
            .replacingOccurrences(of: "\\t", with: "")
        let void = xml.split(separator: "\n").map { line in
            line.hasPrefix("<meta") ? line.dropLast() + "/>" : line[...]
        }.joined(separator: "\n")
        return XML.isWellFormed(void)
    }

    @Test func aPageSaysAllThatIsKnown() {
        let page = page(Self.run())
        for text in [
            "1 000 000 trials", "0.3330", "<span>0.3320 …</span> <span>0.3340</span>", "0.3333", "in the lab",
            "<polygon",
            "<rect class=\"h\"", "<h3>plane</h3>", "darkest: 4 in a cell; 7 outside",
            String(repeating: "c", count: 64),
            "<span>-p monty-hall=monty-hall</span> <span>--trials 1e6</span> <span>--seed 7</span>",
            "Figure of merit: monty-hall 35 498/s.",
            "Run 12", "± 0.10 %", "100 %", "@media print", "prefers-color-scheme:dark", "Stay or switch?",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(Self.isWellFormed(page))
        #expect(!page.contains("<script") && !page.contains("http://www.w3.org/1999") && !page.contains("src="))
    }

    @Test func aRunShowsItsFigureOfMerit() {
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let lines = RunView(Self.run(), id: 1, isBuiltIn: true, date: { _ in "then" }).lines(on: canvas)
            .map { $0.rendered(on: canvas) }
        #expect(lines.contains { $0.contains("merit    monty-hall 35 498/s") }, "\(lines)")
    }

    /// A search has parts of a tree, and no trials, seed or speed.
    @Test func aSearchHasNoTrials() {
        var run = Self.run()
        (run.blockSize, run.trials, run.course) = (1, SearchSpace.points, [])
        run.goal = Goal(trials: SearchSpace.points)
        run.readings = [Reading(name: "distance", kind: .derived, value: 3057)]
        run.nodes = [RecordedNode(name: "ana", cores: 4, trials: SearchSpace.points / 4, rate: nil)]
        let whole = page(run)
        #expect(whole.contains("<span>Searched</span> <span>the whole tree</span>"))
        #expect(whole.contains("part of the tree") && whole.contains("25.0 %"))
        run.trials = SearchSpace.points / 2
        run.completion = .duration
        let part = page(run)
        #expect(part.contains("50.0 % of the tree, the best is not proven") && !part.contains("<pre>"))
        for page in [whole, part] {
            #expect(Self.isWellFormed(page) && !page.contains("trial") && !page.contains("seed"))
        }
    }

    /// The best solution is drawn from its points, with the same scale in both directions.
    @Test func theBestSolutionOfASearchIsDrawn() {
        var run = Self.run()
        (run.blockSize, run.trials, run.course) = (1, SearchSpace.points, [])
        run.goal = Goal(trials: SearchSpace.points)
        let solution = Solution(Array("1 3 2 4 <b>\n0 0\n100 50\n100 0\n0 50\n0 0\n".utf8))
        func page(_ run: RunRecord) -> String {
            Page(run, id: 12, isBuiltIn: true, solution: solution) { _ in "then" }.html
        }
        let whole = page(run)
        #expect(Self.isWellFormed(whole) && whole.contains("<pre>1 3 2 4 &lt;b&gt;</pre>"))
        #expect(whole.contains("<h2>Best solution</h2>") && whole.contains("viewBox=\"0 0 400 212\""))
        #expect(whole.contains("points=\"12,200 388,12 388,200 12,12 12,200\""))
        #expect(whole.components(separatedBy: "<circle class=\"d\"").count == 5)
        run.trials -= 1
        #expect(page(run).contains("<h2>Best solution found so far</h2>"))
        let high = Drawings.map(Solution(Array("0 0\n0 9\n1 9\n".utf8)), title: "a", isStyled: false) ?? ""
        #expect(high.contains("viewBox=\"0 0 400 400\""))
        let file = Drawings.map(solution, title: "<tsp>") ?? ""
        #expect(XML.isWellFormed(file) && file.contains("<style>") && file.contains("viewBox=\"0 0 640 332\""))
    }

    /// Numbers that a stranger's search may write are drawn or left out.
    @Test(arguments: ["1 1\n1 1\n1 1\n", "1e308 0\n-1e308 0\n0 0\n", "nan 0\n1 1\n", "0 0\n5e-324 0\n0 0\n", ""])
    func strangePointsAreNotDrawn(_ text: String) {
        #expect(Drawings.map(Solution(Array(text.utf8)), title: "a") == nil)
    }

    @Test func anUnknownSimulationCannotBeRepeatedByName() {
        var run = Self.run()
        func repeats() -> Bool { Page(run, id: 12, isBuiltIn: false) { _ in "then" }.html.contains("<pre>") }
        #expect(!repeats())
        run.file = "mine.swift"
        #expect(repeats())
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "\"><img src=x onerror=y>", "a & b <!-- ' -->", "\u{202e}\u{0}\u{7}]]>",
    ])
    func nobodysTextIsMarkup(_ text: String) {
        let page = page(Self.run(named: text, note: text))
        #expect(Self.isWellFormed(page))
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("<!--"))
        #expect(!page.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{0}" || $0 == "\u{7}" })
        let drawing = Drawings.run(Self.run(named: text)) ?? ""
        #expect(XML.isWellFormed(drawing))
    }

    /// Numbers that a stranger's run may contain are drawn or left out.
    @Test(arguments: [0.0, -0.0, 1e308, -1e308, Double.leastNonzeroMagnitude, .infinity, .nan, 1e17])
    func strangeNumbersAreDrawn(
        _ value: Double
    ) {
        let run = Self.run(value: value)
        #expect(Self.isWellFormed(page(run)))
        let trend = Trends([(1, run), (2, run)]).all[0]
        if let drawing = Drawings.trend([trend], of: "a", date: { _ in "then" }) {
            #expect(XML.isWellFormed(drawing))
            #expect(!drawing.contains("nan") && !drawing.contains("inf"))
        }
        for columns in [1, 5, 20, 80] {
            let canvas = Canvas(columns: columns, unicode: columns % 2 == 0, colour: false)
            _ = TrendChart(on: canvas).lines(trend, date: { _ in "then" }).map {
                $0.rendered(on: canvas)
            }
            for line in RunView(run, id: 1, isBuiltIn: true, date: { _ in "then" }).lines(on: canvas) {
                #expect(Cells.width(of: line.rendered(on: canvas)) <= columns)
            }
        }
    }

    private func trend(_ values: [(x: Double, exact: Double)], parameter: String?) -> Trend {
        Trend(
            name: "a", parameter: parameter,
            points: values.enumerated().map { place, value in
                Trend.Point(
                    run: Int64(place), at: 0, reading: Self.reading("a", value.exact, 0.0005, exact: value.exact),
                    x: value.x, label: "label \(value.x)")
            })
    }

    /// The places of the dashed lines of exact answers.
    private func exactLines(_ trend: Trend) throws -> [Substring] {
        try #require(Drawings.trend([trend], of: "a", date: { _ in "then" })).split(separator: "\n")
            .filter { $0.hasPrefix("<line class=\"e\"") }
    }

    @Test func eachRunHasItsOwnExactAnswer() throws {
        let runs = [(0.0, 0.2), (1, 0.2), (2, 0.1)].map { (x: $0.0, exact: $0.1) }
        #expect(try exactLines(trend(runs, parameter: nil)).count == 2, "runs of equal answers share a line")
        let same = [(3.0, 0.2), (3, 0.2), (10, 0.2)].map { (x: $0.0, exact: $0.1) }
        #expect(try exactLines(trend(same, parameter: "doors")).count == 2, "between two values nothing is known")
    }

    @Test func ticksAreDifferentAndAxesStayWithinProportions() throws {
        let runs = (0..<40).map { (x: Double($0), exact: $0 % 2 == 0 ? 0.001 : 0.999) }
        let drawing = try #require(Drawings.trend([trend(runs, parameter: nil)], of: "a", date: { _ in "then" }))
        let texts = drawing.split(separator: "\n").filter { $0.hasPrefix("<text") }.map {
            $0.split(separator: ">")[1].prefix { $0 != "<" }
        }
        let labels = texts.filter { $0.hasPrefix("label") }
        #expect(labels.count >= 5 && labels.count <= 9 && Set(labels).count == labels.count)
        #expect(texts.contains("0.0") && texts.contains("1.0"), "\(texts)")
        #expect(!texts.contains { $0.hasPrefix("-") })
    }

    @Test func severalRunsAreOnePage() {
        let runs = [(id: Int64(3), run: Self.run()), (id: Int64(4), run: Self.run(note: "<b>"))]
        let page = ComparisonPage(runs, question: "Stay or switch?") { _ in "then" }.html
        #expect(Self.isWellFormed(page))
        for text in [
            "2 runs,", "run 3", "run 4", "Stay or switch?", "Runs with the same seed are not independent: 3, 4.",
        ] {
            #expect(page.contains(text), "\(text)")
        }
    }

    @Test func aRunOfOneBlockHasNoCourse() throws {
        var run = Self.run()
        run.course = []
        #expect(Self.isWellFormed(page(run)))
        // Its file has the histogram and the map, one below the other.
        let drawing = try #require(Drawings.run(run))
        #expect(XML.isWellFormed(drawing) && drawing.contains(">hist</text>") && drawing.contains(">plane</text>"))
        #expect(drawing.contains("viewBox=\"0 0 640 817.6\""), "\(drawing.prefix(120))")
        run.readings.removeAll { !$0.kind.isNumber }
        #expect(Drawings.run(run) == nil)
    }

    /// A run with a course has that first.
    @Test func aFileHasAllChartsOfARun() throws {
        let drawing = try #require(Drawings.run(Self.run()))
        let course = try #require(drawing.range(of: "<polygon")), bars = try #require(drawing.range(of: ">hist</text>"))
        #expect(XML.isWellFormed(drawing) && course.lowerBound < bars.lowerBound)
    }
}

/// Parses enough of XML to check that elements are closed in order and that text contains no markup.
enum XML {
    static func isWellFormed(_ text: String) -> Bool {
        var open: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "<") {
            guard isText(rest[..<start]) else { return false }
            guard let end = rest[start...].firstIndex(of: ">") else { return false }
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                guard open.popLast() == String(tag.dropFirst()) else { return false }
            } else {
                guard tag.filter({ $0 == "\"" }).count % 2 == 0, !tag.contains("<") else { return false }
                let name = String(tag.prefix { $0.isLetter || $0.isNumber })
                guard !name.isEmpty else { return false }
                if !tag.hasSuffix("/") { open.append(name) }
            }
        }
        return open.isEmpty && isText(rest)
    }

    private static func isText(_ text: Substring) -> Bool {
        text.split(separator: "&", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            ["amp;", "lt;", "gt;", "quot;", "#39;"].contains { part.hasPrefix($0) }
        }
    }
}
