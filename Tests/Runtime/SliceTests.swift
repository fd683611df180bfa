import Foundation
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck

/// Slices of a job are together what the job is.
@Suite struct SliceTests {
    struct Job: CustomStringConvertible {
        let name: String
        var parameters: [String: String] = [:]
        var trials: UInt64?

        var description: String { name }
    }

    static let jobs = [
        Job(name: "monty-hall", trials: 20_000_001), Job(name: "option-price", trials: 300_000),
        Job(name: "birthday", trials: 100_000), Job(name: "primes", parameters: ["limit": "300000"]),
        Job(name: "golomb", parameters: ["marks": "7"]), Job(name: "tsp", parameters: ["cities": "8"]),
    ]

    private struct Prepared {
        let simulation: AnySimulation
        let parameters: [UInt64]
        let experiment: Experiment
        let goal: Goal

        init(_ job: Job) throws {
            simulation = try #require(catalogue.first { $0.name == job.name })
            parameters = try simulation.parameters.map {
                try $0.slot(of: job.parameters[$0.label] ?? $0.text(of: $0.standard))
            }
            experiment = try simulation.experiment(parameters: parameters, tables: [], seed: 5)
            goal = Goal(trials: try simulation.prepared(parameters).units ?? job.trials)
        }

        func run(_ slice: Range<UInt64>?, cores: Int, keeper: RunKeeper? = nil) throws -> LocalRun {
            try LocalRun(
                simulation, parameters: parameters, seed: 5, goal: Goal(trials: goal.trials, slice: slice),
                cores: cores, keeper: keeper)
        }

        func partial(
            _ slice: Range<UInt64>, _ result: JobResult, _ checkpoints: [SettledTally]
        ) throws -> PartialRun {
            try #require(
                PartialRun(
                    job: PartialRun.Job(experiment: experiment, goal: goal, typed: simulation.name),
                    number: ShardNumber(1, of: 1)!, slice: slice, tally: result.tally, checkpoints: checkpoints,
                    origin: PartialRun.Origin(host: "ana", cores: 1, startedAt: 0, elapsed: .zero)))
        }
    }

    /// Any cuts of a job into slices, computed on any number of cores, give its tally and its tallies at the
    /// checkpoints.
    @Test(arguments: jobs) func theyAreTheWhole(job: Job) async throws {
        let prepared = try Prepared(job)
        let whole = try prepared.run(nil, cores: 2)
        let (result, checkpoints) = (try await whole.result, await whole.checkpoints)
        let blocks = prepared.experiment.mostBlocks(of: prepared.goal)
        for seed in 0..<6 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let cuts = (0..<random.next(below: 5)).map { _ in random.next(below: blocks) }
            let borders = Set(cuts + [0, blocks]).sorted()
            var merge = PartialMerge(
                PartialRun.Job(experiment: prepared.experiment, goal: prepared.goal, typed: job.name),
                layout: prepared.simulation.layout)
            let slices = zip(borders, borders.dropFirst()).map { ($0..<$1, random.next()) }
            for (slice, _) in slices.sorted(by: { $0.1 < $1.1 }) {
                let part = try prepared.run(slice, cores: 1 + Int(random.next(below: 3)))
                let partial = try await part.result
                #expect(partial.trials == prepared.experiment.trials(in: slice, of: prepared.goal.trials))
                #expect(partial.completion == .trials)
                try merge.add(try prepared.partial(slice, partial, await part.checkpoints))
            }
            #expect(merge.missing(below: blocks) == [])
            #expect(merge.total.tally == result.tally && merge.total.trials == result.trials)
            #expect(merge.passed.last == SettledTally(blocks: blocks, tally: result.tally))
            let passed = merge.passed.filter { passed in checkpoints.contains { $0.blocks == passed.blocks } }
            #expect(passed == checkpoints)
        }
    }

    /// A slice that is stopped again and again continues where it was.
    @Test func aStoppedSliceIsResumed() async throws {
        let prepared = try Prepared(Job(name: "pi", trials: 1 << 30))
        let blocks = prepared.experiment.mostBlocks(of: prepared.goal)
        let slice = blocks / 3..<2 * blocks / 3
        let whole = try prepared.run(slice, cores: 2)
        let (wanted, checkpoints) = (try await whole.result, await whole.checkpoints)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("potluck-slice-\(getpid())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let runs = KeptRuns(in: folder, modules: nil)
        var keeper = RunKeeper("pi", module: nil, passing: .zero) { runs }
        var run = try prepared.run(slice, cores: 2, keeper: keeper)
        var trials: UInt64 = 0
        for round in 0..<8 {
            if round < 7 {
                if round % 2 == 0 { for await picture in run.snapshots where picture.trials > trials { break } }
                run.stop()
            }
            let result = try await run.result
            #expect(result.trials <= wanted.trials)
            guard result.completion == .stopped else {
                #expect(result.tally == wanted.tally && result.trials == wanted.trials)
                #expect(await run.checkpoints == checkpoints)
                _ = keeper.end(isOver: true)
                return
            }
            guard case .kept(let id) = keeper.end(isOver: false), let opened = try runs.open(id) else {
                Issue.record("it is not kept")
                return
            }
            #expect(opened.left.taken.order.goal.slice == slice)
            #expect(opened.left.trials >= trials && opened.left.trials <= wanted.trials)
            trials = opened.left.trials
            keeper = opened.keeper
            run = try LocalRun(prepared.simulation, resuming: keeper, cores: 1 + round % 3)
        }
        Issue.record("it never ended")
    }
}
