import Foundation
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// A NaN has different bits on different processors, and a module must not see the difference.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) struct NotANumberTests {
    private func reply(_ only: UInt64) throws -> ChunkReply {
        let plugin = try Made.plugin("Tests/Sandbox/Hostile/Nought.swift")
        let reply = try plugin.simulation.prepared([only]).run(ChunkRequest(seed: 1, blocks: 0..<4, trials: nil)) {
            false
        }
        #expect(reply.failure == nil && reply.end == 4)
        return reply
    }

    @Test func aModuleSeesOneFaceOfIt() throws {
        let reply = try reply(0)
        let nan = (0..<8 as Range<UInt64>).map { UInt8(truncatingIfNeeded: Double.nan.bitPattern >> (8 * $0)) }
        #expect(reply.outputs == Array(repeating: Array(repeating: nan, count: 32).flatMap { $0 }, count: 4))
        // The first slot counts the NaNs whose sign is set.
        #expect(reply.slots.first == 0)
    }

    /// Native code and a module write the same bytes.
    @Test func theKitWritesTheSameNatively() throws {
        var output = Output()
        let zero = Double(try reply(1).slots[0])
        output.put(zero / zero)
        #expect(try reply(0).outputs[0].prefix(8).elementsEqual(output.octets))
    }

    /// The canonical code is compiled only for modules that need it, because it is up to three times as slow.
    @Test func onlyAModuleThatMakesANaNIsCompiledAgain() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-nan-\(UUID().uuidString)").path
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plugin = try Plugin(
            Made.simulation("Tests/Sandbox/Hostile/Nought.swift"), label: "nought", cache: cache)
        for (only, isThere) in [(1, false), (0, true)] as [(UInt64, Bool)] {
            let prepared = try plugin.simulation.prepared([only])
            _ = prepared.run(ChunkRequest(seed: 1, blocks: 0..<4, trials: nil)) { false }
            #expect((cache.code(of: plugin.hash, .canonical) != nil) == isThere)
            #expect(cache.code(of: plugin.hash, .plain) != nil)
        }
    }

    /// Built-in simulations produce no NaNs, so the canonical code does not slow them down.
    @Test func builtInSimulationsMakeNoNaN() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-nan-\(UUID().uuidString)").path
        let cache = try #require(CompiledCache(in: folder))
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for simulation in ["OptionPrice/OptionPrice", "GamblersRuin/GamblersRuin", "MatrixProduct/MatrixProduct"] {
            let plugin = try Plugin(Made.simulation("Plugins/\(simulation).swift"), label: simulation, cache: cache)
            let prepared = try plugin.simulation.prepared(plugin.simulation.parameters.map(\.standard))
            let reply = prepared.run(ChunkRequest(seed: 1, blocks: 0..<2, trials: nil)) { false }
            #expect(reply.failure == nil && prepared.read(reply.slots, 1).isEmpty == false)
            #expect(cache.code(of: plugin.hash, .canonical) == nil, "\(simulation)")
        }
    }
}
