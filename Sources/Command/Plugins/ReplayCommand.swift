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
            positionals: [Positional("FILE", "a simulation in Swift or Python, or a module")],
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
        guard PluginFiles.isFile(path) else {
            throw UsageError("\(Spelling.path(path)) is not a file; only simulations in files can be replayed")
        }
        guard let seed = try arguments[seed] else {
            throw UsageError(
                "missing option --seed; usage: potluck replay FILE --seed S --block B")
        }
        let block = try arguments[block] ?? 0
        let chosen = try ChosenSimulation(arguments)
        guard let plugin = chosen.plugin else { return .failure }
        let parameters = try RunPlan.parameters(try arguments.all(RunPlan.parameter), of: plugin.simulation)
        let tables = try RunPlan.tables(try arguments.all(RunPlan.input), of: plugin.simulation)
        let prepared = try RunPlan.prepared(plugin.simulation, parameters, tables)
        if let units = prepared.units {
            let last = (units - 1) / UInt64(prepared.blockSize)
            guard block <= last else {
                throw UsageError(
                    "--block must be at most \(last) for \(plugin.simulation.name) with these parameters")
            }
        }
        let limits = try PluginArguments.limits(arguments)
        let logging = PluginFiles.isSimulation(path) ? try PluginFiles.plugin(path, limits, .logging) : nil
        let replay = try Replay(
            of: plugin, logging: logging, parameters: parameters, tables: tables, seed: seed, block: block
        ) { try? Output.write("Looking for the trial that never ends …\n", to: STDERR_FILENO) }

        var lines: [String] = replay.log.map { "  " + Self.shown($0) }
        let place = "\(plugin.simulation.name), seed \(seed), block \(block)"
        guard let problem = replay.problem else {
            if !lines.isEmpty { lines.insert("The last notes:", at: 0) }
            let what =
                prepared.search == nil ? "all \(replay.trials) trials succeed" : "the search of this point succeeds"
            lines.append("\(place): \(what).")
            try write(lines)
            return .success
        }
        // Only simulations with the shape `tally` have lanes.
        let lane = plugin.shape == .tally ? ", trial \(problem.trialOfLane) of lane \(problem.lane)" : ""
        let trial = "trial \(problem.trial) of the block\(lane)"
        lines.insert(lines.isEmpty ? "The trial noted nothing." : "The trial's notes:", at: 0)
        lines.insert("\(place): \(trial), counted from 0.", at: 0)
        try write(lines)
        let reason = CrashReport.located(problem.reason, path, plugin) {
            $0.failure(parameters: parameters, tables: tables, seed: seed, block: block)
        }
        throw Failure(message: "\(place), trial \(problem.trial): \(reason)")
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
