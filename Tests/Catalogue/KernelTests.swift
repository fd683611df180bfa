import PotluckCatalogue
import PotluckKit
import Testing

/// Kernels make a block faster and do not change one bit of its result. `ProductKernelTests` has the products.
@Suite struct KernelTests {
    /// Returns the slots of a simulation after these blocks.
    private func slots(
        _ name: String, _ parameters: [UInt64], kernels: Kernels, seed: UInt64, blocks: Range<UInt64>, trials: UInt64?
    ) throws -> [UInt64] {
        let simulation = try #require(simulations(with: kernels).first { $0.name == name })
        let request = ChunkRequest(seed: seed, blocks: blocks, trials: trials)
        let reply = try simulation.prepared(parameters).run(request) { false }
        #expect(reply.end == blocks.upperBound)
        return reply.slots
    }

    private func expectAlike(
        _ name: String, _ parameters: [UInt64], seed: UInt64, blocks: Range<UInt64>, trials: UInt64? = nil
    ) throws {
        let plain = try slots(name, parameters, kernels: .plain, seed: seed, blocks: blocks, trials: trials)
        for kernels in Kernels.available {
            let other = try slots(name, parameters, kernels: kernels, seed: seed, blocks: blocks, trials: trials)
            #expect(other == plain, "\(kernels), \(name) \(parameters), seed \(seed), blocks \(blocks)")
        }
    }

    @Test func thereIsAlwaysThePlainWay() {
        #expect(Kernels.available.first == .plain)
        #expect(Kernels.available.contains(.chosen))
    }

    /// Most simulations have no kernel.
    @Test func everySimulationIsTheSameWithKernels() throws {
        for simulation in simulations(with: .plain) {
            try expectAlike(simulation.name, simulation.standardParameters, seed: 6, blocks: 0..<1, trials: 100)
        }
    }
}
