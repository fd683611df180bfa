import Potluck
import PotluckCore
import PotluckScreen

/// The options of `serve` and `peer` for a job that they start themselves.
enum StartArguments {
    static let run = Option(
        "run", "NAME", "run this simulation, or the simulation in this file, when the session starts", in: .compute,
        values: .found(.simulation), CommonOptions.text)

    /// `--output -` is refused in `job`, because stdout shows the session.
    private static let output = RunOutput.option("write the simulation's output to this file")

    static let options =
        [run.declaration] + RunPlan.options + JobArguments.options
        + [
            output.declaration, FileWriter.force.declaration, JobArguments.slow.declaration,
            JobArguments.hideExact.declaration,
        ]

    /// Returns the job to start; nil if there is none.
    static func job(_ arguments: Arguments) throws -> SubmittedJob? {
        guard let typed = try arguments[run] else {
            let ofJob = RunPlan.options + [output.declaration, JobArguments.slow.declaration] + JobArguments.options
            if let stray = ofJob.first(where: { arguments.has($0) }) {
                throw UsageError("--\(stray.name) applies to a job; name the simulation with --run NAME")
            }
            return nil
        }
        let chosen = try ChosenSimulation(typed, arguments, isRun: true)
        let plan = try RunPlan(chosen.simulation, arguments, cores: Machine.cores, seed: Machine.drawSeed())
        let job = try SubmittedJob(chosen, plan, arguments)
        if job.solutionFile != nil {
            throw UsageError("--output is not possible for a search here; use 'potluck run --session'")
        }
        if job.output?.isStdout == true {
            throw UsageError(
                "--output - is not possible here because stdout shows the session; use --output FILE, or 'potluck run --session'"
            )
        }
        return job
    }
}
