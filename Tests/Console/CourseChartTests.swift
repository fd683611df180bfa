import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct CourseChartTests {
    private func chart(
        _ values: [(trials: UInt64, value: Double, half: Double?)], exact: Double? = nil, columns: Int = 40,
        height: Int = 7, unicode: Bool = false
    ) -> [String] {
        let canvas = Canvas(columns: columns, unicode: unicode, colour: false)
        let course = values.map { trials, value, half in
            CoursePoint(
                trials: trials,
                readings: [
                    Reading(name: "x", kind: .mean, value: value, interval: half.map { (value - $0)...(value + $0) })
                ])
        }
        let points = CourseChart.points(course, of: 0, now: CoursePoint(trials: 0, readings: []))
        return CourseChart(canvas: canvas).lines("x", points, exact: exact, height: height).map {
            $0.rendered(on: canvas)
        }
    }

    /// The axis is logarithmic: every power of ten is equally wide. The first third of the course may be cut off.
    @Test func tenfoldsAreEquallyWide() {
        #expect(
            chart([(10, 0, nil), (100, 1, nil), (1000, 2, nil), (10000, 3, nil)], height: 6) == [
                "x  * so far", " 3.0|                            ******", "    |                      *******",
                "    |                 ******", " 1.0|           *******", "     10                   10 000 trials",
            ])
    }

    @Test func theBandNarrowsAroundTheExactAnswer() {
        let lines = chart(
            [(100, 5, 4), (1000, 4.5, 2), (10000, 5.2, 1), (100_000, 5, 0.5)], exact: 5, columns: 40, height: 9)
        #expect(lines[0] == "x  * so far  : 95 % band  - exact")
        let widths = (5...38).map { column in
            lines[1...7].count { line in Array(line).indices.contains(column) && Array(line)[column] != " " }
        }
        #expect(widths.first == 7 && (3...4).contains(widths.last ?? 0))
        #expect(lines[1...7].contains { $0.contains("---") })
    }

    @Test func thePathHasNoHoles() {
        let lines = chart([(10, 100, nil), (500, 0, nil), (1000, 100, nil)], columns: 40, height: 12)
        #expect(lines[1...10].allSatisfy { $0.contains("*") })
    }

    /// Values that cannot be drawn are left out. No number traps, however large.
    @Test func anyCourse() {
        for seed in 0..<500 as Range<UInt64> {
            var dice = Dice(seed: seed)
            let canvas = dice.canvas()
            let points = CourseChart.points(
                dice.course(), of: dice.below(3),
                now: CoursePoint(trials: dice.next() >> UInt64(dice.below(64)), readings: [dice.reading()]))
            let height = 2 + dice.below(14)
            let exact = dice.pick([nil, dice.number(), 0.5])
            let lines = CourseChart(canvas: canvas).lines("x", points, exact: exact, height: height)
            #expect(lines.count <= max(3, height), "seed \(seed)")
        }
        let huge = Double.greatestFiniteMagnitude
        for values in [[huge, -huge], [huge, huge], [0, .leastNonzeroMagnitude], [-0.0, 0], [1e300, -1e-300]] {
            let lines = chart(values.enumerated().map { (UInt64($0 + 1), $1, nil) }, exact: values[0], unicode: true)
            #expect(lines.count == 7)
        }
    }

    @Test func theCourseEndsNow() {
        let old = Reading(name: "x", kind: .mean, value: 1)
        let points = CourseChart.points(
            [CoursePoint(trials: 10, readings: [old]), CoursePoint(trials: 5, readings: [old])], of: 0,
            now: CoursePoint(trials: 20, readings: [old]))
        #expect(points.map(\.trials) == [10, 20])
        #expect(
            CourseChart.points(
                [CoursePoint(trials: 10, readings: [])], of: 0, now: CoursePoint(trials: 20, readings: [])) == [])
    }

    /// The best solution of a search is drawn in steps over time.
    @Test func aSearchGoesInSteps() {
        func point(_ seconds: Double, _ value: Double) -> CoursePoint {
            CoursePoint(
                trials: 0, readings: [Reading(name: "km", kind: .mean, value: value)], elapsed: .seconds(seconds))
        }
        let points = CourseChart.points([point(0, 90), point(0.1, 80), point(1, 60)], of: 0, now: point(10, 60))
        #expect(points.map(\.value) == [80, 80, 60, 60, 60])
        #expect(points.map { $0.place.rounded() } == [-1, 0, 0, 1, 1])
        let canvas = Canvas(columns: 40, unicode: false, colour: false)
        let text = CourseChart(canvas: canvas).lines("km", points, exact: nil, height: 6).map {
            $0.rendered(on: canvas)
        }
        #expect(text.last?.contains("100 ms") == true && text.last?.contains("10 s") == true, "\(text)")
    }
}
