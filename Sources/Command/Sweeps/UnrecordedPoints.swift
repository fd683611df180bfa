import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Points of a simulation that a command computes for a result of its own: on this machine or in a session, as those of
/// a sweep, but without a table and without the history.
struct UnrecordedPoints {
    /// The options for where they are computed and what is shown of them.
    static let options =
        [
            ComputeArguments.cores.declaration, ComputeArguments.ownPriority.declaration,
            RunCommand.session.declaration,
        ] + JobArguments.ofSession + PluginArguments.options + [
            ChosenReadings.option.declaration, RunPlan.json.declaration, csv.declaration,
        ] + LogArguments.options + StateDirectory.options + GuestSession.options

    static let csv = Flag("csv", "print comma-separated values", in: .output)

    /// What the help of these commands says of the history.
    static let help = "Potluck does not record these runs; the nodes of a session record them as they do all jobs."

    /// The command that computes the same again on any machine, as words that must not be broken.
    static func command(
        _ verb: String, _ chosen: ChosenSimulation, _ parameters: [(name: String, value: String)],
        _ files: RunPlan.Files,
        _ limits: [String], _ arguments: Arguments
    ) throws -> [String] {
        ["potluck", verb, ShellWord.shown(chosen.typed)]
            + parameters.map { "-p " + ShellWord.shown("\($0.name)=\($0.value)") } + files.inputs.map(\.option)
            + (try arguments.all(ChosenReadings.option)).map { "--reading " + ShellWord.shown($0) } + limits
    }

    let chosen: ChosenSimulation
    let tables: [Table]
    let points: [LocalSweep.Point]
    /// How the user knows a point.
    let name: @Sendable (Int) -> String
    /// The first points, whose results may be warned of.
    let warned: Int
    let arguments: Arguments

    /// Throws if an option has no effect where the user wants the points.
    static func refuseStray(_ arguments: Arguments) throws {
        if !arguments.has(RunCommand.session.declaration) {
            try JobArguments.refuse(JobArguments.ofSession + GuestSession.options, in: arguments)
        } else if arguments.has(ComputeArguments.cores.declaration) {
            throw UsageError("--cores applies to this machine, not to a session; leave it out")
        }
        ComputeArguments.remark(on: try arguments[ComputeArguments.cores])
    }

    /// Computes all of them, and calls `take` as each ends. Returns false if Ctrl-C stopped it.
    func compute(_ take: (Int, JobResult) throws -> Void) async throws -> Bool {
        let work = try await start()
        Interrupts.stop(with: work.stop)
        if Interrupts.asked != nil { work.stop() }
        let isHidden =
            arguments[LogArguments.quiet]
            || (arguments[RunPlan.json] || arguments[Self.csv]) && isatty(STDOUT_FILENO) == 1
        let progress = SweepProgress(chosen.simulation.name, points: points.count, known: 0, isQuiet: isHidden)
        defer { progress.end() }
        var left = points.count
        do {
            for await news in work.news {
                switch news {
                case .progress(let index, let snapshot): progress.note(index, snapshot)
                case .stopped: break
                case .ended(let index, let result):
                    try ResultOutput.check(result, of: chosen.simulation)
                    if index < warned {
                        ResultWarnings.say(
                            ResultWarnings.of(result, chosen, tables, isShown: true).map { "\(name(index)): \($0)" })
                    }
                    left -= 1
                    progress.ended(index)
                    try take(index, result)
                case .failed(let index, let error): throw Failure(message: "\(name(index)): \(error)")
                case .broken(let error): throw Failure(message: error.description)
                }
            }
        } catch {
            work.stop()
            // Jobs in a session are cancelled meanwhile.
            for await _ in work.news {}
            throw error
        }
        if left > 0, Interrupts.asked == nil {
            throw Failure(message: "\(left) of \(points.count) points were cancelled; the same command starts over")
        }
        return left == 0
    }

    private func start() async throws -> SweepWork {
        if let session = try arguments[RunCommand.session] {
            let jobs = SessionSweep.Jobs(
                todo: Array(points.indices), name: name,
                order: { [chosen, tables, points, arguments] index in
                    let point = points[index]
                    return try JobArguments.placed(
                        chosen.simulation.order(
                            parameters: point.parameters, tables: tables, seed: point.seed, goal: point.goal), arguments
                    )
                })
            return try await SessionSweep.start(
                jobs, in: session, JobCargo(module: chosen.octets, tables: tables), arguments)
        }
        let cores = try arguments[ComputeArguments.cores] ?? ComputeArguments.standardCores()
        let priority = try arguments[ComputeArguments.ownPriority] ?? .normal
        do throws(JobError) {
            return SweepWork(
                try LocalSweep(
                    chosen.simulation, points, tables: tables, cores: cores, priority: priority,
                    module: chosen.reference))
        } catch {
            throw Failure(message: "\(error)")
        }
    }
}
