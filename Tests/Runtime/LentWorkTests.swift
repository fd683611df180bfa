import PotluckCatalogue
import PotluckKit
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCore

/// What a device gets that computes in a node's place.
@Suite struct LentWorkTests {
    /// Notes the work, and computes nothing.
    private final class Device: LentDevice {
        let work = Guarded<LentWork?>(nil)

        func prepare(
            _ job: JobID, _ work: LentWork, givesUp: @escaping @Sendable (String) -> Void
        ) -> Result<PreparedSimulation, PluginRefusal> {
            self.work.with { $0 = work }
            return .success(work.simulation)
        }

        func forget(_ job: JobID) {}
    }

    private static let module: [UInt8] = [1]

    /// Returns the module that a device gets for a built-in simulation, or why it gets none.
    private func lent(_ name: String, hasModule: Bool) throws -> Result<[UInt8], PluginRefusal> {
        let simulation = try #require(catalogue.first { $0.name == name })
        let plugins = Plugins(
            bundled: { hasModule && $0.name == name ? Self.module : nil },
            load: { _, _ in .failure(PluginRefusal("")) })
        let simulations = Simulations(catalogue, plugins: plugins)
        let store = BlobStore(keptIn: nil, spool: "/tmp")
        let recipe = JobRecipe(
            experiment: try simulation.experiment(parameters: simulation.standardParameters, seed: 1))
        let device = Device()
        let prepared = simulations.lent(simulations.prepared(recipe, store), JobID(1), recipe, to: device, store) { _ in
        }
        if let work = device.work.with({ $0 }) { return .success(work.module) }
        guard case .impossible(let why) = prepared.what else { return .failure(PluginRefusal("no reason")) }
        return .failure(PluginRefusal(why))
    }

    @Test func aDeviceGetsTheModule() throws {
        #expect(try lent("pi", hasModule: true) == .success(Self.module))
        #expect(try lent("pi", hasModule: false) == .failure(PluginRefusal("this node has no module of pi")))
    }

    @Test func devicesComputeNoSearches() throws {
        #expect(try lent("tsp", hasModule: true) == .failure(PluginRefusal("browsers compute no searches")))
    }
}
