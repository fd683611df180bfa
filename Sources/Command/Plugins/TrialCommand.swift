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
                "Each trial is told by what it counts, and by what a simulation of yours notes with note(\"…\"), or in Python "
                    + "self.note(\"…\"). At the end come the readings of all of them.",
                "A trial is the first of a block of its own, so these are not the first trials of 'potluck run'.",
            ],
            examples: ["trial monty-hall", "trial coupon-collector -p kinds=10 --trials 20 --seed 7"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let path = arguments[0] ?? ""
        let (count, seed) = (try arguments[trials] ?? 1, try arguments[seed] ?? Machine.drawSeed())
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.simulation
        guard simulation.shape == .tally else {
            throw Failure(message: "\(simulation.name) has no trials; 'potluck run \(simulation.name)' computes it")
        }
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let prepared = try RunPlan.prepared(simulation, parameters, tables)
        let logging =
            PluginFiles.isSimulation(path)
            ? try PluginFiles.plugin(path, try PluginArguments.limits(arguments), .logging) : nil
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        var played = SingleTrials(of: prepared, logging: logging, tables: tables, seed: seed)
        var last: SingleTrials.Outcome?
        try write([StyledLine("\(simulation.name), seed \(seed)")], canvas)
        while played.count < count {
            do throws(SimulationFailure) {
                let outcome = try played.play()
                last = outcome
                try? write(TrialView.lines(played.count, outcome.alone, notes: outcome.notes, on: canvas), canvas)
            } catch {
                throw Failure(message: "\(simulation.name), seed \(seed), trial \(played.count + 1): \(error.reason)")
            }
        }
        guard count > 1, let last else { return .success }
        try write([StyledLine(), StyledLine("after \(count) trials")] + TrialView.sum(last.all, on: canvas), canvas)
        return .success
    }

    private static func write(_ lines: [StyledLine], _ canvas: Canvas) throws {
        try Output.write(canvas.text(lines))
    }
}
