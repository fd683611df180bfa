import Foundation
import PotluckKit
import Testing

/// The draws that are made of other draws.
@Suite struct DistributionTests {
    /// A draw with its parameters, and what share of its numbers is at or below the ends of cells.
    struct Distribution: CustomTestStringConvertible {
        let name: String
        let parameters: [Double]
        let ends: [(end: Double, below: Double)]

        var testDescription: String { "\(name)\(parameters)" }

        /// Takes a line of the table, which `Tools/distribution-table.py` computes by SciPy.
        init(_ line: Substring) {
            let words = line.split(separator: " ")
            name = String(words[0])
            parameters = words[1...].prefix { $0 != "|" }.compactMap { Double($0) }
            let numbers = words[(parameters.count + 2)...].compactMap { Double($0) }
            ends = stride(from: 0, to: numbers.count - 1, by: 2).map { (numbers[$0], numbers[$0 + 1]) }
        }

        func draw(_ random: inout RandomStream) -> Double? {
            let (a, b) = (parameters[0], parameters.count > 1 ? parameters[1] : 1)
            return switch name {
            case "logNormal": random.logNormal(mean: a, deviation: b)
            case "weibull": random.weibull(shape: a, scale: b)
            case "triangular": random.triangular(from: a, mode: b, to: parameters[2])
            case "gamma": random.gamma(shape: a, scale: b)
            case "beta": random.beta(a, b)
            case "chiSquared": random.chiSquared(freedom: a)
            case "studentT": random.studentT(freedom: a)
            case "geometric": Double(random.geometric(a))
            case "poisson": Double(random.poisson(mean: a))
            case "binomial": Double(random.binomial(Int(a), b))
            case "negativeBinomial": Double(random.negativeBinomial(a, b))
            default: nil
            }
        }
    }

    static let table = Result {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "distributions-table.txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { Distribution($0) }
    }

    /// The draws of each distribution. `make soak` has 2³⁰.
    static let draws = ProcessInfo.processInfo.environment["POTLUCK_DRAWS"].flatMap { Int($0) } ?? 40_000

    /// More than 4.5 happens by chance once in 300 000 times, and there are 62 distributions.
    @Test(arguments: try table.get()) func drawsHaveTheirDistribution(_ distribution: Distribution) throws {
        var random = stream(UInt64(distribution.ends.count), 43)
        let ends = distribution.ends.map(\.end)
        var counts = [Int](repeating: 0, count: ends.count + 1)
        for _ in 0..<Self.draws {
            let number = try #require(distribution.draw(&random))
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if number <= ends[middle] { high = middle } else { low = middle + 1 }
            }
            counts[low] += 1
        }
        let shares = zip(distribution.ends.map(\.below) + [1], [0] + distribution.ends.map(\.below)).map { $0 - $1 }
        #expect(ends.count > 0 && surprise(counts, probabilities: shares) < 4.5, "\(counts)")
    }

    /// Mean and variance over many draws, to within five standard errors of the mean.
    @Test func momentsAreThoseOfTheDistributions() {
        var random = stream(1, 44)
        expect(3, 6) { $0.chiSquared(freedom: 3) }
        expect(1.5, 0.75) { $0.gamma(shape: 3, scale: 0.5) }
        expect(0.4, 0.04) { $0.beta(2, 3) }
        expect(0, 7 / 5) { $0.studentT(freedom: 7) }
        expect(5, 20) { Double($0.geometric(0.2)) }
        expect(4.5, 4.5) { Double($0.poisson(mean: 4.5)) }
        expect(250, 250) { Double($0.poisson(mean: 250)) }
        expect(30, 21) { Double($0.binomial(100, 0.3)) }
        expect(4.2, 1.26) { Double($0.binomial(6, 0.7)) }
        expect(7.5, 26.25) { Double($0.negativeBinomial(3, 2 / 7)) }

        func expect(_ mean: Double, _ variance: Double, _ draw: (inout RandomStream) -> Double) {
            let count = 20_000
            let drawn = (0..<count).map { _ in draw(&random) }
            let average = drawn.reduce(0, +) / Double(count)
            let squares = drawn.map { ($0 - average) * ($0 - average) }.reduce(0, +) / Double(count - 1)
            #expect((average - mean).magnitude < 5 * (variance / Double(count)).squareRoot())
            #expect((squares / variance - 1).magnitude < 0.1, "\(squares) is not \(variance)")
        }
    }

    @Test func whatIsCertainIsDrawn() {
        var random = stream(2, 44)
        for _ in 0..<200 {
            #expect(random.geometric(1) == 1 && random.poisson(mean: 0) == 0)
            #expect(random.binomial(0, 0.5) == 0 && random.binomial(9, 0) == 0 && random.binomial(9, 1) == 9)
            #expect(random.binomial(9, 1 + 0x1p-52) == 9 && random.binomial(9, -0x1p-60) == 0)
            #expect(random.binomial(2_147_483_647, 1) == 2_147_483_647 && random.negativeBinomial(3, 1) == 0)
            #expect(random.triangular(from: 2, mode: 2, to: 2) == 2)
            #expect(random.gamma(shape: 1e-300) == 0 && random.gamma(shape: 1e300) >= 0.999e300)
            let share = random.beta(1e-300, 1e-300)
            #expect(share == 0 || share == 1)
            #expect((0...1).contains(random.beta(1e-3, 1e3)) && random.weibull(shape: 1e300) == 1)
        }
    }

    /// The rarest events that a draw takes still have their frequency.
    @Test func rareEventsHaveTheirFrequency() {
        var random = stream(3, 44)
        let draws = 100_000
        let hits = (0..<draws).count { _ in random.binomial(1, 1e-3) == 1 }
        #expect(surprise([hits, draws - hits], probabilities: [1e-3, 1 - 1e-3]) < 4.5)
        let none = (0..<draws).count { _ in random.poisson(mean: 1e-3) > 0 }
        #expect(surprise([none, draws - none], probabilities: [1e-3, 1 - 1e-3]) < 4.5)
        let mean = (0..<draws).reduce(0.0) { sum, _ in sum + Double(random.geometric(1e-7)) } / Double(draws)
        #expect((mean / 1e7 - 1).magnitude < 5 / Double(draws).squareRoot())
    }

    @Test func whatNoDistributionHasEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { mishap { _ = $0.gamma(shape: 0) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.beta(1, -.infinity) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.chiSquared(freedom: .nan) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.triangular(from: 0, mode: 2, to: 1) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.geometric(0) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.poisson(mean: -1) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.binomial(-1, 0.5) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.binomial(9, 1.5) } }
        await #expect(processExitsWith: .failure) { mishap { _ = $0.negativeBinomial(1, 0) } }
    }

    /// The bits are part of what a seed means; Python computes the same number.
    @Test func bitsAreTheSameEverywhere() throws {
        var digest: UInt64 = 0
        for distribution in try Self.table.get() {
            var random = stream(7, 45)
            for _ in 0..<100 {
                let number = try #require(distribution.draw(&random))
                digest = (digest ^ number.bitPattern) &* 0x100_0000_01b3
                digest ^= digest >> 29
            }
        }
        #expect(digest == 0x52c0_c673_3cf3_91cd)
    }
}

/// Draws what cannot be drawn.
func mishap(_ draw: (inout RandomStream) -> Void) {
    var random = RandomStream(seed: 1, block: 0, lane: 0)
    draw(&random)
}
