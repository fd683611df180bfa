import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// `potluck merge`: puts the partial files of a job together.
enum MergeCommand {
    static let watch = Flag("watch", "show the tally of the files that are there, until all are", in: .output)
    /// How often `--watch` looks for new files. A file system over the network tells of none.
    private static let pause = Duration.milliseconds(500)

    static let verb = Verb(
        declaration: Command(
            "merge", "put together the parts of a job that shards computed",
            positionals: [
                Positional("FILE", "partial files, or folders that have them", repeats: true)
            ],
            options: [
                watch.declaration, PartialSimulation.simulation.declaration, RunPlan.input.declaration,
                RunPlan.json.declaration, RunPlan.csv.declaration, RunOutput.option.declaration,
                FileWriter.force.declaration, JobArguments.hideExact.declaration,
            ] + PluginArguments.options + LogArguments.options + StateDirectory.options,
            details: [
                "The result is that of one run with all trials: same tally, same digest. Potluck records it in the history.",
                "Each file is checked. Potluck names those that are missing, damaged, of another job or there twice.",
                "See 'potluck run --shard' for how to compute the parts.",
            ],
            examples: ["merge parts/", "merge shard-*.part --json", "merge --watch parts/"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let format = FinishedRun.Format(json: arguments[RunPlan.json], csv: arguments[RunPlan.csv])
        try RunPlan.refuseBoth(json: arguments[RunPlan.json], csv: arguments[RunPlan.csv])
        let paths = PartialPaths(given: arguments.positionals)
        let collection = arguments[watch] ? try await watched(paths, arguments) : try read(paths, arguments)
        guard let collection else { return Interrupts.asked ?? .failure }
        guard let result = collection.run.result() else {
            let advice =
                collection.merge.job.goal.precision == nil
                ? "merge again when all parts are there" : "'potluck campaign' continues it"
            throw Failure(message: "missing: \(collection.missing); \(advice)")
        }
        return try conclude(result, collection, format, arguments)
    }

    /// Prints and records the result.
    static func conclude(
        _ result: JobResult, _ collection: PartialCollection, _ format: FinishedRun.Format, _ arguments: Arguments
    ) throws -> ExitCode {
        let shared = collection.shared
        let output = try RunOutput(shared.chosen.simulation, shared.prepared, arguments)
        if output != nil, let file = collection.files.first(where: { $0.run.output == nil && !$0.run.slice.isEmpty }) {
            throw Failure(
                message: "\(Spelling.path(file.path)) has no output; compute the shards again with --with-output")
        }
        let ending = FinishedRun(
            chosen: shared.chosen, inputs: shared.job.inputs, format: format, startedAt: collection.run.startedAt,
            tables: shared.tables, solutionFile: try SolutionFile(shared.prepared, arguments))
        let solutions = Solutions(.init(simulation: shared.chosen.simulation, tables: shared.tables))
        let conclusion = Result {
            try output?.write(result) { try collection.output($0) }
            return try ending.print(
                result, solution: solutions.octets(of: result, nil),
                to: output?.isStdout == true || ending.solutionFile?.isStdout == true ? STDERR_FILENO : STDOUT_FILENO)
        }
        if !arguments[StateDirectory.ephemeral] {
            ending.record(result, key: RunRecord.key(ofOneMachines: collection.run.id), arguments)
        }
        return try conclusion.get()
    }

    /// Reads all files; throws if one is damaged or does not fit.
    private static func read(_ paths: PartialPaths, _ arguments: Arguments) throws -> PartialCollection {
        var collection: PartialCollection?
        var seen: Set<String> = []
        for path in try paths.files() where seen.insert(path).inserted {
            let file = try PartialFile(named: path)
            if collection == nil { collection = PartialCollection(try PartialSimulation(file.run.job, arguments)) }
            try collection?.add(file)
        }
        guard let collection else {
            let names = paths.given.map { Spelling.path($0) }.joined(separator: ", ")
            throw Failure(
                message: "\(names) has no file that ends in \(PartialPaths.ending); 'potluck run --shard' writes them")
        }
        return collection
    }

    // MARK: Watching

    /// Reads files as they appear, and shows what they have so far. Returns nil if the user stops it.
    private static func watched(_ paths: PartialPaths, _ arguments: Arguments) async throws -> PartialCollection? {
        Interrupts.stop {}
        var view = MergeView(arguments)
        defer { view.end() }
        var collection: PartialCollection?
        var seen: Set<String> = []
        var unreadable = UnreadableParts()
        while Interrupts.asked == nil {
            for path in try paths.files() where !seen.contains(path) {
                guard let file = unreadable.read(path, tell: { view.complain($0) }) else { continue }
                seen.insert(path)
                if collection == nil { collection = PartialCollection(try PartialSimulation(file.run.job, arguments)) }
                try collection?.add(file)
            }
            if let collection {
                if collection.run.result() != nil { return collection }
                view.show(collection)
            } else {
                view.wait(for: paths)
            }
            try? await Task.sleep(for: pause)
        }
        return nil
    }
}

/// What the user sees of a merge that waits for files.
private struct MergeView {
    private let arguments: Arguments
    private let clock = BootClock()
    private let screen: ClusterScreen?
    private var hasTold = false
    /// The number of files at the last line.
    private var files = 0

    init(_ arguments: Arguments) {
        self.arguments = arguments
        let isText = !arguments[RunPlan.json] && !arguments[RunPlan.csv]
        screen = arguments[LogArguments.quiet] ? nil : ClusterScreen(orStdout: isText, clock: clock)
    }

    mutating func wait(for paths: PartialPaths) {
        guard !hasTold, !arguments[LogArguments.quiet] else { return }
        hasTold = true
        Output.complain(
            "waiting for the first partial file in \(paths.given.map { Spelling.path($0) }.joined(separator: ", "))")
    }

    mutating func show(_ collection: PartialCollection) {
        guard !arguments[LogArguments.quiet], collection.files.count != files else { return }
        files = collection.files.count
        guard let screen else {
            Output.complain("\(files) \(files == 1 ? "part" : "parts") there; missing: \(collection.missing)")
            return
        }
        screen.show(
            ClusterPicture(
                jobs: [collection.run.snapshot], hidesExact: arguments[JobArguments.hideExact], leaving: .detaches,
                takesKeys: false))
    }

    /// Prints a line about a file, above the picture if there is one.
    mutating func complain(_ line: String) {
        guard let screen else { return Output.complain(line) }
        screen.printAbove { Output.complain(line) }
        // So that the picture is drawn again below it.
        files = 0
    }

    func end() { screen?.end() }
}
