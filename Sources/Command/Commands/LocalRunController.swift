import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// A new or resumed run on this machine alone: computes it, shows it, records it in the history, and keeps it for
/// `resume`.
struct LocalRunController {
    let chosen: ChosenSimulation
    let plan: RunPlan
    let arguments: Arguments
    /// Keeps the run's ledger on disk; nil if the run cannot be resumed.
    let keeper: RunKeeper?
    /// Milliseconds since 1970.
    let startedAt: Int64
    let priority: Priority
    private let solutions: Solutions
    private let ending: FinishedRun

    init(
        _ chosen: ChosenSimulation, _ plan: RunPlan, _ arguments: Arguments, keeper: RunKeeper?, startedAt: Int64
    ) throws {
        (self.chosen, self.plan, self.arguments) = (chosen, plan, arguments)
        (self.keeper, self.startedAt) = (keeper, startedAt)
        solutions = Solutions(.init(simulation: plan.simulation, tables: plan.tables))
        ending = FinishedRun(
            chosen: chosen, inputs: plan.inputs, format: .init(json: plan.json, csv: plan.csv), startedAt: startedAt,
            tables: plan.tables, solutionFile: try SolutionFile(plan.prepared, arguments))
        priority = try arguments[ComputeArguments.ownPriority] ?? .normal
    }

    /// Runs until the end and returns the exit code. `beginning` is printed to stderr once Ctrl-C would stop the run
    /// cleanly.
    func attend(_ run: LocalRun, _ output: RunOutput? = nil, beginning: String? = nil) async throws -> ExitCode {
        Interrupts.stop { run.stop() }
        if let beginning { Output.complain(beginning) }
        let onStdout = output?.isStdout != true && ending.solutionFile?.isStdout != true
        let view = LocalRunView(arguments, solutions)
        if arguments[JobArguments.progress] {
            await view.print(run, to: onStdout ? STDOUT_FILENO : STDERR_FILENO)
        } else {
            await view.show(run, orStdout: onStdout && !plan.json && !plan.csv)
        }
        let result: JobResult
        do throws(JobError) {
            result = try await run.result
        } catch {
            // If a block cannot be computed, a resumed run would fail in the same way, so it is not kept.
            _ = keeper?.end(isOver: error.failure.block != nil)
            throw Failure(message: chosen.explain(error, plan))
        }
        // Show the result first, because the store may have to wait for another process. Record it even if stdout
        // fails.
        let conclusion = Result {
            try output?.write(result) { try run.output(of: result, $0) }
            return try ending.print(
                result, solution: solutions.octets(of: result, nil), to: onStdout ? STDOUT_FILENO : STDERR_FILENO)
        }
        if !arguments[StateDirectory.ephemeral], let job = await run.job {
            ending.record(result, key: RunRecord.key(ofOneMachines: job), arguments)
        }
        // Do this last: until the result is recorded, a crash must leave the run resumable.
        leave(result)
        return try conclusion.get()
    }

    /// Says how to resume the run if it was stopped, or why it cannot be resumed.
    private func leave(_ result: JobResult) {
        let isStopped = result.completion == .stopped
        switch keeper?.end(isOver: !isStopped) {
        case .kept(let job):
            Output.complain("to resume this run: \(KeptRunArguments.command(job, arguments))")
        case .impossible(let why): Output.complain("this run cannot be resumed: \(why)")
        case .nothing: break
        case nil:
            guard isStopped, !arguments[StateDirectory.ephemeral] else { break }
            Output.complain("this run cannot be resumed because it reads or writes files; the same command starts over")
        }
    }
}
