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
        /// What is said of each leg, and last of the whole.
        let legs: [String]
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
            places: lines.dropFirst().compactMap { words in
                guard words.count == 2, let x = Double(words[0]), let y = Double(words[1]) else { return nil }
                return (y, x)
            }.dropLast(),
            legs: lines.dropFirst().filter { $0.last == "km" }.map { $0.joined(separator: " ") },
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

    /// Each leg has the names of its airports and its kilometres.
    @Test func aLegHasItsNamesAndKilometres() throws {
        let route = try route(tsp.parameters[place].slot(of: "LHR,JFK,SYD"))
        #expect(route.legs.count == 4 && route.legs[0].hasPrefix("JFK New York Kennedy – "))
        let kilometres = route.legs.compactMap { Int($0.split(separator: " ").dropLast().last ?? "") }
        #expect(kilometres.count == 4 && (kilometres[..<3].reduce(0, +) - kilometres[3]).magnitude <= 2)
        #expect((Double(kilometres[3]) - route.length).magnitude <= 1 && route.legs[3].hasPrefix("in all: "))
        #expect(route.legs.contains { $0.contains("LHR London Heathrow – ") && $0.contains(": ") })
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
