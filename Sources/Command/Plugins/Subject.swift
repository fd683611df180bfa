import Potluck
import PotluckArguments
import PotluckKit
import PotluckSandbox

/// What a command is to work on: something built in, by name, or a file.
struct Subject {
    let simulation: AnySimulation
    /// What people wrote, for commands that they can type again.
    let typed: String
    /// Nil for what is built in.
    let plugin: Plugin?

    init(_ arguments: Arguments) throws {
        typed = arguments[0] ?? ""
        let limits = try PluginArguments.limits(arguments)
        if PluginFiles.isFile(typed) {
            let plugin = try PluginFiles.plugin(typed, limits)
            self.plugin = plugin
            simulation = plugin.simulation
        } else {
            plugin = nil
            simulation = try SimulationsCommand.find(typed)
        }
    }

    /// The hash of its module: a file's own, or the one that came with this program.
    var module: String? { plugin?.hash ?? BundledModules.own.module(of: simulation)?.hash }

    /// What went wrong, and how to look at it.
    func explain(_ failure: JobFailed, _ plan: RunPlan) -> String {
        let why = failure.description
        // The sandbox says all of it; what the engine puts before it says the same again.
        let what =
            why.firstRange(of: "\(typed), seed ").map { String(why[$0.lowerBound...]) } ?? "\(simulation.name): \(why)"
        guard plugin != nil, let block = failure.block else { return what }
        var words = ["potluck replay \(typed)"]
        for (parameter, slot) in zip(simulation.parameters, plan.parameters) where slot != parameter.standard {
            words.append("-p \(parameter.label)=\(parameter.text(of: slot))")
        }
        words.append("--seed \(plan.seed) --block \(block)")
        return "\(what); see which trial it was: \(words.joined(separator: " "))"
    }
}
