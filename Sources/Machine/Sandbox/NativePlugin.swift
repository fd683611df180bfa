import PotluckCore
import PotluckKit

extension Plugin {
    /// The same simulation, whose chunks a native program of the same source computes: the program at this path. Its own
    /// processes run it, outside of the sandbox, so it must be the work of the person who runs it.
    public func native(_ path: String) -> AnySimulation {
        var worker = worker
        worker.native = NativeProgram(path, limits)
        return AnySimulation(
            name: simulation.name, summary: simulation.summary, source: simulation.source,
            parameters: simulation.parameters, layout: simulation.layout, readings: simulation.readings,
            shape: simulation.shape, inputs: simulation.inputs
        ) { [worker] in worker.prepare(ModuleConfiguration(parameters: $0, tables: $1)) }
    }
}

extension ModuleRunner {
    /// The seed of the block that is compared.
    private static let seed: UInt64 = 1

    /// Throws if the native program computes another first block than the module, or if the module keeps something there. A
    /// point of a search may take long, and is not compared.
    func compareNative() throws(SandboxError) {
        guard worker.native != nil, worker.shape != .space else { return }
        let request = ChunkRequest(seed: Self.seed, blocks: 0..<1, trials: nil)
        let empty = ChunkReply(end: 0, slots: worker.own.empty)
        var (ours, theirs) = (empty, empty)
        if let error = attempt(request, most: 1, { false }, &ours) { throw error }
        if let error = inModule.attempt(request, most: 1, { false }, &theirs) { throw error }
        guard ours == theirs else { throw .nativelyDifferent }
    }
}
