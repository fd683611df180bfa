import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck difference`: by how much the readings of two settings differ, when both meet the same random numbers.
enum DifferenceCommand {
    static let parameter = Option(
        "parameter", short: "p", "NAME=VALUES", "set a parameter to one value, or to those to compare: 2,3 or 2..5",
        in: .compute, repeats: true, RunPlan.nameAndValue)
    private static let until = Option(
        "until", "PRECISION",
        "stop when the interval of each shown difference is within ± PRECISION: 0.0001, or 1% of the difference; "
            + "'wait<0.1' judges only that of this reading",
        in: .limits, Quantities.precision)
    private static let trials = Option(
        "trials", "N", "stop after N trials of each setting", in: .limits, Quantities.trials)

    /// The most settings of one command. A table of more is unreadable.
    private static let mostSettings = 100

    static let verb = Verb(
        declaration: Command(
            "difference", "compare settings that meet the same random numbers",
            positionals: [Positional.simulation],
            options: [
                parameter.declaration, RunPlan.input.declaration, RunPlan.seed.declaration, trials.declaration,
                until.declaration,
            ] + UnrecordedPoints.options,
            details: [
                "Runs every setting with the same seeds, and prints how much each reading differs from that of the first "
                    + "setting. Trials that meet the same customers or the same dice differ only by the setting, so the "
                    + "difference has a much narrower 95 % interval (± 95 %) than that of two separate runs (± unpaired). The "
                    + "last column says by how much its variance is divided: how many times the trials two separate runs "
                    + "would need.",
                "The interval is a jackknife over \(SettingTallies.groups) groups of trials, so every reading with a value has "
                    + "one. Trials stay in step as long as both settings draw equally often; named streams keep what is "
                    + "drawn for one purpose in step.",
                UnrecordedPoints.help,
            ],
            examples: [
                "difference gamblers-ruin -p p=0.5,0.49 --trials 1e6",
                "difference tills.swift -p tills=2,3 --reading wait --until 1%",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.simulation
        guard simulation.shape == .tally else {
            throw UsageError("\(simulation.name) draws no trials, so its settings cannot meet the same random numbers")
        }
        try UnrecordedPoints.refuseStray(arguments)
        let goal = Goal(trials: try arguments[trials], precision: try arguments[until])
        guard goal != Goal() else { throw UsageError("missing option --trials or --until, so that it ends") }
        let places = try ChosenReadings.places(arguments, of: simulation)
        let shown = places.map { simulation.readings[$0].name }
        for name in goal.precision?.names.map(\.reading) ?? [] where !shown.contains(name) {
            throw ChosenReadings.unknown(name, "among those shown", of: simulation, among: shown)
        }
        let choices = try ParameterChoices(try arguments.all(parameter), of: simulation, most: mostSettings)
        let files = try RunPlan.Files(simulation, arguments)
        let settings = try choices.combinations.map { given in
            let parameters = try RunPlan.parameters(given, of: simulation)
            return ComparedSetting(
                name: Sweep.name(choices.varied, ParameterChoices.values(of: choices.varied, in: given)),
                parameters: parameters, prepared: try RunPlan.prepared(simulation, parameters, files.tables))
        }
        guard settings.count > 1 else {
            throw UsageError("no settings to compare; give a parameter two values, such as -p NAME=2,3")
        }
        if Set(settings.map(\.parameters)).count < settings.count {
            throw UsageError("two settings are equal; give each value once")
        }
        remark(on: settings)
        let plan = DifferencePlan(
            chosen: chosen, settings: settings, files: files, seed: try arguments[RunPlan.seed] ?? Machine.drawSeed(),
            goal: goal, places: places)
        return try await DifferenceController(plan, arguments).run()
    }

    /// A lane of a longer block has more trials, so the trials of the next lane meet other numbers.
    private static func remark(on settings: [ComparedSetting]) {
        let sizes = Set(settings.map(\.prepared.blockSize)).sorted()
        guard sizes.count > 1 else { return }
        Output.complain(
            "the settings' blocks have \(sizes.map { "\($0)" }.joined(separator: " and ")) trials, so only some trials meet "
                + "the same random numbers; a block size that does not depend on these parameters pairs all of them")
    }
}
