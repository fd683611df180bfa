import Foundation
import PotluckKit
import Testing

@Suite struct SeriesTests {
    /// A walk whose steps are skewed.
    private struct Walk: Simulation {
        static let name: StaticString = "walk"
        static let summary: StaticString = "Walks."

        struct Tally: SimulationTally {
            var place = Series<4>()
            mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("place", &place) }
        }

        func trial(_ random: inout RandomStream, _ tally: inout Tally) {
            var place = 0.0
            for time in 0..<4 {
                place += random.exponential()
                tally.place.add(time, place)
            }
        }

        static var readings: [ReadingRule<Walk>] { series("place") { $0.place } }
    }

    private static let layout = TallyLayout(of: Walk.Tally.self)

    private func read(_ tally: Walk.Tally, _ trials: Int) throws -> Reading {
        let prepared = try AnySimulation(Walk.self, source: "").prepared([])
        return prepared.read(tally.slots(Self.layout.slots), UInt64(trials))[0]
    }

    /// Each time has the moments that its numbers have alone, slot by slot.
    @Test func aSeriesIsMomentsForEachTime() throws {
        for seed in 0..<2000 as Range<UInt64> {
            var random = stream(seed, 97)
            var (together, alone) = (Walk.Tally(), [Moments](repeating: Moments(), count: 4))
            for number in numbers(random.below(60), &random, wild: seed % 2 == 0) {
                let time = random.below(4)
                if random.coin() {
                    together.place.add(time, number)
                    alone[time].add(number)
                } else {
                    let whole = random.integer(in: -1_000_000...1_000_000)
                    together.place.add(time, whole)
                    alone[time].add(whole)
                }
            }
            #expect((0..<4).allSatisfy { together.place[$0] == alone[$0] }, "seed \(seed)")
            let slots = together.slots(Self.layout.slots)
            #expect(slots.count == 44 && Walk.Tally(slots: slots).place == together.place)
        }
    }

    @Test func theReadingIsACurve() throws {
        var tally = Walk.Tally()
        for x in [1.0, 2, 3, 4] {
            tally.place.add(0, x)
            tally.place.add(1, 7.0)
        }
        tally.place.add(2, 5.0)
        let reading = try read(tally, 4)
        #expect(reading.kind == .series && reading.value == nil && reading.range == 0...3 && !reading.isSpoilt)
        #expect(reading.curve.map(\.time) == [0, 1, 2, 3] && reading.curve.map(\.value) == [2.5, 7, 5, nil])
        // R: t.test(1:4)
        let band = try #require(reading.curve[0].interval)
        #expect((band.lowerBound - 0.4457397).magnitude < 1e-6 && (band.upperBound - 4.5542603).magnitude < 1e-6)
        // Numbers that are all alike tell nothing about how far off they are.
        #expect(reading.curve[1...].allSatisfy { $0.interval == nil })
        tally.place.add(3, .nan)
        #expect(try read(tally, 4).isSpoilt)
    }

    /// The band holds at each time, not for the whole curve at once.
    @Test(arguments: Coverage.trials) func theBandCoversAsOftenAsItSays(trials: Int) throws {
        var hits = [Int](repeating: 0, count: 4)
        for run in 0..<Coverage.runs {
            var random = stream(UInt64(run), 98)
            var tally = Walk.Tally()
            for _ in 0..<trials { Walk().trial(&random, &tally) }
            for (time, point) in try read(tally, trials).curve.enumerated() {
                if try #require(point.interval).contains(Double(time + 1)) { hits[time] += 1 }
            }
        }
        for (time, hits) in hits.enumerated() {
            #expect(Coverage.isFine(hits, "series at time \(time)", trials), "\(time): \(hits)")
        }
    }
}
