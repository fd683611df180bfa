import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckKit
import PotluckModel
import PotluckSystem

/// A new or resumed run on this machine alone: computes it, shows it, records it in the history, and keeps it for
/// `resume`.
struct LocalRunController {
    let subject: Subject
    let plan: RunPlan
    let arguments: Arguments
    /// Keeps the run's ledger on disk; nil if the run cannot be resumed.
    let keeper: RunKeeper?
    /// Milliseconds since 1970.
    let startedAt: Int64
    let priority: Computing.Priority
    private let solutions: Solutions

    init(
        _ subject: Subject, _ plan: RunPlan, _ arguments: Arguments, keeper: RunKeeper?, startedAt: Int64
    ) throws {
        (self.subject, self.plan, self.arguments) = (subject, plan, arguments)
        (self.keeper, self.startedAt) = (keeper, startedAt)
        solutions = Solutions(.init(simulation: plan.simulation, tables: plan.tables))
        priority = try arguments[ComputeArguments.ownPriority] ?? .normal
    }

    /// Runs until the end and returns the exit code. `beginning` is printed to stderr once Ctrl-C would stop the run
    /// cleanly.
    func attend(_ run: LocalRun, _ output: RunOutput? = nil, beginning: String? = nil) async throws -> ExitCode {
        Interrupts.stop { run.stop() }
        if let beginning { Output.complain(beginning) }
        let onStdout = output?.isStdout != true
        if arguments[JobArguments.progress] {
            await printProgress(run, to: onStdout ? STDOUT_FILENO : STDERR_FILENO)
        } else {
            await show(run, orStdout: onStdout && !plan.json && !plan.csv)
        }
        let result: JobResult
        do throws(JobFailed) {
            result = try await run.result
        } catch {
            // If a block cannot be computed, a resumed run would fail in the same way, so it is not kept.
            _ = keeper?.end(isOver: error.block != nil)
            throw Failure(message: subject.explain(error, plan))
        }
        // Show the result first, because the store may have to wait for another process. Record it even if stdout
        // fails.
        let conclusion = Result {
            try output?.write(result) { try run.output(of: result, $0) }
            return try conclude(result, onStdout ? STDOUT_FILENO : STDERR_FILENO)
        }
        if !arguments[StateDirectory.ephemeral], let job = await run.job { record(result, of: job) }
        // Do this last: until the result is recorded, a crash must leave the run resumable.
        leave(result)
        return try conclusion.get()
    }

    private func printProgress(_ run: LocalRun, to descriptor: Int32) async {
        for await snapshot in run.snapshots {
            solutions.follow(snapshot, run.search(of: snapshot.id))
            let event = JobJSON.value(.snapshot(snapshot), solution: solutions.latest(of: snapshot.id))
            do {
                try Output.write(event.text + "\n", to: descriptor)
            } catch {
                // Nobody reads it. Printing the result will fail, too, and say so.
                run.stop()
            }
        }
    }

    private func show(_ run: LocalRun, orStdout: Bool) async {
        // Without a reader, snapshots would pile up.
        if arguments[LogArguments.quiet] {
            for await _ in run.snapshots {}
            return
        }
        let clock = BootClock()
        guard let screen = ClusterScreen(orStdout: orStdout, clock: clock) else {
            var progress = ProgressLine(unicode: Environment.isUnicode)
            for await snapshot in run.snapshots {
                for text in progress.lines(snapshot) { try? Output.write(text + "\n", to: STDERR_FILENO) }
            }
            return
        }
        let takesKeys = screen.watchKeys { action in
            switch action {
            case .quit: Interrupts.ask(with: SIGINT)
            case .command(.cancel, _): run.stop()
            case .command(.pause, _): run.pause()
            case .command(.resume, _): run.resume()
            case .command(.reveal, _), .command(.hide, _), .answer, .otherWords, .repaint: break
            }
        }
        let hidesExact = arguments[JobArguments.hideExact]
        var estimate = Estimate()
        for await snapshot in run.snapshots {
            estimate.note(snapshot, at: clock.now)
            solutions.follow(snapshot, run.search(of: snapshot.id))
            var picture = ClusterPicture(
                jobs: [snapshot], commandable: [snapshot.id], hidesExact: hidesExact, leaving: .stops,
                takesKeys: takesKeys)
            picture.estimates = [snapshot.id: estimate]
            picture.solutions = solutions.pictures
            screen.show(picture)
        }
        screen.end()
    }

    private func conclude(_ result: JobResult, _ descriptor: Int32) throws -> ExitCode {
        let digest = result.digest
        let solution = solutions.octets(of: result, nil)
        if plan.json {
            let members = RunJSON.members(result, digest: digest, of: plan.simulation, solution: solution)
            try Output.write(JSON.object(members).text + "\n", to: descriptor)
        } else if plan.csv {
            try Output.write(RecordCSV.text([(nil, record(of: result, key: ""))]), to: descriptor)
        } else {
            try ResultOutput.show(
                result, digest: digest, typed: subject.typed, inputs: plan.inputs,
                solution: solution, on: descriptor)
        }
        ResultOutput.remark(on: result, solution)
        try ResultOutput.check(result, of: plan.simulation)
        return result.completion == .stopped ? Interrupts.asked ?? .success : .success
    }

    private func record(of result: JobResult, key: String) -> RunRecord {
        RunRecord(
            key: key, result, of: plan.simulation, file: subject.plugin == nil ? nil : subject.typed,
            inputs: plan.inputs, digest: result.digest, startedAt: startedAt)
    }

    private func record(_ result: JobResult, of job: JobID) {
        let record = record(of: result, key: RunRecord.key(ofOneMachines: job))
        let path = { try StoreArguments.path(arguments) }
        for line in RunRecorder.record(record, mayBeKnown: true, at: path) { Output.complain(line) }
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
