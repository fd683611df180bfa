import Potluck
import PotluckCore
import PotluckScreen

/// The runs of this machine that can be resumed, as the arguments of commands name them.
enum KeptRunArguments {
    /// The fewest digits that may stand for a run's ID. Fewer would too often match several runs.
    static let fewestDigits = 5

    static func runs(_ arguments: Arguments) throws -> KeptRuns {
        KeptRuns(in: try StoreArguments.folder(arguments), modules: PluginFiles.modules)
    }

    /// Returns the runs whose ID begins with `text`, or nil if `text` cannot be the beginning of an ID.
    static func find(_ text: String, in runs: KeptRuns) -> [JobID]? {
        guard (fewestDigits...16).contains(text.utf8.count), text.allSatisfy({ $0.isHexDigit && !$0.isUppercase })
        else { return nil }
        return runs.ids.filter { $0.text.hasPrefix(text) }
    }

    /// Returns the command that resumes the run. It names the state folder unless POTLUCK_STATE does.
    static func command(_ job: JobID, _ arguments: Arguments) -> String {
        var words = ["potluck resume \(job)"]
        if let folder = try? arguments[StateDirectory.option], folder != Environment["POTLUCK_STATE"] {
            words.append("--state \(ShellWord.quoted(folder))")
        }
        return words.joined(separator: " ")
    }
}

extension RunKeeper {
    /// Returns nil if the run cannot be resumed. A run with input tables or output would need more than its tally for
    /// that.
    convenience init?(_ chosen: ChosenSimulation, _ plan: RunPlan, _ arguments: Arguments) {
        guard !arguments[StateDirectory.ephemeral], plan.prepared.writes == .nothing, plan.tables.isEmpty else {
            return nil
        }
        self.init(chosen.typed, module: chosen.file) { try KeptRunArguments.runs(arguments) }
    }
}
