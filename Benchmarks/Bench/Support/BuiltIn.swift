import PotluckCatalogue
import PotluckKit
import PotluckSandbox

/// A built-in simulation with these kernels, or as the library of lanes for such a CPU runs it.
func builtIn(_ name: String, _ kernels: Kernels) -> AnySimulation {
    guard let simulation = simulations(with: kernels).first(where: { $0.name == name }) else {
        fail("there is no simulation \(name)")
    }
    let library = kernels == .plain ? nil : LanesLibrary.own(for: kernels.rawValue, madeOf: lanesSources)
    return library?.simulation(simulation) ?? simulation
}
