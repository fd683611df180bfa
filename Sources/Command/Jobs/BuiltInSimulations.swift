import PotluckKit
import PotluckModel

extension SimulationIdentity {
    /// Whether this program contains exactly this simulation, not just one of the same name.
    var isBuiltIn: Bool { builtIn != nil }

    /// Exactly this simulation, if this program contains it.
    var builtIn: AnySimulation? { builtIns.first { $0.identity == self } }
}
