import Foundation
import PotluckKit
import Testing

@Suite struct QuantileTests {
    private struct Probe: Simulation {
        static let name: StaticString = "probe"
        static let summary: StaticString = "Reads what it is given."

        struct Tally: SimulationTally {
            var spread = Quantiles()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("spread", &spread) }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {}

        static var readings: [ReadingRule<Probe>] {
            median("median", { $0.spread })
            quantile("p90", { $0.spread }, 0.9)
            quantile("p99", { $0.spread }, 0.99)
            quantile("p05", { $0.spread }, 0.05)
            expectedShortfall("beyond", { $0.spread }, 0.9)
            expectedShortfall("below", { $0.spread }, 0.1)
        }
    }

    private func read(_ numbers: [Double]) throws -> [String: Reading] {
        let probe = try AnySimulation(Probe.self, source: "").prepared([])
        var tally = Probe.Tally()
        for number in numbers { tally.spread.add(number) }
        let readings = probe.read(tally.slots(probe.layout.slots), UInt64(numbers.count))
        return Dictionary(uniqueKeysWithValues: readings.map { ($0.name, $0) })
    }

    /// The number of this rank, or between two.
    private func number(_ rank: Double, of sorted: [Double]) -> Double {
        let low = max(1, min(Double(sorted.count), rank))
        let (one, two) = (sorted[Int(low) - 1], sorted[min(sorted.count, Int(low) + 1) - 1])
        return one + (two - one) * (low - low.rounded(.down))
    }

    /// The relative error is below 1/32, whatever the numbers.
    @Test func quantilesAreWithinTheirBound() throws {
        for seed in 0..<300 as Range<UInt64> {
            var random = stream(seed, 93)
            let kind = random.below(4)
            let numbers = (0..<(1 + random.below(300))).map { _ in
                switch kind {
                case 0: random.normal(deviation: 1e3)
                case 1: Maths.exp(random.normal(deviation: 3))
                case 2: -random.exponential()
                default: random.coin() ? Double(random.below(10_000)) : random.normal() * 1e-4
                }
            }
            let sorted = numbers.sorted()
            let read = try read(numbers)
            for (name, p) in [("median", 0.5), ("p90", 0.9), ("p99", 0.99), ("p05", 0.05)] {
                let found = try #require(read[name]?.value)
                let rank = p * Double(numbers.count) + 0.5
                let wanted = number(rank, of: sorted)
                // Between two numbers the larger one limits the error.
                let size = max(
                    number(rank.rounded(.down), of: sorted).magnitude, number(rank.rounded(.up), of: sorted).magnitude)
                #expect((found - wanted).magnitude <= max(size / 32, 0x1p-32), "\(name), seed \(seed)")
            }
            let edge = max(1, 0.1 * Double(numbers.count))
            let tail = sorted.suffix(Int(edge))
            if Double(tail.count) == edge {
                let (mean, size) = (
                    tail.reduce(0, +) / edge, tail.reduce(0) { $0 + $1.magnitude } / edge
                )
                let found = try #require(read["beyond"]?.value)
                #expect((found - mean).magnitude <= max(size / 32, 0x1p-32), "beyond, seed \(seed)")
            }
        }
    }

    /// With many numbers in a bucket the error is far less than the bound.
    @Test func manyNumbersFillTheirBuckets() throws {
        var random = stream(1, 94)
        let read = try read((0..<1_000_000).map { _ in random.exponential() })
        for (name, truth) in [("median", 0.693147), ("p99", 4.60517), ("beyond", 3.302585)] {
            #expect((try #require(read[name]?.value) / truth - 1).magnitude < 0.005, "\(name)")
        }
    }

    /// Numbers that lie closer together than a bucket is wide: the buckets beside theirs show that they are not spread over it.
    @Test(arguments: [(1000.0, 10.0), (1000, 1), (100, 2), (100, 3), (100, 5), (-100, 3), (100, 10), (5, 1)])
    func theIntervalIsAsWideAsTheBucketsLeaveOpen(mean: Double, deviation: Double) throws {
        var random = stream(UInt64(mean.magnitude * deviation), 96)
        let read = try read((0..<200_000).map { _ in random.normal(mean: mean, deviation: deviation) })
        for (name, off) in [("median", 0), ("p90", 1.2815516), ("p99", 2.3263479), ("p05", -1.6448536)] {
            let interval = try #require(read[name]?.interval)
            let slack = 0.005 * deviation
            let truth = mean + off * deviation
            #expect(interval.lowerBound - slack < truth && truth < interval.upperBound + slack, "\(name): \(interval)")
        }
        for (name, off) in [("beyond", 1.7549833), ("below", -1.7549833)] {
            let interval = try #require(read[name]?.interval)
            #expect(interval.contains(mean + off * deviation), "\(name): \(interval)")
        }
    }

    @Test func wholeNumbersAreExact() throws {
        let read = try read((1...40).map { Double($0 - 20) } + [0, -0.0, .leastNonzeroMagnitude])
        for (name, value) in [("median", 0), ("p90", 16.2), ("p05", -17.35), ("beyond", 78.8 / 4.3)] {
            #expect((try #require(read[name]?.value) - value).magnitude < 1e-12, "\(name)")
        }
    }

    @Test func numbersWithoutABucketHaveNoQuantile() throws {
        let far = try read([1, 2, 0x1p32, .infinity])
        #expect(far["p99"]?.value == nil && far["beyond"]?.value == nil && far["below"]?.value == 1)
        #expect(try read([-1, -0x1p32])["p05"]?.value == nil)
        let limits = [0x1p32.nextDown, -0x1p32.nextDown, 0x1p-32, -0x1p-32]
        for x in limits { #expect(try (#require(read([x])["median"]?.value) / x - 1).magnitude < 1.0 / 32) }
        #expect(try read([0x1p-32.nextDown])["median"]?.value == 0)
        let spoilt = try #require(read([1, .nan, 2])["median"])
        #expect(spoilt.isSpoilt && spoilt.value == nil && spoilt.interval == nil)
    }

    /// The tail of few numbers is too skewed for the interval of its mean, and there is no interval far out.
    @Test(arguments: Coverage.trials) func intervalsCoverAsOftenAsTheySay(trials: Int) throws {
        var hits: [String: Int] = [:]
        for run in 0..<Coverage.runs {
            var random = stream(UInt64(run), 95)
            let read = try read((0..<trials).map { _ in random.exponential() })
            for (name, truth) in [
                ("median", 0.693147181), ("p90", 2.302585093), ("p99", 4.605170186), ("p05", 0.051293294),
                ("beyond", 3.302585093), ("below", 0.051755641),
            ] where trials >= 2000 || !["p99", "beyond", "below"].contains(name) {
                if try #require(read[name]?.interval, "\(name)").contains(truth) { hits[name, default: 0] += 1 }
            }
        }
        for (name, hits) in hits { #expect(Coverage.isFine(hits, name, trials), "\(name): \(hits)") }
    }

    @Test func fewNumbersHaveNoIntervalFarOut() throws {
        for few in 1...5 {
            for (name, reading) in try read((1...few).map(Double.init)) where !["beyond", "below"].contains(name) {
                #expect(reading.value != nil && reading.interval == nil, "\(name) of \(few)")
            }
        }
        let read = try read((1...200).map(Double.init))
        #expect(read["p99"]?.interval == nil && read["p99"]?.value != nil && read["median"]?.interval != nil)
    }
}
