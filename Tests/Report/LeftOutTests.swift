import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// A drawing without a value takes no room in a file of several, and a file says what it has no room for.
@Suite struct LeftOutTests {
    private func trend(_ name: String, _ values: [Double?]) -> Trend {
        Trend(
            name: name, parameter: nil,
            points: values.enumerated().map { place, value in
                Trend.Point(
                    run: Int64(place), at: 0, reading: PageTests.reading(name, value, nil), x: Double(place),
                    label: "\(place)")
            })
    }

    private func drawn(_ trends: [Trend]) -> String? { Drawings.trend(trends, of: "a") { _ in "then" } }

    @Test func aReadingWithoutAValueLeavesNoGap() throws {
        let trends = [trend("none", [nil, nil]), trend("some", [0.2, 0.3])]
        let drawing = try #require(drawn(trends))
        #expect(drawing.contains("viewBox=\"0 0 640 260\"") && drawing.contains("translate(0 0)"))
        #expect(drawing.contains("a: some") && !drawing.contains("a: none"))
        let left = Drawings.leftOut(trends)
        #expect(left.empty == ["none"] && left.remark(on: "readings") == nil)
        #expect(drawn([trends[0]]) == nil)
    }

    @Test func readingsWithoutAValueTakeNoOthersPlace() throws {
        let empty = (1...8).map { trend("none \($0)", [nil]) }
        let trends = empty + (1...9).map { trend("some \($0)", [0.5]) }
        let drawing = try #require(drawn(trends))
        #expect(drawing.contains("viewBox=\"0 0 640 2080\"") && drawing.contains("translate(0 1820)"))
        #expect(drawing.contains("a: some 8") && !drawing.contains("a: some 9"))
        let left = Drawings.leftOut(trends)
        #expect(left.empty.count == 8 && left.remark(on: "readings") == "The file has the first 8 of 9 readings.")
        #expect(Drawings.trends(trends) { _ in "then" }.count == 8)
    }

    /// `potluck scale` may be stopped before it has measured a set of parameters.
    @Test func setsOfParametersThatWereNotMeasuredLeaveNoGap() throws {
        let points = (0..<10).map { Scaling.Point(varied: ["\($0)"], parameters: [UInt64($0)]) }
        var scaling = Scaling(points, [1, 2])
        for index in scaling.rows.indices.dropFirst(2) { _ = scaling.rows[index].add(seconds: 1, digest: "d") }
        let drawing = try #require(Drawings.speedUps(scaling, varied: ["doors"], of: "a"))
        #expect(drawing.contains("viewBox=\"0 0 640 2080\"") && drawing.contains("translate(0 0)"))
        #expect(drawing.contains("doors=8:") && !drawing.contains("doors=0:") && !drawing.contains("doors=9:"))
        let left = Drawings.leftOut(scaling, varied: ["doors"], of: "a")
        #expect(left.remark(on: "sets of parameters") == "The file has the first 8 of 9 sets of parameters.")
    }

    @Test func aRunWithManyReadingsSaysHowManyAreDrawn() {
        var run = PageTests.run()
        #expect(Drawings.leftOut(run).remark(on: "readings") == nil)
        let readings = (1...9).map { PageTests.reading("r\($0)", 0.5, 0.1) }
        run.readings = readings
        run.course = (1...3).map { CoursePoint(trials: 1 << UInt64($0), readings: readings) }
        #expect(Drawings.leftOut(run).remark(on: "readings") == "The file has the first 8 of 9 readings.")
    }
}
