import Potluck
import PotluckArguments
import PotluckKit
import PotluckModel
import PotluckSandbox

/// What a command is to work on: something built in, by name, or a file.
struct Subject {
    let simulation: AnySimulation
    /// What people wrote, for commands that they can type again.
    let typed: String
    /// Nil for what is built in.
    let plugin: Plugin?
    /// The module of a file.
    private let file: [UInt8]?
    /// What it may have of this machine, where people said so.
    private let limits: [String]

    init(_ arguments: Arguments) throws { try self.init(arguments[0] ?? "", arguments) }

    init(_ typed: String, _ arguments: Arguments) throws {
        self.typed = typed
        let limits = try PluginArguments.limits(arguments)
        self.limits = PluginArguments.words(limits)
        if PluginFiles.isFile(typed) {
            let file = try PluginFiles.module(typed)
            let plugin = try PluginFiles.plugin(typed, of: file, limits)
            self.file = file
            self.plugin = plugin
            simulation = plugin.simulation
        } else {
            file = nil
            plugin = nil
            simulation = try SimulationsCommand.find(typed)
        }
    }

    /// Of a run that was left: what people typed for it then, and its module where it is not built in.
    init(_ typed: String, of left: KeptRuns.Left, in runs: KeptRuns, _ arguments: Arguments) throws {
        self.typed = typed
        let limits = try PluginArguments.limits(arguments)
        self.limits = PluginArguments.words(limits)
        let wanted = left.taken.order.experiment.simulation
        if let module = left.taken.order.module {
            guard let octets = runs.octets(of: module) else {
                throw Failure(
                    message: "the module of \(Spelling.path(typed)) is no longer available; start the run again")
            }
            let plugin = try PluginFiles.plugin(typed, of: octets, limits)
            (file, self.plugin, simulation) = (octets, plugin, plugin.simulation)
        } else {
            (file, plugin, simulation) = (nil, nil, try SimulationsCommand.find(wanted.name))
        }
        guard simulation.identity == wanted else {
            throw Failure(message: "this run began with another version of \(wanted.name); start the run again")
        }
    }

    /// What computes it where it is not built in: a file's own module, or the one that came with this program.
    var octets: [UInt8]? { file ?? BundledModules.own.module(of: simulation)?.octets }

    /// The hash of its module: a file's own, or the one that came with this program.
    var module: String? { plugin?.hash ?? BundledModules.own.module(of: simulation)?.hash }

    /// What went wrong, and how to look at it.
    func explain(_ failure: JobFailed, _ plan: RunPlan) -> String {
        let why = failure.description
        // The sandbox says all of it; what the engine puts before it says the same again. Other nodes know no file.
        let labels = [typed, simulation.name]
        let said = labels.lazy.compactMap { why.firstRange(of: "\($0), seed ") }.first
        let isNamed = labels.contains { why.hasPrefix("\($0): ") }
        let what = said.map { String(why[$0.lowerBound...]) } ?? (isNamed ? why : "\(simulation.name): \(why)")
        guard plugin != nil, let block = failure.block else { return what }
        var words = ["potluck replay \(ShellWord.quoted(typed))"]
        for (parameter, slot) in zip(simulation.parameters, plan.parameters) where slot != parameter.standard {
            words.append("-p \(parameter.label)=\(parameter.text(of: slot))")
        }
        words += plan.inputs.map(\.option) + limits
        words.append("--seed \(plan.seed) --block \(block)")
        return "\(what); to find the trial: \(words.joined(separator: " "))"
    }
}
