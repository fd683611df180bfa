import PotluckCatalogue
import PotluckCore
import PotluckKit
import Testing

@testable import Potluck

@Suite struct LocalSweepTests {
    private func simulation(_ name: String) throws -> AnySimulation {
        try #require(catalogue.first { $0.name == name })
    }

    private func results(_ sweep: LocalSweep) async -> (results: [Int: JobResult], failed: [Int]) {
        var (results, failed): ([Int: JobResult], [Int]) = ([:], [])
        for await news in sweep.news {
            switch news {
            case .ended(let index, let result): results[index] = result
            case .failed(let index, _): failed.append(index)
            case .progress: break
            }
        }
        return (results, failed)
    }

    /// Many points, of all lengths, have the results of single runs on any number of cores.
    @Test(arguments: [1, 2, 5]) func eachPointIsARun(cores: Int) async throws {
        let monty = try simulation("monty-hall")
        var random = SeededGenerator(seed: UInt64(cores))
        let points = (0..<40).map { index in
            LocalSweep.Point(
                parameters: [UInt64(3 + index), 1], seed: random.next(),
                goal: index % 5 == 0
                    ? Goal(precision: .absolute(0.01)) : Goal(trials: 1 + random.next(below: 300_000)))
        }
        let all = await results(try LocalSweep(monty, points, cores: cores))
        #expect(all.failed.isEmpty && all.results.count == points.count)
        for (index, point) in points.enumerated() {
            let single = try await LocalRun(
                monty, parameters: point.parameters, seed: point.seed, goal: point.goal, cores: 1
            ).result
            let result = try #require(all.results[index])
            #expect(result.digest == single.digest && result.trials == single.trials)
            #expect(result.nodes.count == 1)
        }
    }

    @Test func aPointThatCannotBeComputedEndsTheSweep() async throws {
        let monty = try simulation("monty-hall")
        let good = LocalSweep.Point(parameters: [3, 1], seed: 1, goal: Goal(trials: 1000))
        let bad = LocalSweep.Point(parameters: [2, 1], seed: 1, goal: Goal(trials: 1000))
        let all = await results(try LocalSweep(monty, [good, bad, good], cores: 1))
        #expect(all.failed == [1] && all.results[2] == nil)
        #expect(await results(try LocalSweep(monty, [], cores: 1)).results.isEmpty)
    }

    @Test func aStoppedSweepEnds() async throws {
        let point = LocalSweep.Point(parameters: [3, 1], seed: 1, goal: Goal(trials: Goal.mostTrials))
        let sweep = try LocalSweep(try simulation("monty-hall"), [point, point], cores: 2)
        var ended = false
        for await news in sweep.news {
            if case .progress = news { sweep.stop() }
            if case .ended = news { ended = true }
        }
        #expect(!ended)
    }
}
