import PotluckCore
import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct ScalingTests {
    private static let point = Scaling.Point(varied: ["8"], parameters: [8])

    /// Returns what was measured if each number of cores took these seconds.
    private func scaling(_ times: [(cores: Int, seconds: [Double])]) -> Scaling {
        var scaling = Scaling([Self.point], times.map(\.cores))
        for (index, row) in times.enumerated() {
            for seconds in row.seconds { _ = scaling.rows[index].add(seconds: seconds, digest: "d") }
        }
        return scaling
    }

    @Test func aSpeedUpIsAQuotientOfMeans() throws {
        let scaling = scaling([(1, [9, 11]), (2, [4, 6]), (4, [2.5, 2.5])])
        let speedUps = scaling.rows.compactMap { scaling.speedUp($0) }
        #expect(speedUps.map(\.value) == [1, 2, 4])
        #expect(scaling.rows.map { scaling.efficiency($0) } == [1, 1, 1])
        // Student's quantile for one degree of freedom, and a standard error of 1.
        let halfWidth = try #require(scaling.seconds(scaling.rows[0])?.halfWidth)
        #expect(abs(halfWidth - 12.7062) < 1e-4)
        // The relative errors add as squares: 1.27 and 2.54.
        let (one, two): (Double, Double) = (1.27062, 2.54124)
        let expected: Double = 2 * (one * one + two * two).squareRoot()
        let found: Double = try #require(speedUps[1].halfWidth)
        #expect(abs(found - expected) < 1e-3)
        #expect(speedUps[0].halfWidth == nil)
    }

    /// The first number of cores need not be one.
    @Test func theFirstNumberOfCoresIsTheBase() {
        let scaling = scaling([(2, [6, 6]), (8, [2, 2])])
        #expect(scaling.rows.map { scaling.efficiency($0) } == [1, 0.75])
    }

    /// A row of a search has the means of its repetitions, and of those of each node.
    @Test func aSearchHasMeansOfItsNodes() {
        var scaling = Scaling([Self.point], [1, 2], of: .node)
        func row(_ name: String, _ expanded: UInt64) -> NodeRow {
            NodeRow(
                node: .nobody, name: name, cores: 1, trials: 10, rate: nil, work: .gone,
                effort: SearchEffort(expanded: expanded, inVain: expanded / 10))
        }
        for (place, rows) in [[row("ana", 900)], [row("ana", 500), row("bob", 500)]].enumerated() {
            for times: UInt64 in [1, 3] {
                let own = rows.map { row($0.name, $0.effort.expanded * times) }
                _ = scaling.rows[place].add(seconds: 1, digest: "d", own, effort: own.effort)
            }
        }
        #expect(scaling.rows.map(\.expanded) == [1800, 2000] && scaling.rows.map(\.inVain) == [0.1, 0.1])
        #expect(scaling.rows.map { scaling.computation($0) } == [1, 0.9])
        #expect(ScaleView.work(scaling.rows[1]) == "ana 50 % (1 000, 10.0 % in vain), bob 50 % (1 000, 10.0 % in vain)")
        #expect(self.scaling([(1, [2])]).isSearch == false)
    }

    @Test func oneRunHasNoInterval() {
        let scaling = scaling([(1, [2]), (2, [1])])
        #expect(scaling.rows.allSatisfy { scaling.seconds($0)?.halfWidth == nil })
        #expect(scaling.speedUp(scaling.rows[1])?.value == 2)
    }

    /// What was not measured, because the user stopped it, has no figures.
    @Test func anUnmeasuredRowHasNoFigures() {
        let scaling = scaling([(1, [2]), (2, [])])
        #expect(scaling.seconds(scaling.rows[1]) == nil && scaling.speedUp(scaling.rows[1]) == nil)
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let lines = ScaleView(scaling, varied: ["cities"]).lines("tsp", on: canvas).map { $0.rendered(on: canvas) }
        #expect(lines.last?.contains("–") == true)
    }

    @Test func otherResultsAreFound() throws {
        var row = Scaling.Row(Self.point, count: 1)
        let (first, second) = (row.add(seconds: 1, digest: "a"), row.add(seconds: 1, digest: "b"))
        #expect(first && !second)
        var scaling = scaling([(1, [2]), (2, [])])
        #expect(scaling.disagreement == nil)
        _ = scaling.rows[1].add(seconds: 1, digest: "other")
        let (one, other) = try #require(scaling.disagreement)
        #expect(one.count == 1 && other.count == 2)
    }

    /// The parts of the nodes are of all repetitions together.
    @Test func theWorkOfNodesIsAddedUp() {
        var row = Scaling.Row(Self.point, count: 2)
        func node(_ name: String, _ trials: UInt64) -> NodeRow {
            NodeRow(
                node: .nobody, name: name, cores: 1, trials: trials, rate: nil, work: .gone, effort: .none)
        }
        #expect(row.work.isEmpty)
        _ = row.add(seconds: 1, digest: "a", [node("ana", 100), node("bob", 0)])
        _ = row.add(seconds: 1, digest: "a", [node("bob", 50), node("ana", 50)])
        #expect(row.work.map(\.name) == ["ana", "bob"] && row.work.map(\.part) == [0.75, 0.25])
    }
}
