import Potluck
import PotluckArguments
import PotluckModel

/// Runs of this machine that can be gone on with, as commands are told of them.
enum KeptRunArguments {
    /// Fewer digits of a number would too often be those of another one.
    static let fewestDigits = 5

    static func runs(_ arguments: Arguments) throws -> KeptRuns {
        KeptRuns(in: try StoreArguments.folder(arguments), modules: PluginFiles.modules)
    }

    /// The runs that people may mean with that; nil where it is no beginning of a number.
    static func find(_ text: String, in runs: KeptRuns) -> [JobID]? {
        guard (fewestDigits...16).contains(text.utf8.count), text.allSatisfy({ $0.isHexDigit && !$0.isUppercase })
        else { return nil }
        return runs.ids.filter { $0.text.hasPrefix(text) }
    }

    /// What goes on with that run. A folder that a variable names is found again by it.
    static func command(_ job: JobID, _ arguments: Arguments) -> String {
        var words = ["potluck resume \(job)"]
        if let folder = try? arguments[StateDirectory.option], folder != Environment["POTLUCK_STATE"] {
            words.append("--state \(ShellWord.quoted(folder))")
        }
        return words.joined(separator: " ")
    }
}

extension RunKeeper {
    /// For a run that can be gone on with: what takes files or writes would need more than its tally for that.
    convenience init?(_ subject: Subject, _ plan: RunPlan, _ arguments: Arguments) {
        guard !arguments[StateDirectory.ephemeral], plan.prepared.writes == .nothing, plan.tables.isEmpty else {
            return nil
        }
        let module = subject.plugin == nil ? nil : subject.octets
        self.init(subject.typed, module: module) { try KeptRunArguments.runs(arguments) }
    }
}
