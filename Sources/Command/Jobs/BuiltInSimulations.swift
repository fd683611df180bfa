import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

extension SimulationIdentity {
    /// Whether this program contains exactly this simulation, not just one of the same name.
    var isBuiltIn: Bool { builtIn != nil }

    /// Exactly this simulation, if this program contains it.
    var builtIn: AnySimulation? { builtIns.first { $0.identity == self } }
}

extension JobSpec {
    /// Whether a module computes it that its submitter supplied. False if this program has the same simulation built
    /// in.
    var isPlugin: Bool { recipe.module != nil && !recipe.experiment.simulation.isBuiltIn }
}

extension JobBoard {
    /// The board of this program, in the user's locale.
    init(unicode: Bool = Environment.isUnicode) {
        self.init(unicode: unicode, digest: { $0.digest }, isBuiltIn: { $0.isBuiltIn })
    }
}
