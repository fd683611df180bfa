import Glibc
import PotluckCatalogue
import PotluckKit
import PotluckMachine

extension SpeedBench {
    /// With fewer cities a round is too short to measure.
    private static let cities = 12

    /// Compares the round trip by cost with the same algorithm in C: natively, and as a plugin. A trial is a node that
    /// was looked at, and all must look at the same nodes.
    mutating func compareSearch() {
        let others = Contestant.c("tour", in: references, slots: 2, setting: UInt32(Self.cities))
        compare("round trip by cost", search(builtIn("tsp", .plain), "Swift"), others, wanted: 0.8)
        withPlugin("round trip, sandbox", file: "Plugins/Tsp/Tsp.swift") { bench, plugin in
            bench.compare("round trip, sandbox", bench.search(plugin.simulation, "sandbox"), others, wanted: 0.6)
        }
    }

    private mutating func compare(_ what: String, _ ours: Contestant, _ others: [Contestant], wanted: Double) {
        let times = contest([ours] + others, blocks: 1, rounds: rounds)
        table.add(what, times, trials: Double(ours.run(0..<1)[1]), wanted: wanted)
    }

    /// Returns the length of the shortest round trip, as bits, and the number of nodes.
    private func search(_ simulation: AnySimulation, _ name: String) -> Contestant {
        var places: [Double] = []
        for city in 0..<Self.cities {
            places += [(city * 73 + 11) % 101, (city * city * 29 + 7) % 97].map { Double($0) }
        }
        guard let byCost = simulation.parameters.firstIndex(where: { "\($0.name)" == "bound" }) else {
            fail("tsp has no parameter bound")
        }
        let table = PotluckKit.Table(rows: Self.cities, columns: 2, numbers: places)
        var parameters = simulation.standardParameters
        parameters[byCost] = 0
        guard let search = try? simulation.prepared(parameters, tables: [table]).search else {
            fail("tsp does not take these cities")
        }
        let whole = SearchRequest(points: 0..<SearchSpace.points, path: [], bound: Best(), budget: .max)
        return Contestant(name: name) { _ in
            var found: [UInt64] = []
            let failure = search.walk { call in
                guard case .success(let reply) = call(whole) else { fail("the search fails") }
                found = [(Double.number(reply.best.key, .smaller) ?? .nan).bitPattern, reply.expanded]
            }
            if let failure { fail(failure.reason) }
            return found
        }
    }
}
