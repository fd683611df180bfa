import Foundation
import PotluckKit
import Testing

@Suite struct CountsTests {
    /// Throws of an unfair die with a rare side.
    private struct Die: Simulation {
        static let name: StaticString = "die"
        static let summary: StaticString = "Throws an unfair die."
        static let parts = [0.45, 0.25, 0.15, 0.1, 0.05]
        @Parameter("known", "whether exact answers are shown") var isKnown = true

        struct Tally: SimulationTally {
            var side = Counts<5>()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("side", &side) }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            let u = random.unit()
            tally.side.add(u < 0.45 ? 0 : u < 0.7 ? 1 : u < 0.85 ? 2 : u < 0.95 ? 3 : 4)
        }

        static var readings: [ReadingRule<Die>] {
            proportions(
                ["a", "b", "c", "d", "e"], { $0.side }, exact: { $0.isKnown ? [0.45, 0.25, 0.15, 0.1, 0.05] : nil })
        }
    }

    private static let layout = TallyLayout(of: Die.Tally.self)

    private func read(_ counts: [UInt64], known: UInt64 = 1) throws -> [Reading] {
        try AnySimulation(Die.self, source: "").prepared([known]).read(counts, counts.reduce(0, +))
    }

    @Test func eachCategoryHasAReading() throws {
        let readings = try read([450, 250, 150, 100, 50])
        #expect(readings.map(\.name) == ["a", "b", "c", "d", "e"] && readings.allSatisfy { $0.kind == .category })
        #expect(readings.map(\.value) == Die.parts && readings.map(\.exact) == Die.parts.map(Optional.some))
        #expect(try read([1, 0, 0, 0, 0], known: 0).allSatisfy { $0.exact == nil })
        #expect(try read([0, 0, 0, 0, 0]).allSatisfy { $0.value == nil && $0.interval == nil && !$0.isSpoilt })
    }

    /// Wilson's formula with the normal quantile for a tail of 0.5 %, 2.575829, computed by Python's `statistics`.
    @Test func intervalsAreGoodmans() throws {
        let readings = try read([56, 72, 73, 59, 62])
        for (reading, ends) in zip(
            readings,
            [
                (0.12623897576429347, 0.23475402232577167), (0.1697177603369863, 0.28864773328221177),
                (0.17247738139911029, 0.2919738931906586), (0.13428659311698135, 0.24496374788479622),
                (0.14238538199759887, 0.25512230191589114),
            ])
        {
            let interval = try #require(reading.interval)
            #expect((interval.lowerBound - ends.0).magnitude < 1e-12, "\(interval)")
            #expect((interval.upperBound - ends.1).magnitude < 1e-12, "\(interval)")
        }
    }

    /// A category that never came has an interval, on which a run may stop, unless all trials were alike.
    @Test func categoriesThatNeverCameVary() throws {
        let some = try read([600, 300, 99, 1, 0])
        #expect(some.allSatisfy(\.varies) && some[4].value == 0)
        #expect(try #require(some[4].interval).lowerBound == 0 && some[4].shownInterval != nil)
        #expect(try read([600, 0, 0, 0, 0]).allSatisfy { !$0.varies })
    }

    /// All intervals together contain the truth in 95 of 100 runs or slightly more: the sum of the five errors bounds theirs.
    @Test(arguments: Coverage.trials) func jointIntervalsCoverAsOftenAsTheySay(trials: Int) throws {
        let simulation = try AnySimulation(Die.self, source: "").prepared([1])
        var hits = 0
        for run in 0..<Coverage.runs {
            var random = stream(UInt64(run), 96)
            var tally = Die.Tally()
            for _ in 0..<trials { Die().trial(&random, &tally) }
            let readings = simulation.read(tally.slots(Self.layout.slots), UInt64(trials))
            if zip(readings, Die.parts).allSatisfy({ $0.interval?.contains($1) ?? false }) { hits += 1 }
        }
        #expect(Coverage.isFine(hits, "categories", trials), "\(hits)")
    }

    @Test func countsStayAtTheTop() throws {
        let most: [UInt64] = [.max, 7, 0, 0, 0]
        var sum = most
        Self.layout.merge(most, into: &sum)
        #expect(sum == [.max, 14, 0, 0, 0])
        #expect(try read([.max, .max, 0, 0, 0].map { $0 == 0 ? 0 : $0 / 4 })[0].value == 0.5)
    }
}
