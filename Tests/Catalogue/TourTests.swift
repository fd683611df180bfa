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

    /// Returns a search of random cities on a plane, or of a random table, and the distances.
    private static func search(_ count: Int, seed: UInt64) throws -> (PreparedSimulation, [Double]) {
        let tsp = try #require(catalogue.first { $0.name == "tsp" })
        guard seed % 2 == 0 else {
            let distances = table(count, draw(Int(seed / 2 % 6)), seed: seed)
            let file = Table(rows: count, columns: count, numbers: distances)
            return (try tsp.prepared(tsp.standardParameters, tables: [file]), distances)
        }
        var generator = SeededGenerator(seed: seed)
        let places = (0..<2 * count).map { _ in Double(generator.next(below: 1000)) }
        let distances = (0..<count * count).map { index in
            let (a, b) = (min(index / count, index % count), max(index / count, index % count))
            let (x, y) = (places[2 * b] - places[2 * a], places[2 * b + 1] - places[2 * a + 1])
            return (x * x + y * y).squareRoot()
        }
        let file = Table(rows: count, columns: 2, numbers: places)
        return (try tsp.prepared(tsp.standardParameters, tables: [file]), distances)
    }

    private static func order(_ shown: Output?) -> [Int] {
        let text = shown.map { String(decoding: $0.octets, as: UTF8.self) } ?? ""
        return text.prefix { $0 != "\n" }.split(separator: " ").compactMap { Int($0) }.map { $0 - 1 }
    }

    /// The search knows a round trip before it begins. It visits all cities once, its length is the sum of its legs, none
    /// is shorter than the best, and the result of the search is the same with it as without it.
    @Test func theStartIsARoundTrip() throws {
        for seed in 0..<300 as Range<UInt64> {
            // A table of two rows would be two places.
            let count = seed < 290 ? 2 + Int(seed % 2) + Int(seed / 2 % 6) : 60 + Int(seed) / 10
            let (prepared, distances) = try Self.search(count, seed: seed)
            let search = try #require(prepared.search)
            let order = Self.order(search.show(search.start))
            #expect(order.first == 0 && order.sorted() == Array(0..<count), "seed \(seed): \(order)")
            let length = zip(order, order.dropFirst() + [0]).reduce(0) { $0 + distances[$1.0 * count + $1.1] }
            #expect(search.start == Best(key: length.key, point: search.start.point), "seed \(seed)")
            guard count < 9 else { continue }
            let blocks = 0..<SearchSpace.points
            let (without, with) = (Best(), search.start)
            let results = [without, with].map { known in
                prepared.run(ChunkRequest(seed: 0, blocks: blocks, trials: nil, bound: SearchBound(known))) { false }
            }
            let bests = results.compactMap { prepared.layout.best(in: $0.slots) }
            #expect(bests.count == 2 && bests[1] <= search.start, "seed \(seed)")
            // Where rounding is coarse, bounds that hold within 10⁻⁹ may leave the start out.
            if seed % 2 == 0 { #expect(bests[0] == bests[1], "seed \(seed)") }
        }
    }

    /// A hundred cities have a round trip before a node is looked at, the same each time, which is not far from the best.
    @Test func aHundredCitiesHaveARoundTripAtOnce() throws {
        let (prepared, _) = try Self.search(100, seed: 8)
        let search = try #require(prepared.search)
        #expect(try Self.search(100, seed: 8).0.search?.start == search.start)
        #expect(Self.order(search.show(search.start)).count == 100)
        let length = try #require(
            prepared.read(SearchTally(search.start).slots(prepared.layout.slots), 0).first?.value)
        // Random places on a square have a best trip of about 0.7124 √(n A), and more near its border.
        #expect((7000..<9000).contains(length), "\(length)")
    }

    /// A coordinator proves the start by its own walk along the start branches, other solutions by a search that ends with
    /// them, and none that is not there.
    @Test func aStartIsProven() throws {
        let (prepared, _) = try Self.search(9, seed: 4)
        let start = try #require(prepared.search).start
        let whole = prepared.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        let best = try #require(prepared.layout.best(in: whole.slots))
        func proof(_ claim: Best) -> (found: Best?, isDone: Bool) {
            let reply = prepared.run(
                ChunkRequest(
                    seed: 0, blocks: claim.point..<claim.point + 1, trials: nil, bound: SearchBound(proving: claim))
            ) { false }
            return (prepared.layout.best(in: reply.slots), reply.end == claim.point + 1)
        }
        for claim in [start, best] { #expect(proof(claim) == (claim, true)) }
        for lie in [Best(key: best.key - 1, point: start.point), Best(key: best.key, point: best.point + 1)] {
            let (found, isDone) = proof(lie)
            #expect(isDone && found.map { $0.point == lie.point && $0 <= lie } != true)
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
