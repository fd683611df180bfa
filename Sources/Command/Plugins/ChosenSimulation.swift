import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// The simulation that a command works on: a built-in one, by name, or a file.
struct ChosenSimulation {
    let simulation: AnySimulation
    /// The simulation as the user typed it, for commands to print.
    let typed: String
    /// Nil if the simulation is built in.
    let plugin: Plugin?
    /// The module; nil if the simulation is built in.
    let file: [UInt8]?
    /// The options that repeat the plugin's limits; empty for the defaults.
    private let limits: [String]

    init(_ arguments: Arguments, isNative: Bool = false, isRun: Bool = false) throws {
        try self.init(arguments[0] ?? "", arguments, isNative: isNative, isRun: isRun)
    }

    init(_ builtIn: AnySimulation) {
        (simulation, typed, plugin, file, limits) = (builtIn, builtIn.name, nil, nil, [])
    }

    /// `isNative` means that a native program computes the blocks of the file, and `isRun` that an author's `lane` is compared
    /// with the trials before anything is computed.
    init(_ typed: String, _ arguments: Arguments, isNative: Bool = false, isRun: Bool = false) throws {
        self.typed = typed
        let limits = try PluginArguments.limits(arguments)
        self.limits = PluginArguments.words(limits)
        if PluginFiles.isFile(typed) {
            let file = try PluginFiles.module(typed)
            let plugin = try PluginFiles.plugin(typed, of: file, limits)
            self.file = file
            self.plugin = plugin
            let computed =
                isNative
                ? plugin.native(try PluginFiles.native(typed, of: plugin, features: Vectors.chosen.features))
                : plugin.simulation
            let single = isRun ? try PluginFiles.single(typed, limits)?.simulation : nil
            simulation = CrashReport.locating(single.map(computed.compared) ?? computed, typed, plugin)
        } else {
            file = nil
            plugin = nil
            simulation = try SimulationsCommand.find(typed)
        }
    }

    /// The simulation of a module that was compiled of the file `typed`.
    init(_ typed: String, module: [UInt8], _ limits: PluginLimits) throws {
        let plugin = try PluginFiles.plugin(typed, of: module, limits)
        (self.typed, self.limits, file, self.plugin) = (typed, PluginArguments.words(limits), module, plugin)
        simulation = CrashReport.locating(plugin.simulation, typed, plugin)
    }

    /// The simulation of a kept run. `typed` is what the user typed when the run began. Throws if the same version is
    /// not available.
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

    /// The module for nodes that lack the simulation: the file's, or the one bundled with this program; nil if there is
    /// none.
    var octets: [UInt8]? { file ?? BundledModules.own.module(of: simulation)?.octets }

    /// The job's reference to the file's module; nil if the simulation is built in.
    var reference: BlobReference? { file.flatMap { BlobReference(ofModule: $0) } }

    /// The hash of the module for other nodes.
    var module: String? { plugin?.hash ?? BundledModules.own.module(of: simulation)?.hash }

    /// Returns the error for the user, with the `replay` command for a plugin whose block failed.
    func explain(_ failure: JobError, _ plan: RunPlan) -> String {
        let why = failure.description
        // Begin at the sandbox's own message if there is one: what the engine puts before it only repeats it. The
        // message of another node has the simulation's name in place of the file's.
        let labels = [typed, simulation.name]
        let said = labels.lazy.compactMap { why.firstRange(of: "\($0), seed ") }.first
        let isNamed = labels.contains { why.hasPrefix("\($0): ") }
        // A search has no seed, and its point is no block that a person could look into.
        let failed = failure.failure.block
        let own = failed.flatMap { failed in
            labels.contains { failed.text.hasPrefix("\($0): ") } ? failed.text : nil
        }
        let what = said.map { String(why[$0.lowerBound...]) } ?? own ?? (isNamed ? why : "\(simulation.name): \(why)")
        let isKeeping = [SimulationFailure.keepsSomething, SandboxError.keeping].contains(where: what.contains)
        guard let plugin, let block = failed?.block, !isKeeping else {
            return KeptVariables.named(what, self, parameters: plan.parameters, tables: plan.tables) + advice(plan)
        }
        let located = CrashReport.located(what, typed, plugin) {
            $0.failure(parameters: plan.parameters, tables: plan.tables, seed: plan.seed, block: block)
        }
        guard !SimulationFailure.isOfNoTrial(what) else { return located + advice(plan) }
        var words = ["potluck replay \(ShellWord.quoted(typed))"]
        for (parameter, slot) in zip(simulation.parameters, plan.parameters) where slot != parameter.standard {
            words.append("-p \(parameter.label)=\(parameter.text(of: slot))")
        }
        words += plan.inputs.map(\.option) + limits
        words.append("--seed \(plan.seed) --block \(block)")
        return "\(located)\(advice(plan)); to find the trial: \(words.joined(separator: " "))"
    }

    /// A simulation may do without its files. If it fails, their lack is a likely cause.
    private func advice(_ plan: RunPlan) -> String {
        let lacking = simulation.inputs.map(\.name).filter { name in !plan.inputs.contains { $0.name == name } }
        guard !lacking.isEmpty else { return "" }
        return "; no file was given, so try \(lacking.map { "--input \($0)=FILE" }.joined(separator: " "))"
    }
}
