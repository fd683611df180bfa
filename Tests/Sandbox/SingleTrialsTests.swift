import PotluckKit
import Testing

@testable import PotluckMachine

/// Trials that are played one by one.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps"), .serialized) struct SingleTrialsTests {
    /// Each is the first trial of its block: what one trial more adds to a run of the blocks before.
    @Test func playedTrialsAreThoseOfTheSimulation() throws {
        let plugin = try Made.plugin("Plugins/Pi/Pi.swift")
        let prepared = try plugin.simulation.prepared(plugin.simulation.standardParameters)
        let size = UInt64(prepared.blockSize)
        var played = SingleTrials(of: prepared, module: plugin, seed: 7)
        var sum = 0.0
        for block in 0..<8 as Range<UInt64> {
            func hits(_ trials: UInt64) -> UInt64 {
                guard trials > 0 else { return 0 }
                let blocks = 0..<(trials + size - 1) / size
                return prepared.run(ChunkRequest(seed: 7, blocks: blocks, trials: trials)) { false }.slots[0]
            }
            let outcome = try played.play()
            let alone = hits(block * size + 1) - hits(block * size)
            sum += Double(alone)
            #expect(outcome.alone[0].value == 4 * Double(alone))
            #expect(outcome.all[0].value == 4 * sum / Double(block + 1))
            #expect(outcome.log.notes == [alone == 1 ? "the point is inside" : "the point is outside"])
        }
        #expect(played.count == 8)
    }

    @Test func notesAreThoseOfTheTrial() throws {
        let plugin = try Made.plugin("Tests/Sandbox/Hostile/Unlucky.swift")
        var played = SingleTrials(of: try plugin.simulation.prepared([]), module: plugin, seed: 3)
        for block in 0..<4 as Range<UInt64> {
            var random = RandomStream(seed: 3, block: block, lane: 0)
            #expect(try played.play().log.notes == ["drew \(random.below(20_000))"])
        }
    }

    /// The built-in simulations whose trials draw.
    private static let drawn: Set = [
        "monty-hall", "buffon", "pi", "gamblers-ruin", "percolation", "coupon-collector",
    ]

    @Test func thoseThatDrawDrawAndNoOthers() throws {
        for (name, plugin) in try CatalogueModuleTests.plugins.get() where plugin.shape == .tally {
            let prepared = try plugin.simulation.prepared(plugin.simulation.standardParameters)
            for seed in 0..<20 as Range<UInt64> {
                var played = SingleTrials(of: prepared, module: plugin, seed: seed)
                let log = try played.play().log
                #expect(log.frames.isEmpty != Self.drawn.contains(name), "\(name), seed \(seed)")
                guard !log.frames.isEmpty else { continue }
                #expect(log.frames.count(where: \.isFirst) == 1 && log.frames[0].isFirst, "\(name), seed \(seed)")
                #expect(!log.notes.isEmpty, "\(name), seed \(seed)")
            }
        }
    }

    /// What is noted and drawn draws no number and counts nothing, in whole blocks, too.
    @Test func theTallyIsTheSameWithTheLogAndWithoutIt() throws {
        for (name, plugin) in try CatalogueModuleTests.plugins.get() where plugin.shape == .tally {
            let parameters = plugin.simulation.standardParameters
            let prepared = try plugin.simulation.prepared(parameters)
            let (worker, configuration) = (plugin.worker, ModuleConfiguration(parameters: parameters))
            let ready = PluginWorker.Ready(blockSize: prepared.blockSize)
            for (seed, trials) in [(1, 1), (2, 17), (3, 200)] as [(UInt64, Int)] {
                let request = RunRequest(
                    shape: .tally, seed: seed, first: seed, blocks: 1, trials: UInt64(trials))
                func tally(isTold: Bool) throws -> [UInt64] {
                    try worker.withReady(configuration, ready) { instance throws(SandboxError) in
                        let before = isTold ? try instance.log() : ""
                        let record = try instance.record("potluck_run", request.record)
                        let reply = try RunReply(record, to: request, slots: worker.own.slots, writes: .nothing)
                        let after = isTold ? try instance.log() : ""
                        #expect(before.isEmpty && after.isEmpty != (isTold && Self.drawn.contains(name)))
                        return reply.slots
                    }
                }
                #expect(try tally(isTold: true) == tally(isTold: false), "\(name), seed \(seed)")
            }
        }
    }
}
