import Foundation
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
            case .progress, .stopped: break
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

    /// A sweep that goes round by round is stopped and continued several times, on different numbers of cores. Each time
    /// its points have what they had and more, and at the end they have the results of single runs.
    @Test(arguments: [Goal(trials: 20_000_001), Goal(precision: .absolute(0.0002))])
    func aSweepInRoundsIsContinued(_ goal: Goal) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-sweep-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (runs, id) = (KeptRuns(in: folder, modules: nil), JobID(77))
        let monty = try simulation("monty-hall")
        let points = (0..<3).map { LocalSweep.Point(parameters: [3 + $0, 1], seed: 5 + $0, goal: goal) }
        var ended: [Int: JobResult] = [:]
        var trials: [Int: UInt64] = [:]
        var keeper = RunKeeper("monty-hall", module: nil, sweep: id, passing: .zero) { runs }
        for round in 0..<20 where ended.count < points.count {
            let sweep = try LocalSweep(
                monty, points, todo: points.indices.filter { ended[$0] == nil }, cores: 1 + round % 3, inRounds: true,
                keeper: keeper)
            for await news in sweep.news {
                switch news {
                case .progress(let index, let snapshot):
                    if round < 6, snapshot.trials > trials[index] ?? 0 { sweep.stop() }
                case .stopped(let index, let result):
                    #expect(result.completion == .stopped && result.trials >= trials[index] ?? 0)
                    trials[index] = result.trials
                case .ended(let index, let result): ended[index] = result
                case .failed(_, let why): Issue.record("\(why)")
                }
            }
            let end = keeper.end(isOver: ended.count == points.count)
            guard ended.count < points.count else { break }
            // A single run cannot be resumed from it.
            #expect(runs.ids.isEmpty)
            if case .kept(let kept) = end { #expect(kept == id) }
            keeper =
                try runs.open(sweep: id)
                ?? RunKeeper("monty-hall", module: nil, sweep: id, passing: .zero) { runs }
            #expect(keeper.unfinishedJobs.count <= points.count - ended.count)
        }
        #expect(!trials.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        for (index, point) in points.enumerated() {
            let single = try await LocalRun(
                monty, parameters: point.parameters, seed: point.seed, goal: point.goal, cores: 2
            ).result
            let result = try #require(ended[index])
            #expect(result.digest == single.digest && result.course == single.course)
        }
    }

    /// More points than go together are all computed.
    @Test func manyPointsGoInRounds() async throws {
        let monty = try simulation("monty-hall")
        let points = (0..<40).map { LocalSweep.Point(parameters: [3 + $0, 1], seed: $0, goal: Goal(trials: 400_000)) }
        let all = await results(try LocalSweep(monty, points, cores: 2, inRounds: true))
        #expect(all.failed.isEmpty && all.results.count == points.count)
        #expect(all.results.values.allSatisfy { $0.trials == 400_000 && $0.completion == .trials })
    }
}
