import Foundation
import PotluckKit
import Testing

@testable import PotluckScreen

/// An exponential number with a mean that is a parameter.
private struct Wait: Simulation {
    static let name: StaticString = "wait"
    static let summary: StaticString = "how long?"

    @Parameter("mean", "mean wait", in: 1...4) var mean = 1.0

    struct Tally: SimulationTally {
        var wait = Moments(), spread = Quantiles(), long = Count()
        mutating func visit(_ visitor: inout some TallyVisitor) {
            visitor.field("wait", &wait)
            visitor.field("spread", &spread)
            visitor.field("long", &long)
        }
    }

    func trial(_ random: inout RandomStream, _ tally: inout Tally) {
        let wait = random.exponential(mean: mean)
        tally.wait.add(wait)
        tally.spread.add(wait)
        tally.long.add(wait > 40 * mean)
    }

    static var readings: [ReadingRule<Wait>] {
        Self.mean("wait", { $0.wait }, exact: { $0.mean })
        median("median", { $0.spread })
        derived("square", { _, tally, _ in tally.wait.mean.map { $0 * $0 } }, exact: { $0.mean * $0.mean })
        proportion("long", { $0.long })
        histogram("all", { _ in Histogram<2>(from: 0, to: 1) })
    }
}

@Suite struct DifferenceTests {
    private static let simulation = AnySimulation(Wait.self, source: "")
    private static let groups = 32

    /// The group's tallies of a setting.
    private func tallies(
        mean: Double, seed: UInt64, trials: UInt64
    ) throws -> (tallies: [[UInt64]], prepared: PreparedSimulation) {
        let prepared = try Self.simulation.prepared([mean.bitPattern])
        let tallies = (0..<Self.groups).map { group in
            let request = ChunkRequest(seed: seed &* 64 &+ UInt64(group), blocks: 0..<1, trials: trials)
            return prepared.run(request, { false }).slots
        }
        return (tallies, prepared)
    }

