import PotluckCatalogue
import PotluckKit
import PotluckSandbox
import PotluckSystem

/// Every simulation that is built in, as this computer runs it fastest.
let builtIns = Kernels.areInModules ? catalogue.map(\.runByItsModule) : catalogue

extension AnySimulation {
    /// The same simulation, whose blocks its vector module runs if there is one and it can be loaded. It computes the
    /// same bytes faster on a CPU without kernels.
    fileprivate var runByItsModule: AnySimulation {
        let module = Guarded<AnySimulation??>(nil)
        return AnySimulation(
            name: name, summary: summary, source: source, parameters: parameters, layout: layout, readings: readings,
            shape: shape, inputs: inputs
        ) { [self] values, tables in
            Result { () throws(ParameterError) in
                let native = try prepared(values, tables: tables)
                // Loaded with the first job, because a command may need none.
                let module = module.with { module in
                    let loaded = module ?? vectorModule
                    module = loaded
                    return loaded
                }
                guard let module else { return native }
                return PreparedSimulation(
                    parameters: native.parameters, blockSize: native.blockSize, layout: native.layout,
                    units: native.units, writes: native.writes, search: native.search,
                    run: try module.prepared(values, tables: tables).run,
                    read: { slots, trials in
                        Result { () throws(SimulationFailure) in try native.readings(of: slots, trials: trials) }
                    })
            }
        }
    }

    private var vectorModule: AnySimulation? {
        guard let module = BundledModules.own.module(of: self, hasVectors: true) else { return nil }
        let loaded = try? PluginFiles.plugin(name, of: module.octets, PluginLimits()).simulation
        guard let loaded, loaded.source == source else { return nil }
        Log("plugins").info("\(name) is computed by its vector module")
        return loaded
    }
}
