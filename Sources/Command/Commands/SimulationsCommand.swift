import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck simulations`: lists the simulations or explains one.
enum SimulationsCommand {
    private static let json = CommonOptions.json

    static let verb = Verb(
        declaration: Command(
            "simulations", "list simulations or explain one",
            positionals: [
                Positional(
                    "NAME", "a simulation or its file (default: list all)", required: false, values: .found(.simulation)
                )
            ],
            options: [json.declaration] + PluginArguments.options), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        if arguments[0] != nil {
            let chosen = try ChosenSimulation(arguments)
            let simulation = chosen.simulation
            try Output.write(
                arguments[json]
                    ? SimulationJSON.value(simulation, module: chosen.module).text + "\n"
                    : canvas.text(
                        SimulationsView.explain(
                            simulation, typed: chosen.typed, travels: chosen.module != nil, on: canvas)))
        } else {
            try Output.write(
                arguments[json]
                    ? JSON(
                        catalogue.map {
                            SimulationJSON.value($0, module: BundledModules.own.module(of: $0)?.hash)
                        }
                    ).text + "\n"
                    : canvas.text(SimulationsView.list(catalogue, on: canvas)))
        }
        return .success
    }

    /// Returns the built-in simulation of that name. Throws with a hint if there is none.
    static func find(_ name: String) throws(UsageError) -> AnySimulation {
        if let simulation = builtIns.first(where: { $0.name == name }) { return simulation }
        // `potluck new NAME` creates a folder with a file of that name, so suggest it.
        let files =
            ["\(name)/\(name)", name].flatMap { stem in [".swift", ".py"].map { stem + $0 } } + ["\(name).wasm"]
        for file in files where access(file, R_OK) == 0 {
            throw UsageError(
                "unknown simulation \(Spelling.quoted(name)); did you mean the file \(Spelling.path(file))?")
        }
        let hint = Spelling.hint(for: name, among: catalogue.map(\.name))
        throw UsageError(
            "unknown simulation \(Spelling.quoted(name))"
                + (hint.isEmpty ? "; 'potluck simulations' lists them" : hint))
    }
}
