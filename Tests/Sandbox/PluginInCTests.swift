import PotluckKit
import PotluckSandbox
import Testing

/// The example without Swift and without the kit, which docs/PLUGINS.md explains.
@Suite(.enabled(if: Made.canRun, "wasmtime is not here: make deps fetches it")) struct PluginInCTests {
    private func plugin() throws -> Plugin {
        try Plugin(Made.c("Examples/PluginInC/coins.c", name: "coins-example"), label: "coins")
    }

    @Test func itKeepsTheLaws() throws {
        let plugin = try plugin()
        #expect(plugin.simulation.source == plugin.hash)
        for tosses: UInt64 in [1, 20, 200] {
            let check = LawCheck(try plugin.simulation.prepared([tosses]))
            #expect(check.isKept, "\(check.findings)")
        }
    }

    /// Of one toss the longest row is 0 or 1, of two 0, 1, 1 or 2.
    @Test func itCountsRight() throws {
        for (tosses, exact) in [(1, 0.5), (2, 1), (3, 11.0 / 8)] as [(UInt64, Double)] {
            let prepared = try plugin().simulation.prepared([tosses])
            let reply = prepared.run(ChunkRequest(seed: 5, blocks: 0..<20, trials: nil)) { false }
            let readings = try prepared.readings(of: reply.slots, trials: 20 * UInt64(prepared.blockSize))
            let mean = try #require(readings[0].value)
            let half = try #require(readings[0].halfWidth)
            #expect((mean - exact).magnitude < 3 * half)
            #expect(readings[1].bins.reduce(0, +) == 20 * UInt64(prepared.blockSize))
        }
    }

    @Test func parametersOutOfRangeAreRefused() throws {
        let simulation = try plugin().simulation
        #expect(throws: ParameterError.outOfRange(0)) { try simulation.prepared([0]) }
        #expect(throws: ParameterError.wrongCount) { try simulation.prepared([]) }
    }
}
