import Potluck
import PotluckCore
import PotluckScreen

/// The options of `serve` and `peer` for a job that they start themselves.
enum StartArguments {
    static let run = Option(
        "run", "NAME", "run this simulation, or the simulation in this file, when the session starts", in: .compute,
        CommonOptions.text)

    /// `--output -` is refused in `task`, because stdout shows the session.
    private static let output = RunOutput.option("write the simulation's output to this file")

    static let options =
        [run.declaration] + RunPlan.options + JobArguments.options
        + [output.declaration, FileWriter.force.declaration, JobArguments.hideExact.declaration]

    /// Returns the job to start, if any, and the settings of the screen.
    static func task(_ arguments: Arguments, cores: Int, runsOnBattery: Bool) throws -> SessionTask {
        var task = SessionTask()
        if let typed = try arguments[run] {
            let chosen = try ChosenSimulation(typed, arguments, isRun: true)
            let plan = try RunPlan(
                chosen.simulation, arguments, cores: Machine.cores, seed: Machine.drawSeed())
            task = try SessionTask(chosen, plan, arguments)
            if task.output?.isStdout == true {
                throw UsageError(
                    "--output - is not possible here because stdout shows the session; use --output FILE, or 'potluck run --session'"
                )
            }
        } else if let stray = (RunPlan.options + [output.declaration] + JobArguments.options)
            .first(where: { arguments.has($0) })
        {
            throw UsageError("--\(stray.name) applies to a job; name the simulation with --run NAME")
        }
        task.hidesExact = arguments[JobArguments.hideExact]
        task.runsOnBattery = runsOnBattery
        task.cores = cores
        return task
    }
}

extension SessionTask {
    /// Drops the order if the ledger has the same job unfinished, so that the same command after a crash resumes it.
    mutating func dropOrder(thatIsIn ledger: NodeLedger, _ arguments: Arguments) {
        guard let wanted = order, let job = ledger.job(like: wanted, anySeed: !arguments.has(RunPlan.seed.declaration))
        else { return }
        guard tables.isEmpty else {
            // The journal does not contain the tables. Forget the old job, so that the new order starts over with them.
            ledger.store?.forget(job)
            return
        }
        order = nil
        unfinished = job
        Output.complain("resuming unfinished job \(job); no new job is started")
    }
}
