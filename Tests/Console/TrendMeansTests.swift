import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

/// Means of groups of runs, and the figures of runs that charts show.
@Suite struct TrendMeansTests {
    private func numbered(_ runs: [RunRecord]) -> [(id: Int64, run: RunRecord)] {
        runs.enumerated().map { (Int64($0), $1) }
    }

    @Test func aGroupHasItsMeanAndStudentsInterval() throws {
        let values = [0.2, 0.3, 0.4]
        var runs = values.enumerated().map { TrendTests.run(doors: "3", seed: UInt64($0), value: $1) }
        runs.append(TrendTests.run(doors: "10", value: 0.1, half: 0.02))
        // The same run once more counts once.
        runs.append(runs[0])
        let all = numbered(runs)
        let means = Trends(all, by: "doors").means(all)
        let trend = try #require(means.first)
        #expect(means.count == 1 && trend.points.map(\.label) == ["3", "10"] && trend.points.map(\.runs) == [3, 1])
        let (mean, alone) = (trend.points[0].reading, trend.points[1].reading)
        // The standard deviation of 0.2, 0.3 and 0.4 is 0.1, and Student's quantile for two degrees of freedom is 4.3027.
        let half = 4.302652729749462 * 0.1 / 3.0.squareRoot()
        let (value, width) = (try #require(mean.value), try #require(mean.halfWidth))
        #expect(abs(value - 0.3) < 1e-15 && abs(width - half) < 1e-12)
        #expect(mean.exact == 1 / 3.0 && alone == runs[3].readings[0])
        #expect(trend.axis { _ in "" } == "doors, means of 4 runs")
    }

    /// Student's interval of a group has the true mean in 95 of 100 cases.
    @Test func theIntervalsHoldWhatTheyPromise() throws {
        var chance = SeededGenerator(seed: 5)
        var held = 0
        let cases = 4000
        for _ in 0..<cases {
            let runs = (0..<5).map { seed in
                // Twelve uniform numbers have nearly the normal distribution, of mean 6.
                TrendTests.run(doors: "3", seed: seed, value: (0..<12).reduce(0) { sum, _ in sum + chance.fraction() })
            }
            let all = numbered(runs)
            let interval = Trends(all, by: "doors").means(all)[0].points[0].reading.interval
            let known = try #require(interval)
            if known.contains(6) { held += 1 }
        }
        // Four standard deviations around 95 %.
        #expect(abs(Double(held) / Double(cases) - 0.95) < 4 * (0.95 * 0.05 / Double(cases)).squareRoot())
    }

    @Test func figuresAreAxesAndReadings() throws {
        var runs = (1...3).map { TrendTests.run(doors: "3", seed: UInt64($0)) }
        for (place, trials) in [(0, 100), (1, 300)] as [(Int, UInt64)] {
            runs[place].nodes = [
                RecordedNode(name: "ana", cores: 4, trials: trials, rate: nil),
                RecordedNode(name: "ben", cores: 2, trials: 100, rate: nil),
            ]
        }
        let all = numbered(runs)
        let share = try #require(RunFigure("share.ana"))
        #expect(share == .share("ana") && share.name == "share.ana")
        let shares = Trends(all, by: "nodes", showing: share).all
        #expect(shares.map(\.name) == ["share.ana"])
        #expect(shares[0].points.map(\.x) == [0, 2, 2] && shares[0].points.map(\.reading.value) == [nil, 0.5, 0.75])
        // A run in which it took no part has no place along the axis.
        let by = Trends(all, by: "share.ana")
        #expect(by.lacking == 1 && by.all[0].points.map(\.label) == ["0.5", "0.75"])
        let times = Trends(all, by: "doors", showing: .elapsed).means(all)
        #expect(times[0].points.map(\.runs) == [3])
        for name in RunFigure.names.dropLast() { #expect(RunFigure(name)?.name == name) }
        #expect(RunFigure("share.") == nil && RunFigure("stay") == nil)
    }
}
