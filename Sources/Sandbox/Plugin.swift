import PotluckKit
import PotluckModel

/// A simulation that came as a module: it runs in the sandbox, and is otherwise like any other.
public struct Plugin: Sendable {
    public let simulation: AnySimulation
    public let shape: ModuleInterface.Shape
    /// The SHA-256 of the module.
    public let hash: String
    /// What people call it: its file.
    public let label: String
    let worker: PluginWorker

    /// Compiles the module, or takes it from the cache, and asks it what it is.
    public init(
        _ octets: [UInt8], label: String, limits: PluginLimits = PluginLimits(), cache: CompiledCache? = nil
    ) throws(SandboxError) {
        let module = try Module(octets, cache: cache)
        let declaration = try module.withInstance(limits) { instance throws(SandboxError) in
            let record: [UInt64]
            do throws(SandboxError) {
                record = try instance.record("potluck_describe")
            } catch {
                throw error.inDescription
            }
            return try Declaration(record)
        }
        // Its records are settled; handing such work out is not.
        guard declaration.shape != .search else { throw .shape(declaration.shape.rawValue) }
        let worker = PluginWorker(
            module: module, limits: limits, label: label, shape: declaration.shape, own: declaration.layout,
            inputs: declaration.inputs.count, readings: declaration.readings)
        self.worker = worker
        self.label = label
        hash = module.hash
        shape = declaration.shape
        simulation = AnySimulation(
            name: declaration.name, summary: declaration.summary, source: declaration.source ?? module.hash,
            parameters: declaration.parameters, layout: worker.layout, readings: declaration.readings,
            shape: declaration.shape, inputs: declaration.inputs
        ) { worker.prepare(Settings(parameters: $0, tables: $1)) }
    }
}
