import PotluckKit
import PotluckModel

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

extension PluginWorker {
    /// The seed of the block that is compared.
    private static let seed: UInt64 = 1

    /// Throws if the native program computes another first block than the module. A point of a search may take long, and
    /// is not compared.
    func compareNative(_ configuration: ModuleConfiguration, _ ready: Ready) throws(SandboxError) {
        guard shape != .space else { return }
        let asked = RunRequest(
            shape: shape, seed: Self.seed, first: 0, blocks: 1,
            trials: min(UInt64(ready.blockSize), ready.units ?? .max))
        let ours = try withChunk(configuration, ready) { child throws(SandboxError) in
            try child.record("potluck_run", asked.record)
        }
        let theirs = try withReady(configuration, ready, isChunk: true) { instance throws(SandboxError) in
            try instance.record("potluck_run", asked.record)
        }
        guard ours == theirs else { throw .nativelyDifferent }
    }
}
