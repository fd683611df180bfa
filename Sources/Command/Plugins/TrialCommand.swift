import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck trial`: plays single trials of a simulation and tells what came of each.
enum TrialCommand {
    /// More trials than anybody reads one by one.
    private static let most: UInt64 = 1000
    /// With more trials, nobody looks at the picture of each.
    private static let mostDrawn: UInt64 = 10

    private static let trials = Option("trials", "N", "how many trials to play", in: .compute, default: "1") {
        (text) throws(ValueError) -> UInt64 in
        guard let count = UInt64(text), (1...most).contains(count) else {
            throw ValueError("must be from 1 to \(most)")
        }
        return count
    }
    private static let seed = Option(
        "seed", "S", "the seed; the same seed plays the same trials", in: .compute, default: "random", Quantities.seed)

    static let verb = Verb(
        declaration: Command(
            "trial", "play single trials, and see what comes of each",
            positionals: [Positional.simulation],
            options: [
                trials.declaration, seed.declaration, RunPlan.parameter.declaration, RunPlan.input.declaration,
            ] + PluginArguments.options,
            details: [
                "Each trial is told by what it counts and by what the simulation notes, in yours with note(\"…\") or in Python "
                    + "self.note(\"…\"). At the end come the readings of all of them.",
                "A simulation may draw its trials. On a terminal the picture moves; elsewhere you see how it ends. "
                    + "With more than \(mostDrawn) trials there are no pictures.",
                "A trial is the first of a block of its own, so these are not the first trials of 'potluck run'.",
            ],
            examples: ["trial monty-hall", "trial coupon-collector -p kinds=10 --trials 20 --seed 7"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let (count, seed) = (try arguments[trials] ?? 1, try arguments[seed] ?? Machine.drawSeed())
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.simulation
        guard simulation.shape == .tally else {
            throw Failure(message: "\(simulation.name) has no trials; 'potluck run \(simulation.name)' computes it")
        }
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let prepared = try RunPlan.prepared(simulation, parameters, tables)
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        let module = try chosen.octets.map {
            try chosen.plugin ?? PluginFiles.plugin(chosen.typed, of: $0, try PluginArguments.limits(arguments))
        }
        if module == nil {
            Output.complain(
                "no notes and no picture: the module of \(simulation.name) is missing; run 'make build', or install potluck "
                    + "together with its folder lib/potluck")
        }
        var played = SingleTrials(of: prepared, module: module, tables: tables, seed: seed)
        var last: SingleTrials.Outcome?
        try write([StyledLine("\(simulation.name), seed \(seed)")], canvas)
        while played.count < count {
            let outcome: SingleTrials.Outcome
            do throws(SimulationFailure) {
                outcome = try played.play()
            } catch {
                throw Failure(message: "\(simulation.name), seed \(seed), trial \(played.count + 1): \(error.reason)")
            }
            last = outcome
            try await show(played.count, outcome, isDrawn: count <= mostDrawn, on: canvas)
        }
        guard count > 1, let last else { return .success }
        try write([StyledLine(), StyledLine("after \(count) trials")] + TrialView.sum(last.all, on: canvas), canvas)
        return .success
    }

    /// Writes what came of a trial. On a terminal its picture moves before.
    private static func show(
        _ number: UInt64, _ outcome: SingleTrials.Outcome, isDrawn: Bool, on canvas: Canvas
    ) async throws {
        let lines = TrialView.lines(number, outcome.alone, outcome.log, isDrawn: isDrawn, on: canvas)
        guard isDrawn, isatty(STDOUT_FILENO) == 1, Terminal.isCapable else { return try write(lines, canvas) }
        var redraw = Redraw()
        let (moments, pause) = TrialView.animation(of: outcome.log.frames.count)
        for frames in moments {
            try Output.write(redraw.frame(TrialView.picture(outcome.log, after: frames, on: canvas), on: canvas))
            try await Task.sleep(for: pause)
        }
        try Output.write(redraw.frame(lines, on: canvas))
    }

    private static func write(_ lines: [StyledLine], _ canvas: Canvas) throws {
        try Output.write(canvas.text(lines))
    }
}
