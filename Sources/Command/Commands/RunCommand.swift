import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckJSON
import PotluckKit
import PotluckModel

/// `potluck run`: computes a simulation on this machine.
enum RunCommand {
    static let verb = Verb(
        declaration: Command(
            "run", "compute a simulation on this machine",
            positionals: [Positional("NAME", "the simulation; potluck simulations lists them")],
            options: [
                RunPlan.trials.declaration, RunPlan.until.declaration, RunPlan.duration.declaration,
                RunPlan.parameter.declaration, RunPlan.seed.declaration, RunPlan.cores.declaration,
                RunPlan.json.declaration,
            ],
            details: [
                "It stops at the first of --trials, --until and --for. Without any of them it runs until Ctrl-C, which "
                    + "ends it at the next block and shows what came of it; a second Ctrl-C ends it at once.",
                "The same simulation, parameters, seed and trials give the same digest on every machine.",
                "For example: potluck run monty-hall --trials 1e9 --seed 1",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let plan = try RunPlan(arguments, cores: Machine.cores, seed: Machine.drawSeed())
        let run: LocalRun
        do throws(ParameterError) {
            run = try LocalRun(
                plan.simulation, parameters: plan.parameters, seed: plan.seed, goal: plan.goal, cores: plan.cores)
        } catch {
            throw Failure(message: "\(plan.simulation.name) cannot be run with these parameters")
        }
        Interrupts.stop { run.stop() }

        let labels = JobLabels(plan.simulation)
        if let screen = Screen.find(orStdout: !plan.json) {
            let view = JobView(labels)
            for await snapshot in run.snapshots { screen.draw { view.lines(snapshot, on: $0) } }
            screen.clear()
        } else {
            var progress = ProgressLine(labels)
            for await snapshot in run.snapshots {
                if let text = progress.text(snapshot) { try? Output.write(text + "\n", to: STDERR_FILENO) }
            }
        }
        return try conclude(plan, labels, await run.result)
    }

    private static func conclude(_ plan: RunPlan, _ labels: JobLabels, _ result: JobResult) throws -> ExitCode {
        let digest = result.digest
        if plan.json {
            try Output.write(RunJSON.value(result, digest: digest, plan: plan).text + "\n")
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(ResultView(labels).lines(result, digest: digest, on: canvas)))
        }
        let spoilt = result.readings.filter(\.isSpoilt).map(\.name)
        if !spoilt.isEmpty {
            throw Failure(
                message:
                    "\(spoilt.joined(separator: ", ")): \(plan.simulation.name) counted something that is not a number "
                    + "or too large; its author must mend it")
        }
        return result.completion == .stopped ? Interrupts.asked ?? .success : .success
    }
}
