import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckCommand

/// A solution is found again only for the very search that it belongs to.
@Suite struct SolutionsTests {
    private let tsp = catalogue.first { $0.name == "tsp" }

    private func table(_ numbers: [Double]) -> Table { Table(rows: numbers.count / 2, columns: 2, numbers: numbers) }

    @Test func aSolutionNeedsTheTablesOfItsSearch() throws {
        let tsp = try #require(tsp)
        let (own, other) = ([table([0, 0, 3, 0, 3, 4, 0, 4])], [table([0, 0, 1, 0, 1, 1, 0, 1])])
        let experiment = try tsp.experiment(parameters: tsp.standardParameters, tables: own, seed: 0)
        #expect(Solutions.search(of: experiment, .init(simulation: tsp, tables: own)) != nil)
        #expect(Solutions.search(of: experiment, .init(simulation: tsp, tables: other)) == nil)
        #expect(Solutions.search(of: experiment, nil) == nil)
    }

    @Test func aBuiltInSearchWithoutTablesIsKnownEverywhere() throws {
        let tsp = try #require(tsp)
        var parameters = tsp.standardParameters
        parameters[0] = 4
        let experiment = try tsp.experiment(parameters: parameters, seed: 0)
        let search = try #require(try tsp.prepared(parameters).search)
        let chunk = search.run(ChunkRequest(seed: 0, blocks: 0..<SearchSpace.points, trials: nil)) { false }
        let result = JobResult(
            spec: JobSpec(JobRecipe(experiment: experiment, goal: Goal(trials: SearchSpace.points))),
            trials: SearchSpace.points,
            tally: chunk.slots, readings: [], completion: .trials, elapsed: .zero, nodes: [])
        let solutions = Solutions()
        let octets = try #require(solutions.octets(of: result, JobID(1)))
        #expect(solutions.latest(of: JobID(1)) == octets && solutions.pictures[JobID(1)]?.points.count == 5)
        solutions.forget(JobID(1))
        #expect(solutions.latest(of: JobID(1)) == nil && solutions.pictures.isEmpty)
    }
}
