import Foundation
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import Synchronization
import Testing

@Suite struct LocalRunTests {
    private func simulation(_ name: String) throws -> AnySimulation {
        try #require(catalogue.first { $0.name == name })
    }

    private func run(_ name: String, seed: UInt64, goal: Goal, cores: Int) async throws -> JobResult {
        let simulation = try simulation(name)
        return try await LocalRun(
            simulation, parameters: simulation.standardParameters, seed: seed, goal: goal, cores: cores
        ).result
    }

    @Test func theDigestIsTheSameForEveryNumberOfCores() async throws {
        for trials: UInt64 in [1, 15, 17, 65_537, 3_000_001] {
            var digests: Set<String> = []
            for cores in [1, 2, 3, 7] {
                digests.insert(try await run("monty-hall", seed: 8, goal: Goal(trials: trials), cores: cores).digest)
            }
            #expect(digests.count == 1)
        }
    }

    @Test func aPreciseRunStopsAtTheSameTrialsForEveryNumberOfCores() async throws {
        var results: [JobResult] = []
        for cores in [1, 2, 3, 7] {
            results.append(try await run("pi", seed: 3, goal: Goal(precision: .absolute(0.002)), cores: cores))
        }
        #expect(results.allSatisfy { $0.trials == results[0].trials && $0.digest == results[0].digest })
        #expect(results[0].completion == .precision)
    }

    /// Returns a simulation that fails as a plugin can: blocks from `block` on cannot be computed, or the tally cannot
    /// be read.
    private func failing(from block: UInt64, readable: Bool) throws -> AnySimulation {
        let pi = try simulation("pi")
        let prepared = try pi.prepared([])
        let failure = SimulationFailure("pi: no more", block: block)
        let failing = PreparedSimulation(
            parameters: [], blockSize: prepared.blockSize, layout: pi.layout,
            run: { request, shouldStop in
                let end = max(request.blocks.lowerBound, min(block, request.blocks.upperBound))
                let good = ChunkRequest(
                    seed: request.seed, blocks: request.blocks.lowerBound..<end, trials: request.trials)
                var reply = prepared.run(good, shouldStop)
                if reply.end == end, end < request.blocks.upperBound { reply.failure = failure }
                return reply
            },
            read: { slots, trials in readable ? .success(prepared.read(slots, trials)) : .failure(failure) })
        return AnySimulation(
            name: "pi", summary: "", source: pi.source, parameters: [], layout: pi.layout, readings: pi.readings
        ) { _, _ in .success(failing) }
    }

    @Test(arguments: [1, 2, 3]) func aSimulationThatFailsEndsItsRun(_ cores: Int) async throws {
        for (block, readable) in [(0, true), (40, true), (UInt64.max, false)] as [(UInt64, Bool)] {
            let run = try LocalRun(
                failing(from: block, readable: readable), parameters: [], seed: 4, goal: Goal(trials: 1 << 26),
                cores: cores)
            let failure = await #expect(throws: JobError.self) { try await run.result }
            #expect(failure?.description.hasSuffix("pi: no more") == true)
            let failed = failure?.failure.block
            #expect(readable ? failed.map { $0.block >= block } == true : failed == nil)
        }
    }

    /// Returns a simulation that spoils each reply about a chunk that ends after block 40.
    private func misfitting(_ spoil: @escaping @Sendable (inout ChunkReply) -> Void) throws -> AnySimulation {
        let pi = try simulation("pi")
        let prepared = try pi.prepared([])
        let misfitting = PreparedSimulation(
            parameters: [], blockSize: prepared.blockSize, layout: pi.layout,
            run: { request, shouldStop in
                var reply = prepared.run(request, shouldStop)
                if request.blocks.upperBound > 40 { spoil(&reply) }
                return reply
            },
            read: { slots, trials in .success(prepared.read(slots, trials)) })
        return AnySimulation(
            name: "pi", summary: "", source: pi.source, parameters: [], layout: pi.layout, readings: pi.readings
        ) { _, _ in .success(misfitting) }
    }

    private static let misfits: [(@Sendable (inout ChunkReply) -> Void, String)] = [
        ({ $0.slots.append(0) }, "its tally has 2 slots instead of 1"),
        ({ $0.slots.removeLast() }, "its tally has 0 slots instead of 1"),
        ({ $0.end += 1 }, "it returned blocks that it was not given"),
        ({ $0.end = 0 }, "it returned blocks that it was not given"),
        ({ $0.outputs.append([1]) }, "it wrote 1 blocks instead of 0"),
        ({ $0.failure = SimulationFailure("no more") }, "no more"),
    ]

    @Test(arguments: misfits.indices) func aReplyThatDoesNotFitEndsItsRun(_ index: Int) async throws {
        let (spoil, why) = Self.misfits[index]
        let run = try LocalRun(
            misfitting(spoil), parameters: [], seed: 4, goal: Goal(trials: 1 << 26), cores: 2)
        let failure = await #expect(throws: JobError.self) { try await run.result }
        #expect(failure?.description.hasSuffix(why) == true, "\(failure?.description ?? "")")
    }

