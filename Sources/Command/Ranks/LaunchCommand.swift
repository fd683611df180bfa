import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckRanks
import PotluckScreen

/// `potluck launch`: runs a program with ranks.
enum LaunchCommand {
    static let ranks = Option(
        "ranks", short: "n", "N", "start N ranks, each a thread", in: .compute, default: "one on each core"
    ) { (text) throws(ValueError) -> Int in
        guard let count = Int(text), (1...RankLimits.ranks).contains(count) else {
            throw ValueError("must be from 1 to \(RankLimits.ranks)")
        }
        return count
    }
    static let seed = Option(
        "seed", "S", "seed of the ranks' random numbers", in: .compute, default: "0", Quantities.seed)
    static let synchronous = Flag(
        "synchronous", "let each send wait until it is received, to find deadlocks that buffers hide", in: .compute)
    private static let priority = ComputeArguments.priority(unlessSaid: .interactive)
    static let output = RunOutput.option("write what rank 0 writes as output to this file, or to stdout with -")
    static let trace = Option(
        "trace", "FILE", "write a timeline for chrome://tracing or Perfetto", in: .output, CommonOptions.file)
    static let plain = Flag("plain", "print the lines of ranks without the rank in front", in: .output)
    static let summary = Flag("summary", "at the end, print a table of messages and waiting times", in: .output)

    static let verb = Verb(
        declaration: Command(
            "launch", "run a program whose ranks send messages to each other, as with MPI",
            positionals: [
                Positional("FILE", "the program: a Swift file, a C file, or a module"),
                Positional(
                    "ARGUMENT",
                    "an argument of the program; after -- if it begins with a dash; first, more files of a program in C",
                    required: false, repeats: true),
            ],
            options: [
                ranks.declaration, parameter.declaration, RunPlan.input.declaration, seed.declaration,
                synchronous.declaration, PluginArguments.memory.declaration, priority.declaration,
            ] + SourceArguments.options + LaunchPlace.options + [
                output.declaration, trace.declaration, CommonOptions.jsonLines.declaration, plain.declaration,
                summary.declaration, FileWriter.force.declaration,
            ] + LogArguments.options + StateDirectory.options + GuestSession.options,
            details: [
                "Each rank is a thread that runs the whole program in a sandbox. Ranks differ by their number. There may "
                    + "be more ranks than cores.",
                "The same number of ranks, parameters and seed give the same output on every machine, as long as the "
                    + "program does not depend on which message comes first or on the time.",
                "If no rank can go on because each waits for another, the program ends and says who waits for whom.",
                "With --session, the ranks run on the laptops of a session, those with the most cores first, and the program "
                    + "travels to them. A guest may start one if the server was started with --guests submit.",
                "A lost laptop ends the program. With --restarts, a program that calls checkpoint starts again on the other "
                    + "laptops.",
                "docs/FROM-MPI.md translates the calls of MPI. Examples/Ranks has programs to begin with.",
            ],
            examples: [
                "launch -n 4 ring.swift", "launch -n 8 heat.swift -p size=400 --output plate.pgm",
                "launch -n 4 hello.c", "launch -n 4 average.c -- 1000 --verbose",
                "launch -n 4 main.c util.c -D N=5 -I include",
                "launch heat.swift --session Monty --restarts 2 --output plate.pgm",
                "launch life.swift --session Monty --map ana:4,bob:2",
            ]), run: run)

    static let parameter = Option(
        "parameter", short: "p", "NAME=VALUE", "set a parameter", in: .compute, repeats: true, RunPlan.nameAndValue)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let typed = arguments[0] ?? ""
        guard PluginFiles.isFile(typed) else {
            throw UsageError(
                "\(Spelling.quoted(typed)) is not a file; name a program, such as \(typed).swift, or see "
                    + "'potluck run' for simulations")
        }
        let place = try LaunchPlace(arguments)
        let sources = try SourceArguments.sources(arguments)
        let (module, octets) = try PluginFiles.rankModule(typed, sources, try arguments[PluginArguments.memory]) {
            if !arguments[LogArguments.quiet] { try? Output.write($0 + "\n", to: STDERR_FILENO) }
        }
        let plan = try LaunchPlan(module, octets, arguments, sources: 1 + (sources?.others.count ?? 0))
        let controller = try LaunchController(plan, arguments)
        guard let place else {
            let priority = try arguments[priority] ?? .interactive
            return try await controller.run(
                LocalLaunch(plan, cores: Machine.cores, priority: priority, controller.printer))
        }
        if arguments.has(priority.declaration) {
            throw UsageError(
                "--priority applies to this machine, not to a session; use it with 'potluck serve' or 'potluck join'")
        }
        if let obstacle = plan.start.tables.obstacle { throw Failure(message: obstacle) }
        let guest = try await GuestSession(place.session, arguments)
        defer { guest.end() }
        let launch = try await GuestLaunch(plan, place, guest, controller.printer)
        return try await controller.run(launch)
    }
}
