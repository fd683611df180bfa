import Foundation
import PotluckKit
import Testing

@Suite struct ComomentTests {
    private struct Probe: Simulation {
        static let name: StaticString = "probe"
        static let summary: StaticString = "Reads what it is given."

        struct Tally: SimulationTally {
            var pairs = Pairs(), both = Comoments<2>()
            mutating func visit(_ visitor: inout some TallyVisitor) {
                visitor.field("pairs", &pairs)
                visitor.field("both", &both)
            }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {}

        static var readings: [ReadingRule<Probe>] {
            covariance("covariance", { $0.pairs })
            correlation("correlation", { $0.pairs })
            slope("slope", { $0.pairs })
            intercept("intercept", { $0.pairs })
            ratio("ratio", { $0.both }, 1, to: 0)
            derived("product", of: { $0.both }, { _, means in means[0] * means[1] })
        }
    }

    private func read(_ tally: Probe.Tally, _ trials: Int) throws -> [String: Reading] {
        let probe = try AnySimulation(Probe.self, source: "").prepared([])
        let slots = tally.slots(probe.layout.slots)
        return Dictionary(uniqueKeysWithValues: probe.read(slots, UInt64(trials)).map { ($0.name, $0) })
    }

    private func tally(_ pairs: [(Double, Double)]) -> Probe.Tally {
        var tally = Probe.Tally()
        for (x, y) in pairs {
            tally.pairs.add(x, y)
            tally.both.add([x, y])
        }
        return tally
    }

    /// Each product is in its place, and is what the exact sum of products is.
    @Test func sumsAreThoseOfNumbersAndProducts() {
        for seed in 0..<400 as Range<UInt64> {
            var random = stream(seed, 90)
            let isWild = random.coin()
            var comoments = Comoments<3>()
            var moments = [Moments](repeating: Moments(), count: 3)
            // x · y = ((x + y)² − (x − y)²) / 4, which is exact for numbers with few bits.
            var products = [BitSum](repeating: BitSum(), count: 3)
            for _ in 0..<random.below(600) {
                let x = (0..<3).map { _ in
                    isWild && random.below(50) == 0
                        ? numbers(1, &random, wild: true)[0]
                        : Double(random.integer(in: -4000...4000)) * [1, 0x1p-8, 0x1p8, 0x1p-70][random.below(4)]
                }
                comoments.add([x[0], x[1], x[2]])
                for i in 0..<3 {
                    moments[i].add(x[i])
                    let (a, b) = (x[i], x[(i + 1) % 3])
                    if !isWild { products[i].add(a * b) }
                }
            }
            var slots = SlotWriterProbe.slots(of: comoments)
            #expect(slots.removeFirst() == moments[0].count)
            let sums = (0..<9).map { Array(slots[(5 * $0)..<(5 * $0 + 5)]) }
            for (i, square) in [3, 6, 8].enumerated() {
                #expect(sums[i] == SlotWriterProbe.slots(of: moments[i].sum), "seed \(seed)")
                #expect(sums[square] == SlotWriterProbe.slots(of: moments[i].squares), "seed \(seed)")
            }
            guard !isWild else { continue }
            for (i, product) in [4, 7, 5].enumerated() {
                #expect(sums[product] == products[i].words + [0], "seed \(seed)")
            }
        }
    }

    private enum SlotWriterProbe {
        static func slots(of accumulator: some Accumulator) -> [UInt64] {
            [UInt64](unsafeUninitializedCapacity: 64) { memory, used in
                var writer = SlotWriter(memory.baseAddress!)
                accumulator.write(&writer)
                var count = 0
                type(of: accumulator).rules { rule, times in count += rule.slots * times }
                used = count
            }
        }
    }

