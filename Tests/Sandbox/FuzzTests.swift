import Foundation
import PotluckChecks
import PotluckCore
import PotluckKit
import Testing

@testable import PotluckMachine

/// Random modules and requests. POTLUCK_FUZZ sets the number of rounds. `PotluckChecks` tests the records.
@Suite(.timeLimit(.minutes(60))) struct FuzzTests {
    private static let rounds = ProcessInfo.processInfo.environment["POTLUCK_FUZZ"].flatMap(UInt64.init) ?? 200

    private static let oddSlots: [UInt64] = [
        0, 1, 2, 5, 6, .max, 1 << 63, 1 << 32, Double.nan.bitPattern, Double.infinity.bitPattern, (-1.0).bitPattern,
        1e300.bitPattern,
    ]

    /// A module must tolerate requests from anyone: it answers or is stopped.
    @Test(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) func requests() throws {
        let limits = PluginLimits(memory: 4 << 20, time: .milliseconds(20))
        let modules = [
            try Module(Made.simulation("Plugins/Pi/Pi.swift"), cache: nil),
            try Module(Made.c("Examples/PluginInC/coins.c", name: "coins-asked"), cache: nil),
            try Module(Made.c("Examples/PluginInC/nearest.c", name: "nearest-asked"), cache: nil),
            try Module(Made.simulation("Plugins/MatrixProduct/MatrixProduct.swift"), cache: nil),
        ]
        let run = RunRequest(shape: .tally, seed: 1, first: 2, blocks: 3, trials: 48).record
        // Three points with two coordinates.
        let points = ModuleConfiguration(
            parameters: [0], tables: [Table(rows: 3, columns: 2, numbers: [0, 0, 3, 4, 5, 6])]
        ).record
        let records: [(String, [UInt64])] = [
            ("potluck_configure", [0, 0]), ("potluck_configure", [1, 20, 0]), ("potluck_run", run),
            ("potluck_read", [48, 1, 40]), ("potluck_configure", points),
            ("potluck_run", RunRequest(shape: .collect, seed: 0, first: 0, blocks: 1, trials: 3).record),
        ]
        for round in 0..<Self.rounds * 10 {
            var generator = SeededGenerator(seed: round)
            let module = modules[Int(round % 4)]
            // Whatever happens here, the next instance is not affected.
            _ = try? module.withInstance(limits) { instance throws(SandboxError) in
                for _ in 0..<4 {
                    let (function, record) = records[Int(generator.next(below: UInt64(records.count)))]
                    _ = try instance.record(function, mutated(record, &generator, odd: Self.oddSlots))
                }
            }
        }
        for module in modules {
            let record = try module.withInstance(limits) { instance throws(SandboxError) in
                try instance.record("potluck_describe")
            }
            #expect(throws: Never.self) { try Declaration(record) }
        }
    }

    /// A module with changed bytes is refused, or runs and returns a tally or an error.
    @Test(.enabled(if: Made.canRun, "wasmtime is missing: run make deps")) func modules() throws {
        let limits = PluginLimits(memory: 4 << 20, time: .milliseconds(20))
        let originals = [
            try Made.hostile("fine"), try Made.c("Examples/PluginInC/coins.c", name: "coins"),
            try Made.c("Examples/PluginInC/nearest.c", name: "nearest"),
        ]
        let table = Table(rows: 3, columns: 2, numbers: [0, 0, 3, 4, 5, 6])
        for round in 0..<Self.rounds {
            var generator = SeededGenerator(seed: round)
            let original = originals[Int(round % 3)]
            let octets = mutated(original, &generator, odd: [0, 1, 0x7f, 0x80, 0xff, 0x0b, 0x03, 0x0c])
            guard let plugin = try? Plugin(octets, label: "mutant", limits: limits) else { continue }
            let simulation = plugin.simulation
            let tables = simulation.inputs.map { _ in table }
            guard let prepared = try? simulation.prepared(simulation.standardParameters, tables: tables) else {
                continue
            }
            let reply = prepared.run(ChunkRequest(seed: 1, blocks: 0..<2, trials: 1000)) { false }
            #expect(reply.end == 2 || reply.failure != nil)
            #expect(reply.outputs.count == (prepared.writes == .nothing ? 0 : Int(reply.end)))
            _ = prepared.read(reply.slots, 1000)
        }
    }
}
