import PotluckKit

/// A trial takes the mean over the paths of a lattice's points. Other paths are drawn independently, to compare.
struct Asian: Simulation {
    static let name: StaticString = "asian"
    static let summary: StaticString = "How much is an option on a share's mean price worth?"

    @Parameter("strike", "what the mean price is compared with", in: 50...200) var strike = 100.0
    @Parameter("volatility", "how much the price varies until the end", in: 0.01...1) var volatility = 0.2
    @Parameter("points", "points of a lattice: 256, 512, 1024, …", in: 256...8192) var points = 2048
    var blockSize: Int { Block.size(forTrialsOf: 128 * points) }

    struct Tally: SimulationTally {
        var lattice = Moments(), geometric = Moments(), plain = Moments()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("lattice", &lattice)
            visitor.field("geometric", &geometric)
            visitor.field("plain", &plain)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let lattice = random.lattice(points, dimensions: 64)
        var sums = SIMD2<Double>.zero
        for point in 0..<points {
            sums += worth { lattice.normal(point, $0) }
            tally.plain.add(worth { _ in random.normal() }[0])
        }
        tally.lattice.add(sums[0] / Double(points))
        tally.geometric.add(sums[1] / Double(points))
    }

    /// What two means are above the strike. The first number says where a path ends, and the next its middle (a bridge).
    private func worth(_ normal: (Int) -> Double) -> SIMD2<Double> {
        var path = [Double](repeating: 0, count: 64) + [normal(0)]
        for next in 1..<64 {
            let half = 64 >> (Int.bitWidth - next.leadingZeroBitCount), middle = half * (2 * next + 1) - 64
            path[middle] = (path[middle - half] + path[middle + half]) / 2 + sqrt(Double(half) / 128) * normal(next)
        }
        for time in 1...64 { path[time] = volatility * (path[time] - volatility * Double(time) / 128) }
        let means = SIMD2(path[1...].reduce(0) { $0 + exp($1) } / 64, exp(path.reduce(0, +) / 64))
        return SIMD2(max(0, 100 * means[0] - strike), max(0, 100 * means[1] - strike))
    }

    static var readings: [ReadingRule<Asian>] {
        mean("price", { $0.lattice })
        mean("geometric", { $0.geometric }, exact: { $0.geometric })
        mean("plain", { $0.plain })
        derived("variance bought") { asian, tally, _ in
            (tally.plain.variance ?? .nan) / Double(asian.points) / (tally.lattice.variance ?? .nan)
        }
    }

    private var geometric: Double {
        let (center, spread) = (-volatility * volatility * 65 / 256, volatility * sqrt(65 * 129 / 24_576.0))
        let distance = (log(100 / strike) + center) / spread
        let above = 100 * exp(center + spread * spread / 2) * Maths.normal(below: distance + spread)
        return above - strike * Maths.normal(below: distance)
    }
}
