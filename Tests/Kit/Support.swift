import Foundation
import PotluckKit

/// Returns a stream for a test's own choices, so that a test is the same in every run.
func stream(_ seed: UInt64, _ block: UInt64 = 0, lane: Int = 0) -> RandomStream {
    RandomStream(seed: seed, block: block, lane: lane)
}

/// Returns how far counts are from the expected counts, as a normally distributed number (Wilson and Hilferty's
/// approximation of chi-square). More than 4.5 happens by chance once in 300 000 times.
func surprise(_ counts: [Int], expected: [Double]) -> Double {
    var square = 0.0
    for (count, expected) in zip(counts, expected) {
        square += (Double(count) - expected) * (Double(count) - expected) / expected
    }
    return normalised(chiSquare: square, freedom: Double(counts.count - 1))
}

/// Returns a chi-square as a normally distributed number.
func normalised(chiSquare: Double, freedom: Double) -> Double {
    (Foundation.cbrt(chiSquare / freedom) - (1 - 2 / (9 * freedom))) / (2 / (9 * freedom)).squareRoot()
}

/// The same for equally likely outcomes.
func surprise(_ counts: [Int]) -> Double {
    let share = Double(counts.reduce(0, +)) / Double(counts.count)
    return surprise(counts, expected: [Double](repeating: share, count: counts.count))
}

/// The same for outcomes with these probabilities.
func surprise(_ counts: [Int], probabilities: [Double]) -> Double {
    let total = Double(counts.reduce(0, +))
    return surprise(counts, expected: probabilities.map { $0 * total })
}

/// A tally with every kind of accumulator.
struct Everything: SimulationTally {
    var count = Count()
    var sum = ExactSum()
    var smallest = Minimum()
    var largest = Maximum()
    var histogram = Histogram<5>(from: -2, to: 8)
    var moments = Moments()
    var comoments = Comoments<3>()
    var pairs = Pairs()
    var quantiles = Quantiles()
    var counts = Counts<3>()
    var series = Series<2>()
    var cells = Histogram2D<3, 2>(x: -2..<8, y: -1..<3)

    mutating func visit(_ visitor: inout some TallyVisitor) {
        visitor.field("count", &count)
        visitor.field("sum", &sum)
        visitor.field("smallest", &smallest)
        visitor.field("largest", &largest)
        visitor.field("histogram", &histogram)
        visitor.field("moments", &moments)
        visitor.field("comoments", &comoments)
        visitor.field("pairs", &pairs)
        visitor.field("quantiles", &quantiles)
        visitor.field("counts", &counts)
        visitor.field("series", &series)
        visitor.field("cells", &cells)
    }

    static let layout = TallyLayout(of: Everything.self)

    init() {}

    init(adding numbers: some Sequence<Double>) {
        for number in numbers { add(number) }
    }

    mutating func add(_ x: Double) {
        count.add(x > 1)
        sum.add(x)
        smallest.add(x)
        largest.add(x)
        histogram.add(x)
        moments.add(x)
        comoments.add([x, 1, 1 - x])
        pairs.add(x, x / 2)
        quantiles.add(x)
        counts.add(x < 0 ? 0 : x > 0 ? 1 : 2)
        series.add(x < 1 ? 0 : 1, x)
        cells.add(x, x * x - 1)
    }

    var slots: [UInt64] { slots(Self.layout.slots) }
}

/// Returns numbers of every kind that a simulation may encounter. `wild` ones may also be too large, infinite or NaN.
func numbers(_ count: Int, _ random: inout RandomStream, wild: Bool) -> [Double] {
    (0..<count).map { _ in
        switch random.below(wild ? 12 : 8) {
        case 0: random.unit()
        case 1: random.normal(deviation: 1e6)
        case 2: Double(random.integer(in: -3...9))
        case 3: random.real(in: -2..<8)
        case 4: random.coin() ? 0.0 : -0.0
        case 5: random.normal() * 0x1p-110
        case 6: .leastNonzeroMagnitude * Double(random.integer(in: -5...5))
        case 7: random.exponential(mean: 1e4)
        case 8: random.coin() ? .infinity : -.infinity
        case 9: random.coin() ? .nan : -.nan
        case 10: random.coin() ? 0x1p63 : -0x1p80
        default: Double(bitPattern: random.next64())
        }
    }
}

/// Runs whose intervals are compared with the truth. `POTLUCK_COVERAGE=4000` makes more of them, with fewer and with more
/// trials, and prints the table of docs/AUTHORS.md.
enum Coverage {
    private static let asked = ProcessInfo.processInfo.environment["POTLUCK_COVERAGE"].flatMap { Int($0) }
    static let runs = asked ?? 1000
    static let trials = asked == nil ? [2000] : [200, 2000, 20_000]

    /// Whether so many hits are as many as an interval of 95 % has: within four standard errors, and half a percent more for
    /// what is only true of infinitely many trials.
    static func isFine(_ hits: Int, _ name: String, _ trials: Int) -> Bool {
        let share = Double(hits) / Double(runs)
        if asked != nil { print("coverage of \(name) at \(trials) trials: \(share)") }
        let error = (0.95 * 0.05 / Double(runs)).squareRoot()
        return (share - 0.95).magnitude < 4 * error + 0.005
    }
}
