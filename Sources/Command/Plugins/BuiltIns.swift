import PotluckCatalogue
import PotluckKit
import PotluckMachine

/// Every simulation that is built in, as this computer runs it fastest.
let builtIns = simulations(matrixProduct: lanesLibrary?.matrixProduct).map { lanesLibrary?.simulation($0) ?? $0 }

/// The library with the lanes of built-in simulations for this CPU; nil if there is none.
let lanesLibrary =
    Vectors.chosen == .plain ? nil : LanesLibrary.own(for: Vectors.chosen.rawValue, madeOf: lanesSources)
