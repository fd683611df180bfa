import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// `potluck run`: computes a simulation on this machine or in a session.
enum RunCommand {
    static let session = Option("session", "SESSION", "compute it on all nodes of a session", in: .place) {
        (text) throws(ValueError) -> SessionID in
        guard let id = SessionID(text) else { throw ValueError("not a session name") }
        return id
    }
    private static let ofSession = JobArguments.ofSession + GuestSession.options

    static let verb = Verb(
        declaration: Command(
            "run", "run a simulation on this machine or in a session",
            positionals: [Positional.simulation],
            options: RunPlan.options + [
                PickedNames.flag.declaration, Sweep.file.declaration, Sweep.commonSeed.declaration,
                ComputeArguments.cores.declaration, ComputeArguments.ownPriority.declaration, session.declaration,
                ShardPlan.shard.declaration, WatchedRun.flag.declaration, NativeRun.flag.declaration,
            ] + JobArguments.options + PluginArguments.options + [
                RunPlan.json.declaration, JobArguments.progress.declaration, RunPlan.csv.declaration,
                RunOutput.option.declaration, ShardPlan.partial.declaration, ShardPlan.keepsOutput.declaration,
                FileWriter.force.declaration, JobArguments.hideExact.declaration,
                JobArguments.slow.declaration,
            ] + LogArguments.options + StateDirectory.options + GuestSession.options,
            details: [
                "A run stops at the first limit that it reaches, or at Ctrl-C. It then shows its result; a second Ctrl-C "
                    + "stops it without one. 'potluck resume' continues a stopped run.",
                "The same simulation, parameters, seed and trials give the same digest on every machine and in every "
                    + "session.",
                "To write your own simulation, begin with 'potluck new'.",
                "With --session, Ctrl-C only stops watching: the job continues, but its --output file is not written.",
                "A parameter may have several values: 3..10, 0.1..0.5:0.05 or 3,5,10. Potluck then runs every combination "
                    + "and prints a table. The seed of each is derived from --seed and its parameters.",
                "--native compiles a Swift file of your own for this machine and runs it outside of the sandbox, at the speed "
                    + "of a built-in simulation and with the same digest.",
                "With --shard, a batch engine such as Slurm computes the parts of one run as separate tasks, and 'potluck "
                    + "merge' puts them together.",
                "Potluck records each run. See 'potluck history' and 'potluck report'.",
            ],
            examples: [
                "run monty-hall --trials 1e9 --seed 1", "run pi --until 0.0001",
                "run --watch three-dice/three-dice.swift --trials 1e6",
                "run --native three-dice/three-dice.swift --trials 1e9",
                "run primes -p limit=1e6 -p list=yes --output -",
                "run monty-hall --trials 1e12 --seed 1 --shard 3/8 --partial parts/",
                "run monty-hall -p doors=3..10 --trials 1e8", "run tsp --pick",
                "run monty-hall --session Monty --trials 1e12",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        if arguments[JobArguments.progress], !arguments[RunPlan.json] {
            throw UsageError("--progress-json is used with --json")
        }
        let isNative = arguments[NativeRun.flag]
        if isNative { try NativeRun.check(arguments[0] ?? "", isInSession: try arguments[session] != nil) }
        if arguments[WatchedRun.flag] {
            let other = try arguments[session] != nil ? "session" : arguments[PickedNames.flag] ? "pick" : nil
            if let other { throw UsageError("--watch and --\(other) cannot be used together") }
            return try await WatchedRun(arguments[0] ?? "", words: Array(CommandLine.arguments.dropFirst())).play()
        }
        let chosen = try ChosenSimulation(arguments, isNative: isNative, isRun: true)
        var arguments = arguments
        if arguments[PickedNames.flag] {
            guard let picked = try await PickedNames.pick(for: chosen.simulation, arguments) else {
                return Interrupts.asked ?? .interrupted
            }
            arguments = picked
        }
        ComputeArguments.remark(on: try arguments[ComputeArguments.cores])
        if let shard = try ShardPlan(chosen, arguments) {
            try refuseSlow(arguments, "a shard")
            try refuseStray(arguments)
            return try await ShardController(shard, arguments).run()
        }
        if let sweep = try Sweep(chosen, arguments) {
            try refuseSlow(arguments, "a sweep")
            try refuseStray(arguments)
            return try await SweepController(sweep, arguments).run()
        }
        let plan = try RunPlan(chosen.simulation, arguments, cores: Machine.cores, seed: Machine.drawSeed())
        try refuseStray(arguments)
        RunOutput.remark(on: plan, arguments)
        if let session = try arguments[session] {
            return try await SessionRun.run(
                SubmittedJob(chosen, plan, arguments), in: session, arguments,
                .init(json: plan.json, csv: plan.csv))
        }
        let output = try RunOutput(plan.simulation, plan.prepared, arguments)
        // Output that cannot be written yet is kept in unnamed files in the state directory.
        let spool = plan.prepared.writes == .nothing ? "/var/tmp" : try StateDirectory.find(arguments).spool
        let controller = try LocalRunController(
            chosen, plan, arguments, keeper: RunKeeper(chosen, plan, arguments), startedAt: WallClock.now)
        let delay = try arguments[JobArguments.delay] ?? .zero
        let startsSlowly = try JobArguments.startsSlowly(plan, arguments)
        let run: LocalRun
        do throws(ParameterError) {
            run = try LocalRun(
                plan.simulation, parameters: plan.parameters, tables: plan.tables, seed: plan.seed, goal: plan.goal,
                delay: delay, cores: plan.cores, priority: controller.priority, spool: spool,
                keepsOutput: output != nil, module: chosen.reference, keeper: controller.keeper,
                startsSlowly: startsSlowly)
        } catch {
            throw Failure(cannotRun: plan.simulation.name, error)
        }
        return try await controller.attend(run, output)
    }

    private static func refuseSlow(_ arguments: Arguments, _ what: String) throws(UsageError) {
        if arguments[JobArguments.slow] { throw UsageError("--slow applies to one run, not to \(what)") }
    }

    /// Throws if an option has no effect where the user wants the run.
    private static func refuseStray(_ arguments: Arguments) throws(UsageError) {
        guard arguments.has(session.declaration) else {
            return try JobArguments.refuse(ofSession, in: arguments)
        }
        if arguments.has(ComputeArguments.cores.declaration) {
            throw UsageError(
                "--cores applies to this machine, not to a session; use it with 'potluck serve' or 'potluck join'")
        }
    }
}
