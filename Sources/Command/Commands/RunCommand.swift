import Potluck
import PotluckArguments
import PotluckJournal
import PotluckKit
import PotluckModel

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
                ComputeArguments.cores.declaration, ComputeArguments.ownPriority.declaration, RunPlan.json.declaration,
                JobArguments.hideExact.declaration, RunOutput.option.declaration, session.declaration,
                StateDirectory.option.declaration, StateDirectory.ephemeral.declaration,
            ] + PluginArguments.options + ofSession,
            details: [
                "It stops at the first of --trials, --until and --for. Without any of them it runs until Ctrl-C, which "
                    + "ends it at the next block and shows what came of it; a second Ctrl-C ends it at once.",
                "The same simulation, parameters, seed and trials give the same digest on every machine, and in every session.",
                "A file is a simulation of your own, in Swift or as a module; potluck new makes one to begin with.",
                "With --session everybody there computes it and sees it. Ctrl-C only looks away then: the job goes on, and what it "
                    + "writes goes nowhere.",
                "What came of it is recorded: potluck history lists it, potluck report makes a page of it.",
                "One that was stopped or killed after its first second can be gone on with: potluck resume.",
                "For example: potluck run monty-hall --trials 1e9 --seed 1",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let subject = try Subject(arguments)
        let plan = try RunPlan(subject.simulation, arguments, cores: Machine.cores, seed: Machine.drawSeed())
        if let session = try arguments[session] {
            let local = [ComputeArguments.cores.declaration, ComputeArguments.ownPriority.declaration]
            if let stray = local.first(where: { arguments.has($0) }) {
                throw UsageError(
                    "--\(stray.name) is about this machine alone: give it to potluck serve or join instead")
            }
            var purpose = try Purpose(subject, plan, arguments)
            purpose.hidesExact = arguments[JobArguments.hideExact]
            return try await SessionRun.run(purpose, in: session, arguments, isJSON: plan.json)
        }
        if let stray = ofSession.first(where: { arguments.has($0) && $0.environment == nil }) {
            throw UsageError("--\(stray.name) is about a session: say which with --session SESSION")
        }
        let output = try RunOutput(plan.simulation, plan.prepared, arguments)
        // Beside everything else that is this user's and need not last.
        let spool = plan.prepared.writes == .nothing ? "/var/tmp" : try StateDirectory.find(arguments).spool
        let errand = try LocalErrand(
            subject, plan, arguments, keeper: RunKeeper(subject, plan, arguments), startedAt: WallClock.now)
        let run: LocalRun
        do throws(ParameterError) {
            run = try LocalRun(
                plan.simulation, parameters: plan.parameters, tables: plan.tables, seed: plan.seed, goal: plan.goal,
                cores: plan.cores, priority: errand.priority, spool: spool,
                module: subject.plugin == nil ? nil : subject.octets.flatMap { BlobReference(ofModule: $0) },
                keeper: errand.keeper)
        } catch {
            throw Failure(message: "\(plan.simulation.name) cannot be run with these parameters")
        }
        return try await errand.attend(run, output)
    }
}
