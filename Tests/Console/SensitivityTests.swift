import PotluckKit
import Testing

@testable import PotluckScreen

@Suite struct SensitivityTests {
    /// Ishigami's function, whose indices are known: `a` = 7 and `b` = 0.1.
    private static func ishigami(_ x: [Double]) -> Double {
        let sine = Maths.sin(x[1])
        return Maths.sin(x[0]) + 7 * sine * sine + 0.1 * x[2] * x[2] * x[2] * x[2] * Maths.sin(x[0])
    }

    private static let first = [0.31390519114781146, 0.4424111447900408, 0]
    private static let total = [0.5575888552099592, 0.4424111447900408, 0.24368366406214777]

    /// Rows of a function of numbers from −π to π.
    private func rows(_ count: Int, seed: UInt64, of function: ([Double]) -> Double) -> [SobolIndices.Row] {
        (0..<UInt64(count)).map { row in
            var random = RandomStream(seed: seed, block: row, lane: 0)
            let points = (0..<2).map { _ in (0..<3).map { _ in (2 * random.unit() - 1) * Double.pi } }
            let mixed = (0..<3).map { place in
                var point = points[0]
                point[place] = points[1][place]
                return function(point)
            }
            return .init(first: function(points[0]), second: function(points[1]), mixed: mixed)
        }
    }

    /// The indices are as near to the known ones as their intervals say: 95 of 100 times, within four standard errors of
    /// that.
    @Test func ishigamisIndicesAreWithinTheirIntervals() throws {
        let runs = 200
        var hits = 0
        for seed in 0..<UInt64(runs) {
            let found = try #require(SobolIndices(rows(1024, seed: seed, of: Self.ishigami)))
            for (indices, truth) in [(found.first, Self.first), (found.total, Self.total)] {
                for (index, value) in zip(indices, truth) {
                    hits += abs(index.value - value) <= (try #require(index.halfWidth)) ? 1 : 0
                }
            }
        }
        // The six indices of a run depend on each other, so the error is that of the runs.
        #expect(abs(Double(hits) / Double(6 * runs) - 0.95) < 4 * (0.0475 / Double(runs)).squareRoot())
    }

    @Test func manyRowsAreNear() throws {
        let found = try #require(SobolIndices(rows(1 << 16, seed: 1, of: Self.ishigami)))
        for (index, value) in zip(found.first + found.total, Self.first + Self.total) {
            #expect(abs(index.value - value) < 0.02)
        }
    }

    /// A sum has no interactions, and a constant belongs to no index.
    @Test(arguments: [0, 1e6])
    func aSumsIndicesAreTheShares(constant: Double) throws {
        let found = try #require(SobolIndices(rows(4096, seed: 2) { constant + 3 * $0[0] + 4 * $0[1] }))
        for (index, value) in zip(found.first + found.total, [0.36, 0.64, 0, 0.36, 0.64, 0]) {
            #expect(abs(index.value - value) < 0.06)
        }
        #expect(found.first[2].value == 0 && found.total[2].value == 0)
    }

    @Test func whatDoesNotVaryHasNoIndices() {
        #expect(SobolIndices(rows(64, seed: 1) { _ in 5 }) == nil)
        #expect(SobolIndices([]) == nil)
    }

    @Test func theTableHasBars() throws {
        let found = try #require(SobolIndices(rows(1 << 14, seed: 1, of: Self.ishigami)))
        let canvas = Canvas(columns: 80, unicode: true, colour: false)
        let lines = SensitivityView(["a", "b", "c"], [("value", found), ("flat", nil)]).lines("ishigami", on: canvas)
            .map { $0.rendered(on: canvas) }
        #expect(lines[0] == "ishigami" && lines.last == "flat is the same everywhere")
        #expect(lines[2].split(separator: " ") == ["value", "first", "±", "total", "±"])
        #expect(lines[3].hasSuffix("▇░░░░░") && lines[4].hasSuffix("▇▇▇▇▇▇▇▇▇") && lines[5].hasSuffix(" ░░░░░"))
    }
}
