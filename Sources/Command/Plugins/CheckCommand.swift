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
            positionals: [Positional("FILE", "a simulation in Swift, a module, or a built-in simulation's name")],
            options: [RunPlan.parameter.declaration, RunPlan.input.declaration, quick.declaration]
                + PluginArguments.options,
            details: ["A check computes many blocks, in several orders and splits. It takes some seconds."],
            examples: ["check doublets/doublets.swift"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let subject = try Subject(arguments)
        let simulation = subject.plugin.map { CrashReport.locating($0.unheld, subject.typed, $0) } ?? subject.simulation
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let prepared = try RunPlan.prepared(simulation, parameters, tables)
        let twin = catalogue.first { $0.name == simulation.name && $0.source == simulation.source }
        let native = subject.plugin == nil ? nil : try? twin?.prepared(parameters, tables: tables)
        let hasLanes = subject.plugin != nil && simulation.shape == .tally
        let check = LawCheck(
            prepared, native: native,
            plain: hasLanes ? prepared.plain.map { prepared.computed(by: $0) } : nil,
            single: try subject.plugin.flatMap { try PluginFiles.single(subject.typed, $0.limits) }.flatMap {
                try? $0.simulation.prepared(parameters, tables: tables)
            },
            remembered: arguments[quick] ? nil : KeptVariables.names(subject, parameters: parameters, tables: tables),
            depth: arguments[quick] ? .quick : .deep)

        func located(_ text: String) -> String {
            let text = KeptVariables.named(text, subject, parameters: parameters, tables: tables)
            guard let plugin = subject.plugin, let block = check.failure?.block else { return text }
            return CrashReport.located(text, subject.typed, plugin) {
                $0.failure(parameters: parameters, tables: tables, seed: LawCheck.seed, block: block)
            }
        }
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        let lines = check.findings.map { finding in
            switch finding.grade {
            case .kept: Line("ok      \(finding.text)", .good)
            case .broken: Line("BROKEN  \(located(finding.text))", .bad)
            case .remark: Line("note    \(finding.text)", .warning)
            }
        }
        try Output.write(canvas.text(lines))
        guard check.isKept else { throw Failure(message: "\(simulation.name) breaks the rules marked BROKEN above") }
        return .success
    }
}
