import PotluckCatalogue
import PotluckKit
import PotluckModel
import PotluckSystem
import Testing

@testable import PotluckCommand

/// A vector module computes a built-in simulation only where that is a gain.
@Suite struct VectorModuleTests {
    private static let request = ChunkRequest(seed: 9, blocks: 3..<5, trials: nil)

    /// The simulation π with another way to run chunks.
    private static func pi(
        source: String? = nil, _ run: @escaping @Sendable (PreparedSimulation, ChunkRequest) -> ChunkReply
    ) throws -> AnySimulation {
        let plain = try #require(simulations(with: .plain).first { $0.name == "pi" })
        return AnySimulation(
            name: plain.name, summary: plain.summary, source: source ?? plain.source, parameters: plain.parameters,
            layout: plain.layout, readings: plain.readings
        ) { values, tables in
            Result { () throws(ParameterError) in
                let ready = try plain.prepared(values, tables: tables)
                return PreparedSimulation(
                    parameters: values, blockSize: ready.blockSize, layout: ready.layout,
                    run: { request, _ in run(ready, request) }, read: { .success(ready.read($0, $1)) })
            }
        }
    }

    /// How often the native code and the module ran when the request was computed last, after the module was tried.
    private static func outcome(
        slowness: Int, _ module: AnySimulation?, calls: Guarded<(native: Int, module: Int)>
    ) throws -> ChunkReply {
        let native = try pi { ready, request in
            calls.with { $0.native += 1 }
            // The work of a slower computer.
            for _ in 1..<slowness { _ = ready.run(request) { false } }
            return ready.run(request) { false }
        }
        let simulation = VectorModule(native, load: { _ in module }, detach: { $0() }).simulation
        #expect(simulation.source == native.source && simulation.name == "pi")
        let prepared = try simulation.prepared([])
        _ = prepared.run(request) { false }
        calls.with { $0 = (0, 0) }
        return prepared.run(request) { false }
    }

    @Test(arguments: [
        ("fast", 20, 0, 1), ("slow", 1, 1, 0), ("wrong", 20, 1, 0), ("foreign", 20, 1, 0), ("absent", 20, 1, 0),
        ("failing", 20, 1, 1),
    ])
    func onlyAGoodModuleIsUsed(kind: String, slowness: Int, native: Int, module: Int) throws {
        let calls = Guarded((native: 0, module: 0))
        let right = try Self.pi { ready, request in ready.run(request) { false } }.prepared([])
            .run(Self.request) { false }
        let made = try Self.pi(source: kind == "foreign" ? String(repeating: "0", count: 64) : nil) { ready, request in
            calls.with { $0.module += 1 }
            for _ in 1..<(kind == "slow" ? 20 : 1) { _ = ready.run(request) { false } }
            var reply = ready.run(request) { false }
            if kind == "wrong" { reply.slots[0] += 1 }
            if kind == "failing", request == Self.request {
                reply = ChunkReply(
                    end: request.blocks.lowerBound, slots: ready.layout.empty,
                    failure: SimulationFailure("no memory", block: request.blocks.lowerBound))
            }
            return reply
        }
        #expect(try Self.outcome(slowness: slowness, kind == "absent" ? nil : made, calls: calls) == right)
        #expect(calls.with { $0 == (native, module) })
    }
}
