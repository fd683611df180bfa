import Foundation
import PotluckKit
import Testing

@Suite struct ReadingTests {
    /// Reads tallies that a test made up. A negative sum is valid, but has no logarithm.
    struct Probe: Simulation {
        static let name: StaticString = "probe"
        static let summary: StaticString = "Reads what it is given."
        typealias Tally = Everything

        func trial(_ random: inout RandomStream, _ tally: inout Everything) { tally.add(random.unit()) }

        static var readings: [ReadingRule<Probe>] {
            let share = proportion("share", { $0.count }, exact: { _ in 0.25 })
            share
            mean("mean", { $0.moments }, exact: { _ in nil })
            variance("variance", { $0.moments })
            histogram("histogram") { $0.histogram }
            derived("odds", from: share, { 1 / $1 - 1 }, exact: { _ in 3 })
            covariance("covariance", { $0.pairs })
            correlation("correlation", { $0.pairs })
            slope("slope", { $0.pairs })
            intercept("intercept", { $0.pairs })
            ratio("ratio", { $0.comoments }, 0, to: 2)
            median("median", { $0.quantiles })
            quantile("low", { $0.quantiles }, 0.05)
            for (name, part) in [("p25", 0.25), ("p50", 0.5)] as [(StaticString, Double)] {
                quantile(name, { $0.quantiles }, part)
            }
            expectedShortfall("shortfall", { $0.quantiles }, 0.9)
            proportions(["one", "two", "three"], { $0.counts }, exact: { _ in [0.5, 0.25, 0.25] })
            series("series") { $0.series }
            histogram("cells") { $0.cells }
            derived("logarithm", { _, tally, _ in tally.sum.value.map { Foundation.log($0) } })
        }
    }

    private func read(_ tally: Everything, _ trials: UInt64) throws -> [String: Reading] {
        let probe = try AnySimulation(Probe.self, source: "").prepared([])
        return Dictionary(uniqueKeysWithValues: probe.read(tally.slots, trials).map { ($0.name, $0) })
    }

    private func share(_ hits: UInt64, _ trials: UInt64) throws -> Reading {
        var tally = Everything()
        tally.count.value = hits
        return try #require(read(tally, trials)["share"])
    }

    private func isClose(_ a: ClosedRange<Double>?, _ b: ClosedRange<Double>) -> Bool {
        guard let a else { return false }
        return (a.lowerBound - b.lowerBound).magnitude < 1e-15 && (a.upperBound - b.upperBound).magnitude < 1e-15
    }

    @Test func readingsOfALoopAreThoseThatItsRoundsName() throws {
        var tally = Everything()
        for number in 1...999 { tally.quantiles.add(Double(number)) }
        let readings = try read(tally, 999)
        let quarter = try #require(readings["p25"]?.value)
        #expect((quarter - 250).magnitude < 250.0 / 32)
        #expect(readings["p50"]?.value == readings["median"]?.value)
    }

    /// Wilson's formula, computed with 40 digits.
    @Test(arguments: [
        (0, 10, 0...0.2775327998628892), (10, 10, 0.7224672001371108...1),
        (5, 10, 0.236593090512564...0.763406909487436),
        (1, 100, 0.0017674320641406482...0.054486196178705314), (15, 148, 0.062386399530736283...0.16048724172330803),
        (333, 1000, 0.30447790334835623...0.36280023398581918),
        (333_333_333_333, 1_000_000_000_000, 0.33333240939775735...0.33333425726952314),
    ])
    func proportionsHaveWilsonsInterval(hits: UInt64, trials: UInt64, interval: ClosedRange<Double>) throws {
        let share = try share(hits, trials)
        #expect(share.value == Double(hits) / Double(trials) && share.exact == 0.25 && share.kind == .proportion)
        #expect(isClose(share.interval, interval))
        #expect(share.varies == (hits > 0 && hits < trials) && !share.isSpoilt)
    }

