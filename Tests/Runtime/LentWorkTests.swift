import PotluckCatalogue
import PotluckKit
import PotluckNet
import PotluckSystem
import Testing

@testable import Potluck
@testable import PotluckCore

/// What a page gets that computes in a node's place.
@Suite struct LentWorkTests {
    private static let module: [UInt8] = [1]

    /// Returns the module that a page is to fetch for a built-in simulation, or why it gets none.
    private func lent(_ name: String, hasModule: Bool) throws -> Result<BlobHash, PluginError> {
        let simulation = try #require(catalogue.first { $0.name == name })
        let plugins = Plugins(
            bundled: { hasModule && $0.name == name ? Self.module : nil },
            load: { _, _ in .failure(PluginError("")) })
        let simulations = Simulations(catalogue, plugins: plugins)
        let store = BlobStore(keptIn: nil, spool: "/tmp")
        let recipe = JobRecipe(
            experiment: try simulation.experiment(parameters: simulation.standardParameters, seed: 1))
        let device = Guarded<PageDevice?>(nil)
        let asked = Guarded<BlobHash?>(nil)
        let page = PageDevice { message in
            guard case .prepare(let preparation) = message else { return }
            asked.with { $0 = preparation.module.blob.hash }
            device.with { $0 }?.received(.ready(preparation.job))
        }
        device.with { $0 = page }
        let prepared = simulations.lent(simulations.prepared(recipe, store), JobID(1), recipe, to: page, store) { _ in }
        if let hash = asked.with({ $0 }) { return .success(hash) }
        guard case .impossible(let why) = prepared.what else { return .failure(PluginError("no reason")) }
        return .failure(PluginError(why))
    }

    @Test func aPageGetsTheModule() throws {
        let module = try #require(BlobReference(ofModule: Self.module))
        #expect(try lent("pi", hasModule: true) == .success(module.hash))
        #expect(try lent("pi", hasModule: false) == .failure(PluginError("this node has no module of pi")))
    }

    @Test func pagesComputeNoSearches() throws {
        #expect(try lent("tsp", hasModule: true) == .failure(PluginError("browsers compute no searches")))
    }
}
