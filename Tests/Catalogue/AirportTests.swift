import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

/// The airports of `tsp`.
@Suite struct AirportTests {
    private struct Route {
        let names: [String]
        /// Latitude and longitude of each, in the order of the names.
        let places: [(latitude: Double, longitude: Double)]
        let length: Double
    }

    private let tsp: AnySimulation
    private let place: Int
    private let names: [String]

    init() throws {
        tsp = try #require(catalogue.first { $0.name == "tsp" })
        place = try #require(tsp.parameters.firstIndex { $0.label == "airports" })
        guard case .several(let names, _) = tsp.parameters[place].domain else { throw CocoaError(.coderInvalidValue) }
        self.names = names
    }

    private func route(_ slot: UInt64) throws -> Route {
        var slots = tsp.standardParameters
        slots[place] = slot
        let prepared = try tsp.prepared(slots)
        let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        let best = try #require(prepared.layout.best(in: reply.slots))
        let lines = String(decoding: try #require(prepared.search?.show(best)).octets, as: UTF8.self)
            .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return Route(
            names: lines[0],
            places: try lines.dropFirst().dropLast().map {
                (try #require(Double($0[1])), try #require(Double($0[0])))
            },
            length: try #require(prepared.read(reply.slots, SearchSpace.points).first?.value))
    }

    /// Great-circle kilometres by another formula, the angle between two vectors.
    private func distance(
        _ a: (latitude: Double, longitude: Double), _ b: (latitude: Double, longitude: Double)
    ) -> Double {
        func vector(_ place: (latitude: Double, longitude: Double)) -> [Double] {
            let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
            return [
                Foundation.cos(latitude) * Foundation.cos(longitude),
                Foundation.cos(latitude) * Foundation.sin(longitude), Foundation.sin(latitude),
            ]
        }
        return 6371 * Foundation.acos(min(1, zip(vector(a), vector(b)).reduce(0) { $0 + $1.0 * $1.1 }))
    }

    private func orders(_ rest: [Int]) -> [[Int]] {
        rest.isEmpty
            ? [[]] : rest.flatMap { first in orders(rest.filter { $0 != first }).map { [first] + $0 } }
    }

    @Test func thereAreSixtyFour() {
        #expect(names.count == 64 && names == names.sorted() && Set(names).count == 64)
        #expect(names.allSatisfy { $0.count == 3 && $0.allSatisfy { ("A"..."Z").contains($0) } })
    }

    /// Distances that anybody can look up.
    @Test(arguments: [
        ("LHR,JFK", 5540.0), ("SYD,SCL", 11340), ("NRT,LAX", 8752), ("JNB,PER", 8309), ("HKG,LHR", 9630),
        ("GRU,LIS", 7933),
    ])
    func twoAirportsAreFlownThereAndBack(_ pair: String, _ kilometres: Double) throws {
        let length = try route(tsp.parameters[place].slot(of: pair)).length
        #expect((length / 2 - kilometres).magnitude < 25, "\(pair): \(length / 2)")
    }

    /// Whatever airports are chosen, the route has each of them once, and none is shorter.
    @Test func theRouteIsTheShortest() throws {
        for seed in 0..<40 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var slot: UInt64 = 0
            while slot.nonzeroBitCount < 3 + Int(seed % 4) { slot |= 1 << generator.next(below: 64) }
            let route = try route(slot)
            #expect(route.names.sorted() == names.indices.filter { slot >> UInt64($0) & 1 == 1 }.map { names[$0] })
            let lengths = orders(Array(1..<route.places.count)).map { order in
                zip([0] + order, order + [0]).reduce(0) { $0 + distance(route.places[$1.0], route.places[$1.1]) }
            }
            #expect((try #require(lengths.min()) - route.length).magnitude < 1e-3, "seed \(seed)")
        }
    }
}
