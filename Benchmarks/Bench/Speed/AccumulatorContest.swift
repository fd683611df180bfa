import PotluckKit
import PotluckMachine

extension SpeedBench {
    /// Measures what it takes to add a number to each accumulator, beside drawing the number.
    mutating func compareAccumulators() {
        measure(AnySimulation(Accumulating.self, source: ""), "natively", wanted: \.native)
        withPlugin("accumulators, sandbox", file: "Benchmarks/Bench/Speed/Accumulating.swift") { bench, plugin in
            bench.measure(plugin.simulation, "sandbox", wanted: \.sandbox)
        }
    }

    /// What a number should cost at most, in nanoseconds. Even odds must not cost a count more than others.
    private struct Bounds {
        let name: String
        let native: Double
        let sandbox: Double
    }

    /// In the order of `Accumulating.kind`, from 1.
    private static let bounds = [
        Bounds(name: "count", native: 2, sandbox: 2),
        Bounds(name: "sum of reals", native: 5, sandbox: 8),
        Bounds(name: "sum of integers", native: 5, sandbox: 8),
        Bounds(name: "moments of reals", native: 10, sandbox: 15),
        Bounds(name: "moments of integers", native: 10, sandbox: 15),
        Bounds(name: "series of reals", native: 10, sandbox: 15),
        Bounds(name: "quantiles", native: 6, sandbox: 10),
        Bounds(name: "comoments of two", native: 15, sandbox: 40),
    ]

    private mutating func measure(_ simulation: AnySimulation, _ place: String, wanted: KeyPath<Bounds, Double>) {
        let blocks: UInt64 = 2
        let contestants = (0...Self.bounds.count).map { kind in
            guard let prepared = try? simulation.prepared([UInt64(kind)]) else { fail("there is no such accumulator") }
            return Contestant(name: "") { range in
                // The sandbox computes the first chunks of a run twice, to check them, but none of a single block.
                for block in range {
                    _ = prepared.run(ChunkRequest(seed: 2010, blocks: block..<block + 1, trials: nil)) { false }
                }
                // The results differ, and are not what is compared.
                return []
            }
        }
        let turns = Double(blocks) * Double(Accumulating().blockSize * Accumulating.turns)
        let times = contest(contestants, blocks: blocks, rounds: rounds).map { ($0.rounds.min() ?? 0) / turns * 1e9 }
        for (bound, time) in zip(Self.bounds, times.dropFirst()) {
            table.add(
                "\(bound.name), \(place)", cost: time - times[0], beside: times[0], wanted: bound[keyPath: wanted])
        }
    }
}
