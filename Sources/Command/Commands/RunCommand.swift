import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckJSON
import PotluckJournal
import PotluckKit
import PotluckModel
import PotluckSystem

/// `potluck run`: computes a simulation, on this machine or in a session.
enum RunCommand {
    static let session = Option("session", "SESSION", "have everybody in this session compute it") {
        (text) throws(ValueError) -> SessionID in
        guard let id = SessionID(text) else { throw ValueError("not a session's name") }
        return id
    }
    private static let ofSession = JobArguments.options + Visit.options

    static let verb = Verb(
        declaration: Command(
            "run", "compute a simulation on this machine, or in a session",
            positionals: [Positional("NAME", "the simulation, or the file of one; potluck simulations lists them")],
            options: RunPlan.options + [
                ComputeArguments.cores.declaration, ComputeArguments.priority.declaration, RunPlan.json.declaration,
                JobArguments.hideExact.declaration, RunOutput.option.declaration, session.declaration,
                StateDirectory.option.declaration, StateDirectory.ephemeral.declaration,
            ] + PluginArguments.options + ofSession,
            details: [
                "It stops at the first of --trials, --until and --for. Without any of them it runs until Ctrl-C, which "
                    + "ends it at the next block and shows what came of it; a second Ctrl-C ends it at once.",
                "The same simulation, parameters, seed and trials give the same digest on every machine, and in every session.",
                "A file is a simulation of your own, in Swift or as a module; potluck new makes one to begin with.",
                "With --session everybody there computes it and sees it. Ctrl-C only looks away then: the job goes on.",
                "What came of it is recorded: potluck history lists it, potluck report makes a page of it.",
                "For example: potluck run monty-hall --trials 1e9 --seed 1",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let subject = try Subject(arguments)
        let plan = try RunPlan(subject.simulation, arguments, cores: Machine.cores, seed: Machine.drawSeed())
        let hidesExact = arguments[JobArguments.hideExact]
        if let session = try arguments[session] {
            guard plan.prepared.writes == .nothing, plan.tables.isEmpty else {
                throw Failure(
                    message: "a session adds up tallies, and \(plan.simulation.name) as it is set does more: leave out "
                        + "--session")
            }
            let local = [ComputeArguments.cores.declaration, ComputeArguments.priority.declaration]
            if let stray = local.first(where: { arguments.has($0) }) {
                throw UsageError(
                    "--\(stray.name) is about this machine alone: give it to potluck serve or join instead")
            }
            var purpose = try Purpose(subject, plan, arguments)
            purpose.hidesExact = hidesExact
            return try await SessionRun.run(purpose, in: session, arguments, isJSON: plan.json)
        }
        if let stray = ofSession.first(where: { arguments.has($0) && $0.environment == nil }) {
            throw UsageError("--\(stray.name) is about a session: say which with --session SESSION")
        }
        let output = try RunOutput(plan.simulation, plan.prepared, arguments)
        let priority = try arguments[ComputeArguments.priority] ?? .normal
        // Beside everything else that is this user's and need not last.
        let spool = plan.prepared.writes == .nothing ? "/var/tmp" : try StateDirectory.find(arguments).path
        let run: LocalRun
        do throws(ParameterError) {
            run = try LocalRun(
                plan.simulation, parameters: plan.parameters, tables: plan.tables, seed: plan.seed, goal: plan.goal,
                cores: plan.cores, priority: priority, spool: spool)
        } catch {
            throw Failure(message: "\(plan.simulation.name) cannot be run with these parameters")
        }
        Interrupts.stop { run.stop() }
        let startedAt = WallClock.now
        let onStdout = output?.isStdout != true
        await show(run, orStdout: onStdout && !plan.json, hidesExact: hidesExact)
        let result: JobResult
        do throws(JobFailed) {
            result = try await run.result
        } catch {
            throw Failure(message: subject.explain(error, plan))
        }
        // Shown first, because a store can make people wait; recorded even where stdout takes nothing.
        let conclusion = Result {
            try output?.write(run, result, plan.simulation.layout)
            return try conclude(plan, result, typed: subject.typed, onStdout ? STDOUT_FILENO : STDERR_FILENO)
        }
        if !arguments[StateDirectory.ephemeral] {
            let record = RunRecord(
                key: RunRecorder.key(), result, of: plan.simulation, inputs: plan.inputs, digest: result.digest,
                startedAt: startedAt)
            for line in RunRecorder.record(record, at: { try StoreArguments.path(arguments) }) { Output.complain(line) }
        }
        return try conclusion.get()
    }

    private static func show(_ run: LocalRun, orStdout: Bool, hidesExact: Bool) async {
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
        for await snapshot in run.snapshots {
            screen.show(
                ClusterPicture(
                    jobs: [snapshot], commandable: [snapshot.id], hidesExact: hidesExact, leaving: .stops,
                    takesKeys: takesKeys))
        }
        screen.end()
    }

    private static func conclude(
        _ plan: RunPlan, _ result: JobResult, typed: String, _ descriptor: Int32
    ) throws -> ExitCode {
        let digest = result.digest
        if plan.json {
            let members = RunJSON.members(result, digest: digest, of: plan.simulation)
            try Output.write(JSON.object(members).text + "\n", to: descriptor)
        } else {
            try ResultOutput.show(result, digest: digest, typed: typed, inputs: plan.inputs, on: descriptor)
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
