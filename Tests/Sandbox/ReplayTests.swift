import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// A failing block is run again until the failing trial is found.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .serialized) struct ReplayTests {
    private func plugin(_ name: String) throws -> Plugin {
        try Plugin(Made.simulation("Tests/Sandbox/Hostile/\(name).swift"), label: name)
    }

    @Test func theTrialIsTheOneThatFails() throws {
        let plugin = try plugin("Unlucky")
        let prepared = try plugin.simulation.prepared([])
        let reply = prepared.run(ChunkRequest(seed: 3, blocks: 0..<200, trials: nil)) { false }
        let block = try #require(reply.failure?.block)
        let replay = try Replay(of: plugin, parameters: [], seed: 3, block: block)
        let problem = try #require(replay.problem)
        // Without that trial the block succeeds, with it the block fails.
        for (trials, fails) in [(problem.trial, false), (problem.trial + 1, true)] {
            let result = plugin.worker.block(
                ModuleConfiguration(parameters: []), PluginWorker.Ready(blockSize: prepared.blockSize), seed: 3,
                block: block,
                trials: trials)
            guard case .failure = result else {
                #expect(!fails)
                continue
            }
            #expect(fails)
        }
        // The logged line comes from that trial and shows what it drew.
        #expect(replay.log == ["drew 77"])
        // The native stream draws the same number.
        var random = RandomStream(seed: 3, block: block, lane: problem.lane)
        for _ in 0..<problem.trialOfLane { _ = random.below(20_000) }
        #expect(random.below(20_000) == 77)
    }

    @Test func aReplayFindsNumbersThatAreNaN() throws {
        let plugin = try plugin("Undefined")
        let replay = try Replay(of: plugin, parameters: [], seed: 1, block: 0)
        let problem = try #require(replay.problem)
        #expect(problem.reason.hasPrefix("sum got a value that is too large or not a number"))
        #expect(replay.log == ["drew 0"])
    }

    @Test func aBlockThatGoesWellSaysSo() throws {
        let plugin = try Made.plugin("Plugins/Pi/Pi.swift")
        let replay = try Replay(of: plugin, parameters: [], seed: 1, block: 5)
        #expect(replay.problem == nil && replay.trials == 65_536)
        // The newest notes, and none of the lines that are pictures.
        #expect(replay.log.count == TrialLog.mostNotes && replay.log.allSatisfy { $0.hasPrefix("the point is ") })
        // The tally of a simulation that writes has more slots than its module knows.
        let primes = try Made.plugin("Plugins/Primes/Primes.swift")
        let parameters = primes.simulation.standardParameters
        #expect(try Replay(of: primes, parameters: parameters, seed: 0, block: 0).problem == nil)
    }
}
