import Foundation
import PotluckCatalogue
import PotluckCore
import Testing

@testable import PotluckKit

/// The local improvement of `tsp`, and what its search makes of tables that rounding and ties make difficult.
@Suite struct TourTests {
    /// Distances for which moves that change nothing seem to gain.
    private static let five: [Double] = [
        0, 0x1p53, 1, 2, 0x1p54, 0x1p53, 0, 1, 2, 0x1p53, 1, 1, 0, 2, 1, 2, 2, 2, 0, 2, 0x1p54, 0x1p53, 1, 2, 0,
    ]

    private static func passes(_ count: Int, _ distances: [Double]) -> Int {
        let nearest = (0..<count).flatMap { a in
            (0..<count).filter { $0 != a }.sorted { distances[a * count + $0] < distances[a * count + $1] }.map(
                Int32.init)
        }
        return (0..<count).reduce(0) { most, start in
            var tour = Tour(count: count, distances: distances)
            tour.begin(start, nearest)
            return max(most, tour.improve().passes)
        }
    }

    /// Distances of that many cities, the same in both directions.
    private static func table(_ count: Int, _ draw: (inout SeededGenerator) -> Double, seed: UInt64) -> [Double] {
        var generator = SeededGenerator(seed: seed)
        var distances = [Double](repeating: 0, count: count * count)
        for a in 0..<count {
            for b in 0..<a {
                distances[a * count + b] = draw(&generator)
                distances[b * count + a] = distances[a * count + b]
            }
        }
        return distances
    }

    private static func draw(_ kind: Int) -> (inout SeededGenerator) -> Double {
        { generator in
            let (sort, number) = (generator.next(below: 4), Double(generator.next(below: 5)))
            return switch (kind, sort) {
            case (0, _): number
            case (1, 0): 0x1p53 + number - 2
            case (1, 1): 0x1p54
            case (1, _): number
            case (2, _): 0x1p52 + number / 2
            case (3, 0): 1e100
            case (3, 1): 1e100 / 3
            case (3, _): number * 1e84
            case (4, _): 1 / 3
            default: number / 10 + 0x1p50
            }
        }
    }

    /// Each pass but the last makes the trip shorter, so there are few.
    @Test func improvingEnds() {
        #expect(Self.passes(5, Self.five) < 20)
        for seed in 0..<3000 as Range<UInt64> {
            let (count, kind) = (4 + Int(seed % 7), Int(seed / 7 % 6))
            #expect(Self.passes(count, Self.table(count, Self.draw(kind), seed: seed)) < 100, "seed \(seed)")
        }
    }

    private func orders(_ rest: [Int]) -> [[Int]] {
        rest.isEmpty
            ? [[]] : rest.flatMap { first in orders(rest.filter { $0 != first }).map { [first] + $0 } }
    }

    /// The search finds the shortest of all round trips, however close and however large the distances are.
    @Test func theBestIsTheBest() throws {
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        for seed in 0..<120 as Range<UInt64> {
            let (count, kind) = (4 + Int(seed % 3), Int(seed / 3 % 6))
            let distances = seed == 0 ? Self.five : Self.table(count, Self.draw(kind), seed: seed)
            let cities = seed == 0 ? 5 : count
            let prepared = try tsp.prepared(
                tsp.standardParameters, tables: [Table(rows: cities, columns: cities, numbers: distances)])
            let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
            let found = try #require(prepared.read(reply.slots, SearchSpace.points).first?.value)
            let least = try #require(
                orders(Array(1..<cities)).map { order in
                    zip([0] + order, order + [0]).reduce(0) { $0 + distances[$1.0 * cities + $1.1] }
                }.min())
            #expect(found <= least * (1 + 1e-9), "seed \(seed): \(found), not \(least)")
        }
    }

    @Test func aNumberThatMayOverflowIsRefused() throws {
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        for numbers in [[0, 1e300, 1e300, 0], [1e300, 2, 1, 2]] {
            #expect(throws: ParameterError.self) {
                try tsp.prepared(
                    tsp.standardParameters, tables: [Table(rows: 2, columns: 2, numbers: numbers)])
            }
        }
    }
}
