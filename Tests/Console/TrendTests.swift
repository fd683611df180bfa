import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// Several runs: what distinguishes them, and what may be said of their differences.
@Suite struct TrendTests {
    static func run(
        doors: String, seed: UInt64 = 1, trials: UInt64 = 1000, value: Double = 0.25, half: Double = 0.01,
        digest: String? = nil
    ) -> RunRecord {
        let digest = digest ?? "\(doors)-\(seed)-\(trials)"
        return RunRecord(
            key: "", simulation: SimulationIdentity(name: "monty-hall", source: "", streams: 1),
            parameters: [
                RecordedParameter(name: "doors", slot: UInt64(doors) ?? 0, text: doors, number: Double(doors)),
                RecordedParameter(name: "opened", slot: 1, text: "1", number: 1),
            ], seed: seed, blockSize: 16, goal: Goal(trials: trials), trials: trials, tally: [], counts: [],
            readings: [
                Reading(
                    name: "stay", kind: .proportion, value: value, interval: (value - half)...(value + half),
                    exact: Double(doors).map { 1 / $0 })
            ], course: [], digest: digest, completion: .trials, startedAt: 0, elapsed: .seconds(1), nodes: [])
    }

    @Test func runsAreInTheOrderOfTheParameter() {
        let runs = ["10", "3", "4", "3"].enumerated().map { (id: Int64($0), run: Self.run(doors: $1)) }
        let trends = Trends(runs, by: "doors")
        #expect(trends.all[0].points.map(\.label) == ["3", "3", "4", "10"])
        #expect(trends.all[0].points.map(\.run) == [1, 3, 2, 0])
        #expect(trends.all[0].points.map(\.x) == [3, 3, 4, 10])
        #expect(trends.differing.isEmpty && trends.lacking == 0)
        #expect(Trends(runs).differing == ["doors"])
        #expect(Trends(runs).all[0].points.map(\.label) == ["0", "1", "2", "3"])
        let choices = ["tie", "ann", "bob", "tie"].enumerated().map { (id: Int64($0), run: Self.run(doors: $1)) }
        #expect(Trends(choices, by: "doors").all[0].points.map(\.x) == [0, 1, 2, 2])
        #expect(Trends(runs, by: "windows").lacking == 4)
    }

    @Test func theChartLabelsEachValueOnce() {
        let runs = ["3", "3", "4", "10"].enumerated().map { (id: Int64($0), run: Self.run(doors: $1)) }
        let canvas = Canvas(columns: 60, unicode: false, colour: false)
        let lines = TrendChart(on: canvas).lines(Trends(runs, by: "doors").all[0]) { _ in "then" }
            .map { $0.rendered(on: canvas) }
        #expect(lines[0] == "stay by doors, 4 runs")
        #expect(lines[13].split(separator: " ") == ["3", "4", "10"])
    }

