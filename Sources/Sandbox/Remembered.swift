import PotluckKit
import PotluckModel

extension Plugin {
    /// The blocks that `remembered` computes: enough that everything that a trial prepares once is there.
    private static let blocks: Range<UInt64> = 0..<4

    /// Returns the indices of those places in the module's memory that differ after the same blocks were computed once
    /// more by the same instance. A table that the first trial makes, and memory that each trial fills again, are the same
    /// then; only what remembers earlier trials differs. Returns nil if the blocks cannot be computed.
    public func remembered(at places: [Range<Int>], parameters: [UInt64], tables: [Table] = []) -> [Int]? {
        let configuration = ModuleConfiguration(parameters: parameters, tables: tables)
        return try? worker.module.withInstance(limits) { instance throws(SandboxError) in
            guard case .success(let ready) = try worker.configure(instance, configuration) else { return [] }
            var before: [[UInt8]] = []
            for round in 0..<3 {
                for block in Self.blocks where ready.units.map({ block * UInt64(ready.blockSize) < $0 }) ?? true {
                    let asked = RunRequest(
                        shape: shape, seed: LawCheck.seed, first: block, blocks: 1,
                        trials: ChunkRequest(seed: LawCheck.seed, blocks: block..<block + 1, trials: ready.units)
                            .trials(in: block..<block + 1, blockSize: UInt64(ready.blockSize)))
                    _ = try instance.record("potluck_run", asked.record)
                }
                // The first round prepares what is prepared once.
                if round == 1 { before = places.map(instance.octets) }
            }
            return places.indices.filter { instance.octets(at: places[$0]) != before[$0] }
        }
    }
}