    /// R: cov, cor, lm of (1, 2), (2, 3), (3, 5), (4, 4), (7, 9).
    @Test func valuesAreThoseOfTheTextbook() throws {
        let read = try read(tally([(1, 2), (2, 3), (3, 5), (4, 4), (7, 9)]), 5)
        for (name, value) in [
            ("covariance", 5.95), ("correlation", 0.9565719), ("slope", 1.122642), ("intercept", 0.7830189),
            ("ratio", 4.6 / 3.4), ("product", 3.4 * 4.6),
        ] {
            let found = try #require(read[name]?.value)
            #expect((found - value).magnitude < 1e-6, "\(name) is \(found)")
        }
    }

    /// The intervals of the ratio against the formula, which needs the covariance.
    @Test func theRatioHasTheDeltaMethodsInterval() throws {
        var random = stream(1, 91)
        let pairs = (0..<5000).map { _ in
            let x = 10 + random.normal()
            return (x, 3 * x + 20 + random.normal())
        }
        let tally = tally(pairs)
        let ratio = try #require(read(tally, 5000)["ratio"])
        let (a, b) = (try #require(tally.both.mean(1)), try #require(tally.both.mean(0)))
        func s(_ i: Int, _ j: Int) throws -> Double { try #require(tally.both.covariance(i, j)) }
        let r = a / b
        let variance = try (s(1, 1) - 2 * r * s(0, 1) + r * r * s(0, 0)) / (b * b) / 5000
        let half = 1.959963984540054 * variance.squareRoot()
        #expect(ratio.value == r)
        #expect((try #require(ratio.halfWidth) / half - 1).magnitude < 1e-5)
    }

    /// Nothing cancels: a billion is added to numbers that differ by about one.
    @Test func largeNumbersKeepTheirCovariance() throws {
        var far = Comoments<2>()
        for x in [0.0, 1, 2, 3] { far.add([1e9 + x, 2e9 - 2 * x]) }
        #expect(far.covariance(0, 0) == 5.0 / 3 && far.covariance(0, 1) == -10.0 / 3)
    }

    /// A trial's x is skewed and the noise grows with it, so that intervals for normal numbers would be too narrow.
    @Test(arguments: Coverage.trials) func intervalsCoverAsOftenAsTheySay(trials: Int) throws {
        var hits: [String: Int] = [:]
        for run in 0..<Coverage.runs {
            var random = stream(UInt64(run), 92)
            let read = try read(
                tally(
                    (0..<trials).map { _ in
                        let x = 1 + random.unit() * random.unit()
                        return (x, 2 + 3 * x + (random.unit() - 0.5) * x)
                    }), trials)
            // The variance of x is 1/9 − 1/16, and E x² is 1 + 1/2 + 1/9.
            let (xx, square) = (7.0 / 144, 29.0 / 18)
            let truth = [
                "covariance": 3 * xx, "correlation": 3 * (xx / (9 * xx + square / 12)).squareRoot(), "slope": 3,
                "intercept": 2, "ratio": (2 + 3 * 1.25) / 1.25, "product": 1.25 * (2 + 3 * 1.25),
            ]
            for (name, truth) in truth {
                if try #require(read[name]?.interval, "\(name)").contains(truth) { hits[name, default: 0] += 1 }
            }
        }
        for (name, hits) in hits { #expect(Coverage.isFine(hits, name, trials), "\(name): \(hits)") }
    }

    @Test func tooFewOrAlikeOrSpoiltNumbersSayNothing() throws {
        for pairs in [[], [(1.0, 2.0)], [(1, 2), (1, 2), (1, 2)], [(1, .nan), (2, 3)], [(1e9, 1e10), (1, 2)]] {
            let read = try read(tally(pairs), pairs.count)
            for (name, reading) in read {
                let width = reading.halfWidth ?? 0
                #expect(width == 0 && !reading.varies, "\(name) of \(pairs)")
            }
        }
        let alike = try read(tally([(1, 2), (1, 2), (1, 2)]), 3)
        #expect(alike["covariance"]?.value == 0 && alike["correlation"]?.value == nil && alike["slope"]?.value == nil)
        #expect(try #require(read(tally([(1, .nan), (2, 3)]), 2)["slope"]).isSpoilt)
        #expect(try #require(read(tally([(1, .nan), (2, 3)]), 2)["ratio"]).isSpoilt)
    }
}
