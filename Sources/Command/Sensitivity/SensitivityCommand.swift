import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck sensitivity`: how much of a reading's variance each parameter explains.
enum SensitivityCommand {
    /// Enough for indices within about 0.1 of their values.
    private static let standardRows = 1024
    /// The most rows times the points of each. Their values and points fit into memory many times.
    private static let mostPoints = 1_000_000

    private static let parameter = Option(
        "parameter", short: "p", "NAME=RANGE", "draw a parameter from a range, such as 0..1, or set it to a value",
        in: .compute, repeats: true, RunPlan.nameAndValue)
    private static let trials = Option(
        "trials", "N", "trials at each point", in: .limits, default: "1", Quantities.trials)
    private static let rows = Option(
        "rows", "N", "draw N rows; with k ranges each row has k + 2 points", in: .limits, default: "\(standardRows)"
    ) { (text) throws(ValueError) -> Int in
        let count = try Quantities.trials(text)
        guard count >= 64, count <= UInt64(mostPoints) else { throw ValueError("must be from 64 to \(mostPoints)") }
        // The intervals come from groups of equally many rows.
        let groups = UInt64(SobolIndices.groups)
        return Int((count + groups - 1) / groups * groups)
    }

    static let verb = Verb(
        declaration: Command(
            "sensitivity", "measure how much of a reading's variance each parameter explains",
            positionals: [Positional.simulation],
            options: [
                parameter.declaration, RunPlan.input.declaration, RunPlan.seed.declaration, rows.declaration,
                trials.declaration,
            ] + UnrecordedPoints.options,
            details: [
                "Draws the parameters uniformly from their ranges, runs the simulation at each point, and prints the Sobol "
                    + "indices of each reading with their 95 % intervals (±). The first one is the part of the variance that "
                    + "the parameter explains alone; the total one also has what it explains together with others.",
                "The two points of a row have a seed each, and the first one shares it with those that differ from it by one "
                    + "parameter. Use enough --trials that the noise of a point is small against the differences between "
                    + "points: noise belongs to no parameter and makes every first index smaller.",
                UnrecordedPoints.help,
            ],
            examples: [
                "sensitivity gamblers-ruin -p stake=5..15 -p p=0.45..0.55 --trials 1e3",
                "sensitivity epidemic.py -p contagion=0.2..0.4 -p recovery=0.05..0.15",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.simulation
        guard simulation.shape == .tally else {
            throw UsageError(
                "\(simulation.name) draws no trials; 'potluck run' with several values shows how it differs")
        }
        try UnrecordedPoints.refuseStray(arguments)
        let places = try ChosenReadings.places(arguments, of: simulation)
        let given = try arguments.all(parameter)
        let ranges = try given.compactMap { try ParameterRange($0.name, $0.value, of: simulation) }
        let single = given.filter { pair in !ranges.contains { $0.name == pair.name } }
        let fixed = try RunPlan.parameters(single, of: simulation)
        guard !ranges.isEmpty else {
            throw UsageError("no range to draw from; give a parameter one, such as -p NAME=0..1")
        }
        if let twice = ranges.first(where: { range in given.count { $0.name == range.name } > 1 }) {
            throw UsageError("parameter '\(twice.name)' is given twice")
        }
        let rows = try arguments[rows] ?? standardRows
        guard rows * (ranges.count + 2) <= mostPoints else {
            throw UsageError("more than \(mostPoints) points; use fewer --rows")
        }
        let files = try RunPlan.Files(simulation, arguments)
        let plan = SensitivityPlan(
            chosen: chosen, ranges: ranges, fixed: fixed, files: files,
            seed: try arguments[RunPlan.seed] ?? Machine.drawSeed(), rows: rows,
            trials: try arguments[trials] ?? 1, places: places)
        let points = try plan.points()
        var values = [[Double?]](repeating: [], count: points.count)
        Interrupts.stop {}
        let work = UnrecordedPoints(
            chosen: chosen, tables: files.tables, points: points, name: { plan.name(of: points[$0]) }, warned: 1,
            arguments: arguments)
        let isComplete = try await work.compute { index, result in
            values[index] = places.map { result.readings[$0].value }
        }
        guard isComplete else {
            Output.complain("stopped before all points were computed")
            return Interrupts.asked ?? .failure
        }
        let found = try plan.indices(values)
        let command = try UnrecordedPoints.command(
            "sensitivity", chosen, given, files,
            ["--rows \(rows)", "--trials \(Figures.typed(plan.trials))", "--seed \(plan.seed)"], arguments)
        if arguments[RunPlan.json] {
            try Output.write(plan.json(found, command).text + "\n")
        } else if arguments[UnrecordedPoints.csv] {
            try Output.write(plan.csv(found))
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(plan.lines(found, command, on: canvas)))
        }
        return .success
    }
}