    private func differences(
        _ first: Double, _ second: Double, seeds: (UInt64, UInt64), trials: UInt64
    ) throws -> [PairedDifference] {
        let readings = try [(first, seeds.0), (second, seeds.1)].map { mean, seed in
            let (tallies, prepared) = try tallies(mean: mean, seed: seed, trials: trials)
            return try GroupedReadings(tallies, trials: trials, of: prepared)
        }
        return PairedDifference.all(readings[0], readings[1]).map(\.1)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func aMeansIntervalIsStudentsOfTheGroups(seed: UInt64) throws {
        let trials: UInt64 = 40
        let found = try differences(1, 3, seeds: (seed, seed), trials: trials)[0]
        var groups = Moments()
        let (first, second) = (
            try tallies(mean: 1, seed: seed, trials: trials), try tallies(mean: 3, seed: seed, trials: trials)
        )
        for (one, other) in zip(first.tallies, second.tallies) {
            let before = first.prepared.read(one, trials)[0].value
            let after = second.prepared.read(other, trials)[0].value
            groups.add(try #require(after) - (try #require(before)))
        }
        let (value, half) = (try #require(groups.mean), try #require(groups.halfWidth))
        #expect(abs(try #require(found.reading.value) - value) < 1e-12 * value)
        #expect(abs(try #require(found.reading.halfWidth) - half) < 1e-9 * half)
        #expect(found.reading.exact == 2)
    }

    /// Waits of mean 3 are three times those of mean 1 with the same numbers, so the errors of the difference are twice
    /// those of the first: the unpaired ones are √10 of them.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theGainIsTheQuotientOfVariances(seed: UInt64) throws {
        let found = try differences(1, 3, seeds: (seed, seed), trials: 200)
        #expect(abs(try #require(found[0].gain) - 2.5) < 1e-9)
        let (paired, unpaired) = (
            try #require(found[1].reading.halfWidth), try #require(found[1].unpairedHalfWidth)
        )
        #expect(abs(try #require(found[1].gain) - (unpaired / paired) * (unpaired / paired)) < 1e-9)
    }

    @Test func equalSettingsDifferByNothing() throws {
        let found = try differences(2, 2, seeds: (5, 5), trials: 100)
        for difference in found.prefix(3) {
            #expect(difference.reading.value == 0 && difference.reading.halfWidth == 0 && difference.reading.varies)
            #expect(try #require(difference.unpairedHalfWidth) > 0 && difference.gain == nil)
        }
    }

    /// What never happened says nothing of how often it happens.
    @Test func trialsThatWereAllAlikeHaveNoInterval() throws {
        let found = try differences(1, 2, seeds: (5, 5), trials: 16)
        #expect(found.count == 4)
        #expect(found[3].reading.value == 0 && found[3].reading.shownInterval == nil && !found[3].reading.varies)
        #expect(found[3].unpairedHalfWidth == nil && found[3].gain == nil)
    }

    /// `POTLUCK_COVERAGE=4000` makes more runs, and prints the table of docs/SWEEPS.md.
    @Test(arguments: [true, false])
    func theIntervalContainsTheTruthAsOftenAsItSays(isPaired: Bool) throws {
        let asked = ProcessInfo.processInfo.environment["POTLUCK_COVERAGE"].flatMap { Int($0) }
        let runs = asked ?? 400
        // Those of each setting.
        for trials in asked == nil ? [1984] : [192, 1984, 19_968] {
            // The buckets of quantiles are about as wide as the errors of a paired difference.
            let truths: [(name: String, value: Double, slack: Double)] = [
                ("wait", 0.5, 0.005), ("median", 0.5 * 0.6931471805599453, 0.05), ("square", 1.25, 0.005),
            ]
            var hits = [0, 0, 0]
            for run in 0..<UInt64(runs) {
                let seeds = (run, isPaired ? run : run &+ 1_000_000)
                let found = try differences(1, 1.5, seeds: seeds, trials: UInt64(trials / Self.groups))
                for (place, truth) in truths.enumerated() {
                    let interval = try #require(found[place].reading.interval)
                    hits[place] += interval.contains(truth.value) ? 1 : 0
                }
            }
            for (truth, hits) in zip(truths, hits) {
                let share = Double(hits) / Double(runs)
                if asked != nil { print("coverage of \(truth.name), paired \(isPaired), \(trials) trials: \(share)") }
                // Four standard errors, and some for what is only true of infinitely many trials.
                let bound = 4 * (0.0475 / Double(runs)).squareRoot() + truth.slack
                #expect(abs(share - 0.95) < bound, "\(truth.name): \(share)")
            }
        }
    }

    @Test func theTableHasTheFirstSettingWithoutADifference() throws {
        let (tallies, prepared) = try tallies(mean: 1, seed: 1, trials: 100)
        let (others, second) = try self.tallies(mean: 2, seed: 1, trials: 100)
        let (one, other) = (
            try GroupedReadings(tallies, trials: 100, of: prepared),
            try GroupedReadings(others, trials: 100, of: second)
        )
        let view = DifferenceView(
            [
                .init(name: "mean=1", readings: one.all, differences: []),
                .init(name: "mean=2", readings: other.all, differences: PairedDifference.all(one, other)),
            ], places: [0, 3])
        let canvas = Canvas(columns: 100, unicode: true, colour: false)
        let lines = view.lines("wait", on: canvas).map { $0.rendered(on: canvas) }
        #expect(lines[0] == "wait" && lines.count == 7)
        #expect(
            lines[2].split(separator: " ")
                == [
                    "reading", "setting", "value", "difference", "±", "95", "%", "exact", "±", "unpaired", "variance",
                ])
        #expect(
            lines[3].split(separator: " ").prefix(2) == ["wait", "mean=1"] && lines[3].split(separator: " ").count == 3)
        // Twice the same numbers: the error of the difference is that of one of them.
        #expect(lines[4].hasSuffix("÷ 5.00"))
    }
}
