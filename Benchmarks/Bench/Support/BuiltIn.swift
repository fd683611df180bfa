import PotluckCatalogue
import PotluckKit
import PotluckMachine

/// A built-in simulation with plain trials, or as the library of lanes for such vectors runs it.
func builtIn(_ name: String, _ vectors: Vectors) -> AnySimulation {
    let library = vectors == .plain ? nil : LanesLibrary.own(for: vectors.rawValue, madeOf: lanesSources)
    let all = simulations(matrixProduct: library?.matrixProduct)
    guard let simulation = all.first(where: { $0.name == name }) else { fail("there is no simulation \(name)") }
    return library?.simulation(simulation) ?? simulation
}
