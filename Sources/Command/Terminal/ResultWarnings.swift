import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// Warnings about the result of an author's simulation. Built-in simulations have tests instead.
enum ResultWarnings {
    /// Returns the sentences. `isShown` means that the screen of the result already has the remarks on intervals.
    static func of(
        _ result: JobResult, _ chosen: ChosenSimulation?, _ tables: [Table] = [], isShown: Bool
    ) -> [String] {
        guard let chosen, chosen.plugin != nil, chosen.simulation.identity == result.experiment.simulation else {
            return []
        }
        let (simulation, parameters) = (chosen.simulation, result.experiment.parameters)
        let remarks =
            isShown ? [] : result.readings.compactMap { IntervalWords.undecided($0, trials: result.trials) }
        // A warning would tell the exact answer.
        guard !result.hidesExact,
            let prepared = try? simulation.prepared(parameters, tables: tables)
        else { return remarks }
        let check = ResultCheck(
            prepared, seed: result.experiment.seed, trials: result.trials, tally: result.tally, elapsed: result.elapsed)
        // The memory of a search differs after each chunk, because its rows do. Only variables tell.
        let kept = prepared.search.flatMap { _ in
            KeptVariables.names(chosen, parameters: parameters, tables: tables)
        }
        return check.warnings + (kept.map { $0.isEmpty ? [] : [LawCheck.remembering($0)] } ?? []) + remarks
    }

    /// Prints them.
    static func say(_ warnings: [String]) {
        for warning in warnings { Output.complain("warning: \(warning)") }
    }
}
