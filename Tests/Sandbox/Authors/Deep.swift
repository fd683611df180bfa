import PotluckKit

/// Calls itself as deeply as a parameter says, with early returns, several results of branches, and calls in loops.
struct Deep: Simulation {
    static let name: StaticString = "deep"
    static let summary: StaticString = "Calls itself"
    @Parameter("depth", "how deeply", in: 1...10_000_000) var depth = 10
    @Parameter("way", "how", in: 0...2) var way = 0
    var blockSize: Int { 16 }

    struct Tally: SimulationTally {
        var sum = ExactSum()
        mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("sum", &sum) }
    }

    func flood(_ place: Int, _ grid: inout [Bool]) -> Int {
        if place < 0 || place >= grid.count || !grid[place] { return 0 }
        grid[place] = false
        var size = 1 + flood(place + 1, &grid)
        for step in [2, 3] where place % step == 0 { size += flood(place - step, &grid) }
        return size
    }

    func even(_ n: Int, _ x: Double) -> Double {
        if n == 0 { return x }
        if n % 1000 == 999 { return odd(n - 1, x + 1) + 1 }
        return 0.5 * odd(n - 1, x + 0.25) + 1
    }
    func odd(_ n: Int, _ x: Double) -> Double {
        switch n {
        case 0: return -x
        case 1: return even(0, x) - 1
        default: return even(n - 1, x * 1.25) - 0.125
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let start = random.below(100)
        switch way {
        case 0:
            var grid = [Bool](repeating: true, count: depth)
            tally.sum.add(Double(flood(0, &grid) + start))
        case 1: tally.sum.add(Double(start) + (even(depth, 1) > 0 ? 1 : 2))
        default: tally.sum.add(Double(start))
        }
    }

    static var readings: [ReadingRule<Deep>] { derived("sum", { _, tally, _ in tally.sum.value }) }
}
