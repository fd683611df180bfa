import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckJSON
import PotluckJournal
import PotluckKit
import PotluckModel
import PotluckSystem

/// A run on this machine alone from its beginning, or from where somebody left it, to what is said, recorded and kept of it.
struct LocalErrand {
    let subject: Subject
    let plan: RunPlan
    let arguments: Arguments
    /// Where it is written down; nil where it cannot be gone on with.
    let keeper: RunKeeper?
    /// Milliseconds since 1970.
    let startedAt: Int64
    let priority: Computing.Priority

    init(
        _ subject: Subject, _ plan: RunPlan, _ arguments: Arguments, keeper: RunKeeper?, startedAt: Int64
    ) throws {
        (self.subject, self.plan, self.arguments) = (subject, plan, arguments)
        (self.keeper, self.startedAt) = (keeper, startedAt)
        priority = try arguments[ComputeArguments.ownPriority] ?? .normal
    }

    /// `beginning` is said as soon as Ctrl-C ends the run in good order.
    func attend(_ run: LocalRun, _ output: RunOutput? = nil, beginning: String? = nil) async throws -> ExitCode {
        Interrupts.stop { run.stop() }
        if let beginning { Output.complain(beginning) }
        let onStdout = output?.isStdout != true
        await show(run, orStdout: onStdout && !plan.json)
        let result: JobResult
        do throws(JobFailed) {
            result = try await run.result
        } catch {
            // Where a block cannot be computed nobody would get any further.
            _ = keeper?.end(isOver: error.block != nil)
            throw Failure(message: subject.explain(error, plan))
        }
        // Shown first, because a store can make people wait; recorded even where stdout takes nothing.
        let conclusion = Result {
            try output?.write(result) { try run.output(of: result, $0) }
            return try conclude(result, onStdout ? STDOUT_FILENO : STDERR_FILENO)
        }
        if !arguments[StateDirectory.ephemeral], let job = await run.job { record(result, of: job) }
        // Only then: until it is recorded somebody can go on with it.
        leave(result)
        return try conclusion.get()
    }

    private func show(_ run: LocalRun, orStdout: Bool) async {
        guard let screen = ClusterScreen(orStdout: orStdout, clock: BootClock()) else {
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
            case .answer, .repaint: break
            }
        }
        let hidesExact = arguments[JobArguments.hideExact]
        for await snapshot in run.snapshots {
            screen.show(
                ClusterPicture(
                    jobs: [snapshot], commandable: [snapshot.id], hidesExact: hidesExact, leaving: .stops,
                    takesKeys: takesKeys))
        }
        screen.end()
    }

    private func conclude(_ result: JobResult, _ descriptor: Int32) throws -> ExitCode {
        let digest = result.digest
        if plan.json {
            let members = RunJSON.members(result, digest: digest, of: plan.simulation)
            try Output.write(JSON.object(members).text + "\n", to: descriptor)
        } else {
            try ResultOutput.show(result, digest: digest, typed: subject.typed, inputs: plan.inputs, on: descriptor)
        }
        try ResultOutput.check(result, of: plan.simulation)
        return result.completion == .stopped ? Interrupts.asked ?? .success : .success
    }

    private func record(_ result: JobResult, of job: JobID) {
        let record = RunRecord(
            key: RunRecord.key(ofOneMachines: job), result, of: plan.simulation,
            file: subject.plugin == nil ? nil : subject.typed, inputs: plan.inputs, digest: result.digest,
            startedAt: startedAt)
        let path = { try StoreArguments.path(arguments) }
        for line in RunRecorder.record(record, mayBeKnown: true, at: path) { Output.complain(line) }
    }

    /// Says how to go on with what was stopped.
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