    /// The simulation is prepared once for the order, and again by each bench that computes it. This succeeds `good`
    /// times.
    @Test(arguments: [1, 2]) func aSimulationThatIsNotReadyAnyMoreEndsItsRun(_ good: Int) async throws {
        let pi = try simulation("pi")
        let prepared = try pi.prepared([])
        let asked = Mutex(0)
        let fickle = AnySimulation(
            name: "pi", summary: "", source: pi.source, parameters: [], layout: pi.layout, readings: pi.readings
        ) { _, _ in
            let isGood = asked.withLock { asked in
                asked += 1
                return asked <= good
            }
            return isGood ? .success(prepared) : .failure(.failed(SimulationFailure("pi: no more")))
        }
        let run = try LocalRun(fickle, parameters: [], seed: 4, goal: Goal(trials: 1 << 20), cores: 2)
        let failure = await #expect(throws: JobError.self) { try await run.result }
        #expect(failure?.description == "pi: no more")
    }

    @Test func aStoppedRunIsThatOfItsTrials() async throws {
        let simulation = try simulation("pi")
        let run = try LocalRun(simulation, parameters: [], seed: 4, goal: Goal(), cores: 2)
        for await snapshot in run.snapshots where snapshot.trials > 0 {
            run.stop()
            break
        }
        let stopped = try await run.result
        #expect(stopped.completion == .stopped && stopped.trials > 0)
        let again = try await self.run("pi", seed: 4, goal: Goal(trials: stopped.trials), cores: 1)
        #expect(again.digest == stopped.digest)
    }

    @Test func parametersThatDoNotGoTogetherAreRefused() throws {
        let simulation = try simulation("monty-hall")
        let goal = Goal(trials: 1)
        #expect(throws: ParameterError.outOfRange(0)) {
            try LocalRun(simulation, parameters: [2, 1], seed: 1, goal: goal, cores: 1)
        }
        #expect(throws: ParameterError.wrongCount) {
            try LocalRun(simulation, parameters: [3], seed: 1, goal: goal, cores: 1)
        }
        #expect(throws: ParameterError.self) {
            try LocalRun(simulation, parameters: [3, 2], seed: 1, goal: goal, cores: 1)
        }
    }

    /// The digest is what `sha256sum` prints for the same bytes.
    @Test func theDigestIsTheHashOfTheResultsBytes() async throws {
        let result = try await run("pi", seed: 1, goal: Goal(trials: 100), cores: 1)
        #expect(result.digestInput.starts(with: Array("potluck result 1\n".utf8)))
        #expect(result.digest.count == 64)
        let other = try await run("pi", seed: 2, goal: Goal(trials: 100), cores: 1)
        #expect(other.digest != result.digest)
    }

    /// A run that is stopped and resumed several times, on different numbers of cores, gives the same result as one
    /// that was never stopped. The trials of its nodes add up to its trials.
    @Test(arguments: [Goal(trials: 90_000_001), Goal(precision: .absolute(0.0004))])
    func aStoppedRunIsResumed(_ goal: Goal) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-kept-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let runs = KeptRuns(in: folder, modules: nil)
        let pi = try simulation("pi")
        let whole = try await run("pi", seed: 9, goal: goal, cores: 2)
        var keeper = RunKeeper("pi", module: nil, passing: .zero) { runs }
        var current = try LocalRun(pi, parameters: [], seed: 9, goal: goal, cores: 2, keeper: keeper)
        var trials: UInt64 = 0
        for round in 0..<8 {
            if round < 7 {
                // In even rounds, stops after the first snapshot that shows progress; in odd rounds, at once.
                if round % 2 == 0 { for await picture in current.snapshots where picture.trials > trials { break } }
                current.stop()
            }
            let result = try await current.result
            #expect(result.nodes.reduce(0) { $0 + $1.trials } == result.trials)
            #expect(result.nodes.count <= 1)
            guard result.completion == .stopped else {
                #expect(result.digest == whole.digest && result.completion == whole.completion)
                #expect(keeper.end(isOver: true) == .nothing && runs.ids.isEmpty)
                return
            }
            guard case .kept(let id) = keeper.end(isOver: false) else {
                Issue.record("it is not kept")
                return
            }
            #expect(runs.ids == [id])
            let opened = try #require(try runs.open(id))
            #expect(opened.left.trials >= trials)
            trials = opened.left.trials
            keeper = opened.keeper
            // While the run is open, nobody else can open or forget it.
            #expect(throws: StoreError.self) { try runs.open(id) }
            #expect(throws: StoreError.self) { try runs.forget(id) }
            current = try LocalRun(pi, resuming: keeper, cores: 1 + round % 3)
        }
        Issue.record("it never ended")
    }
}
