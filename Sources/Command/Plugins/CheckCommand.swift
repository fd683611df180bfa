import Glibc
import PotluckArguments
import PotluckCatalogue
import PotluckConsole
import PotluckKit
import PotluckSandbox

/// `potluck check`: checks a simulation against the rules that make results exact.
enum CheckCommand {
    static let verb = Verb(
        declaration: Command(
            "check", "check a simulation against the rules that make results exact",
            positionals: [Positional("FILE", "a simulation in Swift, a module, or a built-in simulation's name")],
            options: [RunPlan.parameter.declaration, RunPlan.input.declaration] + PluginArguments.options,
            examples: ["check doublets/doublets.swift"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let subject = try Subject(arguments)
        let simulation = subject.simulation
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let prepared = try RunPlan.prepared(simulation, parameters, tables)
        let twin = catalogue.first { $0.name == simulation.name && $0.source == simulation.source }
        let native = subject.plugin == nil ? nil : try? twin?.prepared(parameters, tables: tables)
        let check = LawCheck(prepared, native: native)

        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        let lines = check.findings.map { finding in
            switch finding.grade {
            case .kept: Line("ok      \(finding.text)", .good)
            case .broken: Line("BROKEN  \(finding.text)", .bad)
            case .remark: Line("note    \(finding.text)", .warning)
            }
        }
        try Output.write(canvas.text(lines))
        guard check.isKept else { throw Failure(message: "\(simulation.name) breaks the rules marked BROKEN above") }
        return .success
    }
}
