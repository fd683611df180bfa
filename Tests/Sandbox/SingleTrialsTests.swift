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
        var played = SingleTrials(of: prepared, seed: 7)
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
            #expect(outcome.notes.isEmpty)
        }
        #expect(played.count == 8)
    }

    @Test func notesAreThoseOfTheTrial() throws {
        let path = "Tests/Sandbox/Hostile/Unlucky.swift"
        let plugin = try Plugin(Made.simulation(path, .plain), label: "Unlucky")
        let logging = try Plugin(Made.simulation(path, .logging), label: "Unlucky")
        var played = SingleTrials(of: try plugin.simulation.prepared([]), logging: logging, seed: 3)
        for block in 0..<4 as Range<UInt64> {
            var random = RandomStream(seed: 3, block: block, lane: 0)
            #expect(try played.play().notes == ["drew \(random.below(20_000))"])
        }
    }
}
