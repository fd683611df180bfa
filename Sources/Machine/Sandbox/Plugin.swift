import PotluckCore
import PotluckKit

/// A simulation from a module. It runs in the sandbox, and otherwise works like any other.
public struct Plugin: Sendable {
    public let simulation: AnySimulation
    public let shape: ModuleInterface.Shape
    /// The SHA-256 of the module.
    public let hash: String
    /// Its name in messages: the path of its file.
    public let label: String
    let worker: PluginWorker
    public var limits: PluginLimits { worker.limits }

    /// The same simulation for `LawCheck`, which compares the lanes itself and finds where they first differ.
    public var unheld: AnySimulation {
        var worker = worker
        worker.comparesLanes = false
        return AnySimulation(
            name: simulation.name, summary: simulation.summary, source: simulation.source,
            parameters: simulation.parameters, layout: simulation.layout, readings: simulation.readings,
            shape: simulation.shape, inputs: simulation.inputs
        ) { [worker] in worker.prepare(ModuleConfiguration(parameters: $0, tables: $1)) }
    }

    /// Compiles the module, or takes it from the cache, and asks it for its description. If it carries one with lanes, that
    /// one runs, unless `usesLanes` is false.
    public init(
        _ octets: [UInt8], label: String, limits: PluginLimits = PluginLimits(), cache: CompiledCache? = nil,
        usesLanes: Bool = true
    ) throws(SandboxError) {
        let module = try Module(octets, cache: cache, usesLanes: usesLanes)
        let declaration = try module.withInstance(limits) { instance throws(SandboxError) in
            let record: [UInt64]
            do throws(SandboxError) {
                record = try instance.record("potluck_describe")
            } catch {
                throw error.inDescription
            }
            return try Declaration(record)
        }
        // Searches have a record format, but nodes cannot share them out yet.
        guard declaration.shape != .search, declaration.shape != .ranks else {
            throw .shape(declaration.shape.rawValue)
        }
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
        ) { worker.prepare(ModuleConfiguration(parameters: $0, tables: $1)) }
    }
}