    /// The columns have the distances of the values, in wide and narrow terminals, and even ones if the values have none.
    @Test(arguments: [30, 60, 120]) func theChartHasTheScaleOfItsParameter(columns: Int) throws {
        func places(_ doors: [String], by axis: String? = "doors") throws -> [Int] {
            let runs = doors.enumerated().map { (id: Int64($0), run: Self.run(doors: $1)) }
            let canvas = Canvas(columns: columns, unicode: false, colour: false)
            let lines = TrendChart(on: canvas).lines(try #require(Trends(runs, by: axis).all.first)) { _ in "then" }
                .map { Array($0.rendered(on: canvas)) }
            return Set(lines[1...12].flatMap { line in line.indices.filter { line[$0] == "o" } }).sorted()
        }
        let near = try places(["3", "4", "50", "100"])
        let (width, whole) = (Double(near[near.count - 1] - near[0]), 97.0)
        #expect(near.count >= (columns == 120 ? 4 : 3) && width > Double(columns) / 2)
        #expect(abs(Double(near[near.count - 2] - near[0]) - 47 / whole * width) <= 1)
        let even = try places(["3", "4", "5", "6"])
        #expect(zip(even, even.dropFirst()).allSatisfy { $1 - $0 == even[1] - even[0] })
        #expect(try places(["3", "100", "4"], by: nil).count == 3)
        #expect(try places(["3"]).count == 1)
        #expect(try places(["tie", "ann", "bob"]).count == 3)
    }

    @Test func axesEndWhereValuesCan() {
        func range(_ value: Double, _ half: Double, _ kind: ReadingKind) -> ClosedRange<Double>? {
            Axis.around(
                [
                    Reading(
                        name: "", kind: kind, value: value,
                        interval: value.isNaN ? nil : (value - half)...(value + half))
                ], margin: 0.1
            ).map { $0.low...$0.high }
        }
        #expect(range(0.5, 0.5, .proportion) == 0...1)
        #expect(range(0.5, 0.5, .mean) == 0...1.1)
        #expect(range(0, 0.5, .mean) == -0.6...0.6)
        #expect(range(.nan, 0, .mean) == nil)
    }

    @Test func onlyIndependentRunsAreComparedAsSuch() throws {
        let short = Self.run(doors: "3", trials: 1000, value: 0.30, half: 0.02)
        let long = Self.run(doors: "3", trials: 4000, value: 0.31, half: 0.01)
        let other = Self.run(doors: "3", seed: 2, value: 0.31, half: 0.02)
        #expect(RunRelation(short, long) == .nested)
        #expect(RunRelation(short, other) == .independent)
        #expect(RunRelation(short, Self.run(doors: "4")) == .sharing)
        #expect(RunRelation(short, short) == .same)
        #expect(RunRelation(short, Self.run(doors: "3", digest: "x")) == .contradictory)
        func distance(_ a: RunRecord, _ b: RunRecord) -> Double? {
            RunRelation(a, b).distance(a.readings[0], in: a, b.readings[0], in: b)?.standardErrors
        }
        // The rest of the longer run has 3000 trials and a mean of 0.31 + (0.31 − 0.30)/3. Half the intervals of both
        // parts are 0.01·√(4000/n).
        let rest = 0.31 + 0.01 / 3
        let half = (0.01 * 0.01 * 4 + 0.01 * 0.01 * 4 / 3).squareRoot()
        let expected = (rest - 0.30) / (half / 1.959963984540054)
        #expect(try (#require(distance(short, long)) - expected).magnitude < 1e-9)
        #expect(try (#require(distance(long, short)) - expected).magnitude < 1e-9)
        let apart = 0.01 / (0.02 * 2.0.squareRoot() / 1.959963984540054)
        #expect(try (#require(distance(short, other)) - apart).magnitude < 1e-9)
        #expect(distance(short, Self.run(doors: "4")) == nil)
    }

    @Test func manyRunsAgreeOrNot() throws {
        func spread(_ values: [Double]) throws -> Spread {
            try #require(Spread(values.map { Self.run(doors: "3", value: $0, half: 0.0196).readings[0] }))
        }
        let calm = try spread([0.29, 0.30, 0.31, 0.30])
        #expect(calm.excess.magnitude < 2 && (calm.mean - 0.3).magnitude < 1e-12)
        let odd = try spread([0.29, 0.30, 0.31, 0.40])
        #expect(odd.excess > 3)
        #expect(try #require(odd.distances[3]).standardErrors > 8)
        #expect(Spread([Self.run(doors: "3").readings[0]]) == nil)
    }

    @Test func narrowListsShowTheParametersThatDiffer() {
        func summary(_ id: Int64, _ doors: String) -> RunSummary {
            RunSummary(
                id: id, startedAt: 0, simulation: "monty-hall",
                parameters: [RecordedValue(name: "doors", text: doors), RecordedValue(name: "opened", text: "1")],
                trials: 1_000_000_000_000, elapsed: .seconds(1), rate: 1, cores: 1, nodes: 1, completion: .trials,
                digest: "abcdefgh", hasNote: false, reading: Self.run(doors: "3").readings[0])
        }
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        func shown(_ doors: [String]) -> [String] {
            HistoryView.lines(
                doors.enumerated().map { summary(Int64($0), $1) }, date: { _ in "2026-11-20 14:30" }, on: canvas
            )
            .map { $0.rendered(on: canvas) }
        }
        let lines = shown(["3", "4"])
        #expect(lines[1].contains("doors 3") && lines[2].contains("doors 4"))
        #expect(lines.allSatisfy { $0.count <= 80 && !$0.contains("opened") })
        #expect(!shown(["3", "3"])[1].contains("doors 3"))
    }

    @Test func anEventThatNeverHappensHasABound() {
        func words(_ value: Double, _ kind: ReadingKind, varies: Bool, trials: UInt64 = 3_000_000) -> [String] {
            IntervalWords.remarks(
                [Reading(name: "cat", kind: kind, value: value, interval: value...value, varies: varies)],
                trials: trials)
        }
        #expect(
            words(0, .proportion, varies: false)
                == ["cat never happened, so it is at most 1.0e-6 (95 %, rule of three)."])
        #expect(
            words(1, .proportion, varies: false)
                == ["cat happened in every trial, so it is at least 1 − 1.0e-6 (95 %, rule of three)."])
        #expect(words(0.5, .proportion, varies: true).isEmpty)
        #expect(words(7, .mean, varies: false).first?.hasPrefix("All values of cat are the same so far") == true)
        #expect(words(7, .mean, varies: true, trials: 255).first?.contains("Student's t") == true)
        #expect(words(7, .mean, varies: true, trials: 256).isEmpty)
        func off(_ exact: Double) -> [String] {
            let reading = Reading(name: "cat", kind: .mean, value: 7, interval: 6...8, exact: exact)
            return IntervalWords.remarks([reading], trials: 1000)
        }
        #expect(off(9.5).isEmpty)
        #expect(off(9.6).first?.hasPrefix("cat is 5.1 standard errors off its exact answer. ") == true)
        #expect(IntervalWords.bound(1) == 0.95 && IntervalWords.bound(100) == 0.03)
    }
}
