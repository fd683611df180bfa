import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck replay`: runs one block again to find the trial that fails.
enum ReplayCommand {
    private static let seed = Option(
        "seed", "S", "the run's seed, as in the error message", in: .compute, Quantities.seed)
    private static let block = Option("block", "B", "the block's number", in: .compute, default: "0") {
        (text) throws(ValueError) -> UInt64 in
        guard let number = UInt64(text), number < Goal.mostTrials else { throw ValueError("not a block number") }
        return number
    }

    static let verb = Verb(
        declaration: Command(
            "replay", "run one block again to find the trial that fails",
            positionals: [Positional.simulation],
            options: [
                seed.declaration, block.declaration, RunPlan.parameter.declaration, RunPlan.input.declaration,
            ] + PluginArguments.options,
            details: [
                "Replay shows what the simulation notes with note(\"…\"), or in Python self.note(\"…\"), in the trial that fails, or "
                    + "else at the block's end."
            ],
            examples: ["replay doublets/doublets.swift --seed 42 --block 7"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let path = arguments[0] ?? ""
        guard let seed = try arguments[seed] else {
            throw UsageError(
                "missing option --seed; usage: potluck replay SIMULATION --seed S --block B")
        }
        let block = try arguments[block] ?? 0
        let chosen = try ChosenSimulation(arguments)
        let simulation = chosen.simulation
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: simulation)
        let prepared = try RunPlan.prepared(simulation, parameters, tables)
        if let units = prepared.units {
            let last = (units - 1) / UInt64(prepared.blockSize)
            guard block <= last else {
                throw UsageError(
                    "--block must be at most \(last) for \(simulation.name) with these parameters")
            }
        }
        let replay: Replay
        if let plugin = chosen.plugin {
            replay = try Replay(of: plugin, parameters: parameters, tables: tables, seed: seed, block: block) {
                try? Output.write("Looking for the trial that never ends …\n", to: STDERR_FILENO)
            }
        } else {
            replay = Replay(ofBuiltIn: prepared, seed: seed, block: block)
        }

        var lines: [String] = replay.log.map { "  " + Self.shown($0) }
        let place = "\(simulation.name), seed \(seed), block \(block)"
        guard let problem = replay.problem else {
            if !lines.isEmpty { lines.insert("The last notes:", at: 0) }
            let what =
                prepared.search == nil
                ? "all \(replay.trials) \(simulation.unit.plural) succeed" : "the search of this point succeeds"
            lines.append("\(place): \(what).")
            try write(lines)
            return .success
        }
        let unit = prepared.search == nil ? simulation.unit : .trial
        // Only simulations with the shape `tally` have lanes.
        let lane = simulation.shape == .tally ? ", trial \(problem.trialOfLane) of lane \(problem.lane)" : ""
        let trial = "\(unit) \(problem.trial) of the block\(lane)"
        lines.insert(lines.isEmpty ? "The \(unit) noted nothing." : "The \(unit)'s notes:", at: 0)
        lines.insert("\(place): \(trial), counted from 0.", at: 0)
        try write(lines)
        let reason =
            chosen.plugin.map {
                CrashReport.located(problem.reason, path, $0) {
                    $0.failure(parameters: parameters, tables: tables, seed: seed, block: block)
                }
            } ?? problem.reason
        throw Failure(message: "\(place), \(unit) \(problem.trial): \(reason)")
    }

    private static func write(_ lines: [String]) throws {
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        try Output.write(canvas.text(lines.map { StyledLine($0) }))
    }

    /// A module's log may contain anything, so drop control and invisible characters.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
                }))
    }
}
