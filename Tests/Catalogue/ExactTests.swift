import Foundation
import PotluckChecks
import PotluckKit
import Testing

/// Compares the exact answers with other ways to compute the same numbers.
@Suite struct ExactTests {
    private func exact(_ name: String, _ reading: String) throws -> Double {
        let each = try Case(name)
        return try #require(each.prepared.read(each.empty, 0).first { $0.name == reading }?.exact)
    }

    private func isClose(_ a: Double, _ b: Double) -> Bool { (a - b).magnitude <= 1e-12 * b.magnitude }

    @Test func birthdays() throws {
        #expect(isClose(try exact("birthday", "shared"), 0.50729723432398540723))
        #expect(isClose(try exact("birthday people=2 days=100000", "shared"), 1e-5))
        #expect(isClose(try exact("birthday people=8 days=7", "shared"), 1))
        #expect(isClose(try exact("birthday people=3 days=4", "shared"), 1 - 3.0 / 4 * 2 / 4))
    }

    @Test func needles() throws {
        #expect(isClose(try exact("buffon length=3 spacing=4", "crossings"), 1.5 / .pi))
        #expect(try exact("buffon", "pi") == .pi)
    }

    @Test func coupons() throws {
        #expect(isClose(try exact("coupon-collector kinds=6", "packets"), 14.7))
        #expect(isClose(try exact("coupon-collector kinds=6", "variance"), 38.99))
        #expect(try exact("coupon-collector kinds=1", "variance") == 0)
    }

    /// Uses the textbook formulas, where they neither overflow nor cancel.
    @Test(arguments: [(10, 20, 0.51), (3, 7, 0.4), (1, 1000, 0.6), (50, 60, 0.3), (999, 1000, 0.2), (5, 9, 0.99)])
    func gamblers(stake: Int, goal: Int, p: Double) throws {
        let name = "gamblers-ruin stake=\(stake) goal=\(goal) p=\(p)"
        // Combined so that large powers stay finite.
        let odds = (1 - p) / p
        let won =
            odds < 1
            ? (1 - Foundation.pow(odds, Double(stake))) / (1 - Foundation.pow(odds, Double(goal)))
            : (Foundation.pow(1 / odds, Double(goal - stake)) - Foundation.pow(1 / odds, Double(goal)))
                / (1 - Foundation.pow(1 / odds, Double(goal)))
        #expect(isClose(try exact(name, "won"), won))
        #expect(isClose(try exact(name, "rounds"), (Double(goal) * won - Double(stake)) / (2 * p - 1)))
    }

    @Test func fairGames() throws {
        #expect(isClose(try exact("gamblers-ruin stake=30 goal=100", "won"), 0.3))
        #expect(isClose(try exact("gamblers-ruin stake=30 goal=100", "rounds"), 2100))
        // This is close to a fair game, where the textbook formula loses all digits.
        #expect(isClose(try exact("gamblers-ruin stake=30 goal=100 p=0.50000000000001", "rounds"), 2100))
        // The small chance of an unfavoured player keeps its digits.
        #expect(isClose(try exact("gamblers-ruin stake=1 goal=20 p=0.01", "won"), 98 / (Foundation.pow(99, 20) - 1)))
    }

    @Test(arguments: [
        (100, 105, 0.03, 0.2, 1), (120, 80, -0.02, 0.5, 2), (1, 50, 0.5, 0.1, 0.01), (9000, 10, 0, 0.3, 4),
    ])
    func options(spot: Double, strike: Double, rate: Double, volatility: Double, years: Double) throws {
        let name = "option-price spot=\(spot) strike=\(strike) rate=\(rate) volatility=\(volatility) years=\(years)"
        func normal(_ x: Double) -> Double { Foundation.erfc(-x / 2.0.squareRoot()) / 2 }
        let spread = volatility * years.squareRoot()
        let d1 = (Foundation.log(spot / strike) + (rate + volatility * volatility / 2) * years) / spread
        let price = spot * normal(d1) - strike * Foundation.exp(-rate * years) * normal(d1 - spread)
        #expect((try exact(name, "price") - price).magnitude <= 1e-13 * spot)
        #expect((try exact(name, "used") - normal(d1 - spread)).magnitude <= 1e-14)
    }

    /// Enumerates every grid and fills it from the top until nothing changes.
    @Test(arguments: 1...4) func grids(n: Int) throws {
        var through = [Int](repeating: 0, count: n * n + 1)
        var edge = 0
        for site in 0..<n { edge |= 1 << (site * n) }
        for grid in 0..<(1 << (n * n)) {
            var wet = grid & (1 << n - 1)
            while true {
                // Sites are bits, row by row. The first site of a row is no neighbour of the last one of the row
                // before.
                let right = wet << 1 & ~edge
                let left = (wet & ~edge) >> 1
                let more = (wet | wet << n | wet >> n | left | right) & grid
                if more == wet { break }
                wet = more
            }
            if wet >> (n * (n - 1)) != 0 { through[grid.nonzeroBitCount] += 1 }
        }
        for p in [0, 0.25, 0.5927, 0.9, 1] {
            var probability = 0.0
            for open in through.indices {
                probability +=
                    Double(through[open]) * Foundation.pow(p, Double(open))
                    * Foundation.pow(1 - p, Double(n * n - open))
            }
            #expect((try exact("percolation n=\(n) p=\(p)", "through") - probability).magnitude < 1e-14)
        }
    }

    @Test func largerGridsHaveNoExactAnswer() throws {
        let each = try Case("percolation n=5")
        #expect(each.prepared.read(each.empty, 0)[0].exact == nil)
    }
}
