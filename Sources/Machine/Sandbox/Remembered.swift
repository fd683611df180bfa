import PotluckCore
import PotluckKit

extension Plugin {
    /// The blocks that `remembered` computes: enough that everything that a trial prepares once is there.
    private static let blocks: Range<UInt64> = 0..<4
    /// The nodes of a search that it looks at, from the beginning of the tree.
    private static let nodes: UInt64 = 2000

    private func requests(_ ready: PluginWorker.Ready) -> [RunRequest] {
        guard shape != .space else {
            return [RunRequest(SearchRequest(points: 0..<SearchSpace.points, budget: Self.nodes))]
        }
        let size = UInt64(ready.blockSize)
        return Self.blocks.filter { block in ready.units.map { block * size < $0 } ?? true }.map { block in
            let trials = ChunkRequest(seed: LawCheck.seed, blocks: block..<block + 1, trials: ready.units)
                .trials(in: block..<block + 1, blockSize: size)
            return RunRequest(shape: shape, seed: LawCheck.seed, first: block, blocks: 1, trials: trials)
        }
    }

    /// Returns the indices of those places in the module's memory that differ after the same blocks were computed once
    /// more by the same instance. A table that the first trial makes, and memory that each trial fills again, are the
    /// same then; only variables that remember earlier trials differ. Returns nil if the blocks cannot be computed.
    public func remembered(at places: [Range<Int>], parameters: [UInt64], tables: [Table] = []) -> [Int]? {
        let configuration = ModuleConfiguration(parameters: parameters, tables: tables)
        return try? worker.module.withInstance(limits) { instance throws(SandboxError) in
            guard case .success(let ready) = try worker.configure(instance, configuration) else { return [] }
            var before: [[UInt8]] = []
            for round in 0..<3 {
                for asked in requests(ready) { _ = try instance.record("potluck_run", asked.record) }
                // The first round prepares what is prepared once.
                if round == 1 { before = places.map(instance.octets) }
            }
            return places.indices.filter { instance.octets(at: places[$0]) != before[$0] }
        }
    }
}
