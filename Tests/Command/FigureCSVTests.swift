import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

/// The numbers of charts as rows.
@Suite struct FigureCSVTests {
    private static func run(_ readings: [Reading], course: [CoursePoint] = []) -> RunRecord {
        RunRecord(
            key: String(repeating: "a", count: 32),
            simulation: SimulationIdentity(name: "town", source: String(repeating: "b", count: 64), streams: 1),
            parameters: [RecordedParameter(name: "trials", slot: 3, text: "3", number: 3)], seed: 7, blockSize: 65_536,
            goal: Goal(trials: 10), trials: 10, tally: [], counts: [], readings: readings, course: course,
            digest: String(repeating: "c", count: 64), completion: .trials, startedAt: 0, elapsed: .seconds(3),
            nodes: [], notes: [])
    }

    private static func rows(_ run: RunRecord) -> [[String]] {
        FigureCSV.text([(4, run)]).split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private static func mean(_ value: Double, _ half: Double) -> Reading {
        Reading(name: "wait", kind: .mean, value: value, interval: value - half...value + half)
    }

    @Test func aValueHasItsCourseAndTheResult() {
        let course = [2, 8].map { (trials: UInt64) in
            CoursePoint(trials: trials, readings: [Self.mean(2, 8 / Double(trials))])
        }
        let rows = Self.rows(Self.run([Self.mean(3, 0.5)], course: course))
        #expect(
            rows[0]
                == [
                    "id", "simulation", "parameter.trials", "reading", "trials", "x_low", "x_high", "y_low", "y_high",
                    "value", "low", "high",
                ])
        let before = ["4", "town", "3", "wait"], none = ["", "", "", ""]
        #expect(rows[1] == before + ["2"] + none + ["2.0", "-2.0", "6.0"])
        #expect(rows[2] == before + ["8"] + none + ["2.0", "1.0", "3.0"])
        #expect(rows[3] == before + ["10"] + none + ["3.0", "2.5", "3.5"] && rows.count == 4)
    }

    @Test func picturesHaveARowForEachNumber() {
        let words = [1, 0.5, 1.5, 4, .nan, .nan].map { (number: Double) in number.bitPattern }
        let curve = Reading(
            name: "ill", kind: .series, value: nil,
            bins: words, range: 0...1)
        let bins = Reading(name: "size", kind: .histogram, value: nil, bins: [1, 2, 3, 4], range: 0...5)
        let map = Reading(
            name: "plane", kind: .histogram2D, value: nil, bins: [2, 0, 1.0.bitPattern, 7, 1, 2, 3, 4], range: 0...4)
        let rows = Self.rows(Self.run([curve, bins, map])).dropFirst().map { Array($0.dropFirst(3)) }
        #expect(
            rows == [
                ["ill", "10", "0.0", "0.0", "", "", "1.0", "0.5", "1.5"],
                ["ill", "10", "1.0", "1.0", "", "", "4.0", "", ""],
                ["size", "10", "-inf", "0.0", "", "", "1.0", "", ""],
                ["size", "10", "0.0", "2.5", "", "", "2.0", "", ""],
                ["size", "10", "2.5", "5.0", "", "", "3.0", "", ""],
                ["size", "10", "5.0", "inf", "", "", "4.0", "", ""],
                ["plane", "10", "0.0", "2.0", "0.0", "0.5", "1.0", "", ""],
                ["plane", "10", "2.0", "4.0", "0.0", "0.5", "2.0", "", ""],
                ["plane", "10", "0.0", "2.0", "0.5", "1.0", "3.0", "", ""],
                ["plane", "10", "2.0", "4.0", "0.5", "1.0", "4.0", "", ""],
                ["plane", "10", "", "", "", "", "7.0", "", ""],
            ])
    }
}
