import PotluckKit
import PotluckSandbox

extension SpeedBench {
    /// Measures what it takes to add a number to each accumulator, beside drawing the number.
    mutating func compareAccumulators() {
        measure(AnySimulation(Accumulating.self, source: ""), "natively")
        withPlugin("accumulators, sandbox", file: "Benchmarks/Bench/Speed/Accumulating.swift") { bench, plugin in
            bench.measure(plugin.simulation, "sandbox")
        }
    }

    private mutating func measure(_ simulation: AnySimulation, _ place: String) {
        let blocks: UInt64 = 20
        let kinds = ["", "count", "sum of reals", "moments of reals", "moments of integers"]
        let contestants = kinds.indices.map { kind in
            guard let prepared = try? simulation.prepared([UInt64(kind)]) else { fail("there is no such accumulator") }
            return Contestant(name: "") { range in
                _ = prepared.run(ChunkRequest(seed: 2010, blocks: range, trials: nil)) { false }
                // The results differ, and are not what is compared.
                return []
            }
        }
        let times = contest(contestants, blocks: blocks, rounds: rounds)
        let trials = Double(blocks) * Double(Block.largest)
        for kind in kinds.indices.dropFirst() {
            let more = zip(times[kind].rounds, times[0].rounds).map { ($0 - $1) / trials * 1e9 }.median
            table.add("\(kinds[kind]), \(place)", missing: "\((more * 10).rounded() / 10) ns more than the draw alone")
        }
    }
}
