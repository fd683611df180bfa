import PotluckCatalogue
import PotluckKit
import Testing

/// Kernels make a block faster and do not change one bit of its result.
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

    /// With 100 doors about a thousand dice of a block are thrown again, sometimes in several lanes at once; with 4
    /// none.
    @Test(arguments: [3, 4, 5, 7, 10, 18, 33, 66, 99, 100] as [UInt64])
    func montyHallIsTheSameForAnyDoors(doors: UInt64) throws {
        var seeds = Seeds(doors)
        for _ in 0..<3 {
            let first = seeds.next() >> 1
            try expectAlike("monty-hall", [doors, 1], seed: seeds.next(), blocks: first..<first + 1)
        }
    }

    @Test func piIsTheSame() throws {
        var seeds = Seeds(1)
        for _ in 0..<10 {
            let first = seeds.next() >> 1
            try expectAlike("pi", [], seed: seeds.next(), blocks: first..<first + 1)
        }
    }

    /// A kernel computes a short last block only if its lanes have equally many trials.
    @Test(arguments: ["monty-hall": [3, 1], "pi": []] as [String: [UInt64]])
    func theLastBlockMayBeShort(name: String, parameters: [UInt64]) throws {
        let counts: [UInt64] = [
            1, 2, 15, 16, 17, 31, 32, 16_960, 65_520, 65_535, 65_536, 65_537, 65_536 + 15, 131_071,
        ]
        for trials in counts {
            let blocks = (trials + 65_535) / 65_536
            try expectAlike(name, parameters, seed: trials, blocks: 0..<blocks, trials: trials)
        }
    }

    /// The Monty Hall kernel supports only one opened door, and most simulations have no kernel. All of these give the
    /// same results as without kernels.
    @Test func whatHasNoKernelRunsPlain() throws {
        try expectAlike("monty-hall", [7, 3], seed: 5, blocks: 2..<3)
        for simulation in simulations(with: .plain) {
            try expectAlike(simulation.name, simulation.standardParameters, seed: 6, blocks: 0..<1, trials: 100)
        }
    }
}