    /// The coverage is computed, not simulated: the probability of all counts whose interval contains the true value.
    @Test func wilsonsIntervalCoversAsOftenAsItSays() throws {
        for trials in [20, 100, 400] {
            let intervals = try (0...trials).map { try #require(share(UInt64($0), UInt64(trials)).interval) }
            var coverages: [Double] = []
            for step in 1..<100 {
                let p = (Double(step) - 0.5) / 99
                var coverage = 0.0
                for hits in 0...trials where intervals[hits].contains(p) {
                    let ways =
                        Foundation.lgamma(Double(trials + 1)) - Foundation.lgamma(Double(hits + 1))
                        - Foundation.lgamma(Double(trials - hits + 1))
                    let odds = Double(hits) * Foundation.log(p) + Double(trials - hits) * Foundation.log(1 - p)
                    coverage += Foundation.exp(ways + odds)
                }
                coverages.append(coverage)
            }
            let average = coverages.reduce(0, +) / 99
            #expect(average > 0.945 && average < 0.96, "\(trials) trials: \(average)")
            #expect((coverages.min() ?? 0) > 0.83)
        }
    }

    @Test func meansHaveTheIntervalOfTheCentralLimit() throws {
        let readings = try read(Everything(adding: [1, 2, 3, 4]), Reading.fewTrials)
        let mean = try #require(readings["mean"])
        let half = 1.959963984540054 * (5.0 / 12).squareRoot()
        #expect(mean.value == 2.5 && mean.varies && mean.kind == .mean && mean.exact == nil)
        #expect(isClose(mean.interval, (2.5 - half)...(2.5 + half)))
        #expect((try #require(mean.halfWidth) - half).magnitude < 1e-15)
        let variance = try #require(readings["variance"])
        #expect(variance.value == 5.0 / 3 && variance.interval == nil && variance.kind == .variance)
    }

    @Test func meansOfFewTrialsHaveStudentsInterval() throws {
        let mean = try #require(read(Everything(adding: [1, 2, 3, 4]), Reading.fewTrials - 1)["mean"])
        let half = 3.1824463052837078 * (5.0 / 12).squareRoot()
        #expect(isClose(mean.interval, (2.5 - half)...(2.5 + half)))
    }

    @Test func derivedReadingsCarryTheInterval() throws {
        var tally = Everything()
        tally.count.value = 15
        let readings = try read(tally, 148)
        let (odds, share) = (try #require(readings["odds"]), try #require(readings["share"]?.interval))
        #expect(odds.value == 1 / (15 / 148.0) - 1 && odds.exact == 3 && odds.varies)
        // The function falls as the share rises, so the ends are swapped.
        #expect(odds.interval == (1 / share.upperBound - 1)...(1 / share.lowerBound - 1))
        let none = try #require(read(Everything(), 5)["odds"])
        #expect(none.value == nil && none.interval == nil && !none.isSpoilt && !none.varies)
    }

    @Test func histogramsShowTheirBins() throws {
        let histogram = try #require(read(Everything(adding: [-3, -2, 0, 1, 7.5, 8, 9]), 7)["histogram"])
        #expect(histogram.bins == [1, 1, 2, 0, 0, 1, 2] && histogram.range == -2...8 && histogram.value == nil)
    }

    @Test func nothingYetReadsAsNothing() throws {
        for (name, reading) in try read(Everything(), 0) {
            #expect(reading.value == nil && reading.interval == nil && !reading.varies && !reading.isSpoilt, "\(name)")
        }
        let one = try read(Everything(adding: [3]), 1)
        #expect(one["mean"]?.value == 3 && one["mean"]?.interval == nil && one["variance"]?.value == nil)
        let alike = try #require(read(Everything(adding: [3, 3, 3]), 3)["mean"])
        #expect(alike.interval == 3...3 && !alike.varies, "no run stops on numbers that are all alike")
        #expect(alike.shownInterval == nil, "and their interval says nothing")
    }

    @Test func aSpoiltReadingSaysSo() throws {
        for bad in [Double.nan, .infinity, 1e30] {
            let readings = try read(Everything(adding: [1, bad, 2]), 3)
            for name in ["mean", "variance"] {
                let reading = try #require(readings[name])
                #expect(
                    reading.isSpoilt && reading.value == nil && reading.interval == nil && !reading.varies, "\(name)")
            }
        }
        // The number is small enough for the sum, but its square is too large.
        let large = try #require(read(Everything(adding: [1, 1e10]), 2)["mean"])
        #expect(large.isSpoilt && large.value == nil)
        let twice = try share(6, 5)
        #expect(twice.isSpoilt && twice.value == nil && twice.interval == nil && !twice.varies)
    }

    @Test func noReadingIsInfiniteOrUndefined() throws {
        for seed in 0..<200 as Range<UInt64> {
            var random = stream(seed, 60)
            let slots = (0..<Everything.layout.slots).map { _ in
                [0, 1, .max, 1 << 63, random.next64()][random.below(5)]
            }
            for (name, reading) in try read(Everything(slots: slots), random.coin() ? 0 : random.next64()) {
                let ends = reading.interval ?? 0...0
                let numbers = [reading.value ?? 0, ends.lowerBound, ends.upperBound]
                #expect(numbers.allSatisfy { $0.isFinite }, "\(name), seed \(seed)")
            }
        }
        #expect(try #require(read(Everything(adding: [-1]), 1)["logarithm"]).value == nil)
        #expect(try #require(read(Everything(adding: [0]), 1)["logarithm"]).value == nil)
    }
}
