import PotluckKit
import PotluckMachine
import Testing

/// The examples in C without the kit, which docs/PLUGINS.md explains.
@Suite(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) struct PluginInCTests {
    private func nearest() throws -> AnySimulation {
        try Plugin(Made.c("Examples/PluginInC/nearest.c", name: "nearest-example"), label: "nearest").simulation
    }

    /// Returns points, and the expected output for them.
    private func points(_ count: Int, seed: UInt64) -> (table: Table, rows: [Double]) {
        var random = RandomStream(seed: seed, block: 0, lane: 0)
        let points = (0..<count).map { _ in (0..<3).map { _ in Double(random.integer(in: -9...9)) } }
        var rows: [Double] = []
        for (index, point) in points.enumerated() {
            let distances = points.map { other in zip(point, other).reduce(0.0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
            let nearest = points.indices.filter { $0 != index }.min { distances[$0] < distances[$1] } ?? 0
            rows += [Double(nearest + 1), distances[nearest].squareRoot()]
        }
        return (Table(rows: count, columns: 3, numbers: points.flatMap { $0 }), rows)
    }

    @Test(arguments: [2, 63, 64, 65, 500]) func itWritesTheNearestPoints(_ count: Int) throws {
        let (table, rows) = points(count, seed: UInt64(count))
        let prepared = try nearest().prepared([0], tables: [table])
        #expect(prepared.units == UInt64(count) && prepared.writes == .rows)
        let blocks = UInt64((count + prepared.blockSize - 1) / prepared.blockSize)
        let reply = prepared.run(ChunkRequest(seed: 0, blocks: 0..<blocks, trials: nil)) { false }
        #expect(reply.failure == nil && reply.end == blocks)
        let octets = rows.flatMap { row in withUnsafeBytes(of: row.bitPattern.littleEndian, Array.init) }
        #expect(Array(reply.outputs.joined()) == octets)
        let closest = stride(from: 1, to: rows.count, by: 2).map { rows[$0] }.min()
        #expect(try prepared.readings(of: reply.slots, trials: UInt64(count))[0].value == closest)
        #expect(LawCheck(prepared).isKept)
    }

    @Test func withoutPointsItNamesTheMissingInput() throws {
        let simulation = try nearest()
        #expect(simulation.shape == .collect && simulation.inputs.map(\.name) == ["points"])
        #expect(throws: ParameterError.conflict("missing input; use --input points=FILE")) {
            try simulation.prepared([0])
        }
        #expect(throws: ParameterError.conflict("the file must have 2 to 1048576 points")) {
            try simulation.prepared([0], tables: [Table(rows: 1, columns: 1, numbers: [1])])
        }
        #expect(throws: ParameterError.outOfRange(0)) { try simulation.prepared([2]) }
    }

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

    /// The longest run of heads has a length of 0 or 1 for one toss, and of 0, 1, 1 or 2 for two.
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
