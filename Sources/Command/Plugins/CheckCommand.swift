import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck check`: checks a simulation against the rules that make results exact.
enum CheckCommand {
    private static let quick = Flag("quick", "compute only four blocks for each rule", in: .limits)

    static let verb = Verb(
        declaration: Command(
            "check", "check a simulation against the rules that make results exact",
            positionals: [
                Positional(
                    "FILE", "a simulation in Swift or Python, a module, or a built-in simulation's name",
                    values: .found(.simulation))
            ],
            options: [RunPlan.parameter.declaration, RunPlan.input.declaration, quick.declaration]
                + PluginArguments.options,
            details: [
                "A check computes many blocks, in several orders and splits. It takes some seconds. The first blocks of a file in "
                    + "Python are computed by Python, too."
            ],
            examples: ["check doublets/doublets.swift"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.plugin.map { CrashReport.locating($0.unheld, chosen.typed, $0) } ?? chosen.simulation
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let prepared = try RunPlan.prepared(simulation, parameters, tables)
        let twin = catalogue.first { $0.name == simulation.name && $0.source == simulation.source }
        let native = chosen.plugin == nil ? nil : try? twin?.prepared(parameters, tables: tables)
        let hasLanes = chosen.plugin != nil && simulation.shape == .tally
        let depth: LawCheck.Depth = arguments[quick] ? .quick : .deep
        let check = LawCheck(
            prepared, native: native,
            plain: hasLanes ? prepared.plain.map { prepared.computed(by: $0) } : nil,
            single: try chosen.plugin.flatMap { try PluginFiles.single(chosen.typed, $0.limits) }.flatMap {
                try? $0.simulation.prepared(parameters, tables: tables)
            },
            remembered: arguments[quick] ? nil : KeptVariables.names(chosen, parameters: parameters, tables: tables),
            depth: depth)
        let python = python(chosen, prepared, tables, check, depth)

        func located(_ text: String) -> String {
            let text = KeptVariables.named(text, chosen, parameters: parameters, tables: tables)
            guard let plugin = chosen.plugin, let block = check.failure?.block else { return text }
            return CrashReport.located(text, chosen.typed, plugin) {
                $0.failure(parameters: parameters, tables: tables, seed: LawCheck.seed, block: block)
            }
        }
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        let lines = (check.findings + python).map { finding in
            switch finding.grade {
            case .kept: StyledLine("ok      \(finding.text)", .good)
            case .broken: StyledLine("BROKEN  \(located(finding.text))", .bad)
            case .remark: StyledLine("note    \(finding.text)", .warning)
            }
        }
        try Output.write(canvas.text(lines))
        guard check.isKept, !python.contains(where: { $0.grade == .broken }) else {
            throw Failure(message: "\(simulation.name) breaks the rules marked BROKEN above")
        }
        return .success
    }

    /// What Python itself computes of a file in Python, compared with the module.
    private static func python(
        _ chosen: ChosenSimulation, _ prepared: PreparedSimulation, _ tables: [Table], _ check: LawCheck,
        _ depth: LawCheck.Depth
    ) -> [LawCheck.Finding] {
        guard chosen.typed.hasSuffix(".py"), let plugin = chosen.plugin else { return [] }
        return PythonCheck(chosen.typed, plugin, prepared, tables).findings(after: check.failure, depth)
    }
}
