import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// The arguments of a shard, checked.
struct ShardPlan {
    static let shard = Option(
        "shard", "I/N", "compute only part I of N, or with 'auto' the part that Slurm, MPI or another engine names",
        in: .place
    ) { (text) throws(ValueError) -> ShardChoice in try ShardChoice(text) }
    static let partial = Option(
        "partial", "FILE", "where --shard writes its part: a file, or a folder that ends in /", in: .output,
        CommonOptions.file)
    static let keepsOutput = Flag(
        "with-output", "with --shard, keep the simulation's output in the partial file", in: .output)

    let chosen: ChosenSimulation
    let run: RunPlan
    let job: PartialRun.Job
    let number: ShardNumber
    let slice: Range<UInt64>
    let path: String
    let keepsOutput: Bool
    /// The engine that named the shard; nil if the user did.
    let engine: String?

    /// Returns nil without `--shard`.
    init?(_ chosen: ChosenSimulation, _ arguments: Arguments) throws {
        guard let choice = try arguments[Self.shard] else {
            if let stray = [Self.partial.declaration, Self.keepsOutput.declaration].first(where: { arguments.has($0) })
            {
                throw UsageError("--\(stray.name) is used with --shard")
            }
            return nil
        }
        guard let path = try arguments[Self.partial] else {
            throw UsageError("a shard writes a file; name it with --partial FILE, or a folder with --partial FOLDER/")
        }
        try Self.refuseStray(arguments, choice)
        try Self.requireSeed(of: chosen.simulation, arguments)
        let run = try RunPlan(chosen.simulation, arguments, cores: Machine.cores, seed: 0)
        guard run.goal.trials != nil || choice.round != nil else {
            throw UsageError("all shards need the same number of trials; add --trials N")
        }
        (number, engine) = try Self.number(choice)
        let job = try Self.job(chosen, run)
        let blocks = 0..<job.experiment.mostBlocks(of: job.goal)
        if let round = choice.round, round.upperBound > blocks.upperBound {
            throw UsageError("the job has only \(blocks.upperBound) blocks; use what 'potluck campaign' printed")
        }
        slice = number.part(of: choice.round ?? blocks)
        keepsOutput = arguments[Self.keepsOutput]
        if keepsOutput, run.prepared.writes == .nothing {
            throw UsageError(
                "\(chosen.simulation.name) writes no output with these parameters; leave out --with-output")
        }
        (self.chosen, self.run, self.job) = (chosen, run, job)
        self.path = Self.path(path, number)
        if let engine { try Self.refuseOtherCount(in: self.path, number, engine) }
    }

    /// Throws if the folder of a shard that an engine named has shards of another number. If only the failed tasks of
    /// an array are submitted again, the new array has another number of tasks, and so other shards.
    private static func refuseOtherCount(in path: String, _ number: ShardNumber, _ engine: String) throws(UsageError) {
        let end = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        // A user's own name of the file says nothing of others.
        guard path[end...] == number.fileName else { return }
        let folder = end == path.startIndex ? "./" : String(path[..<end])
        let others = names(inFolder: folder).sorted().compactMap { name in count(in: name).map { (name, $0) } }
        // This array was here before; a merge names what does not fit.
        guard !others.contains(where: { $0.1 == number.count }), let (other, count) = others.first else { return }
        throw UsageError(
            "\(Spelling.path(folder + other)) is one of \(count) shards, and \(engine) makes this one \(number); submit "
                + "the whole array again, use --shard I/\(count), or delete that file")
    }

    /// The number of shards in the name of a shard's file, finished or not; nil for other names.
    private static func count(in name: String) -> Int? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "shard", parts[2] == "of", Int(parts[1]) != nil else { return nil }
        let end = parts[3].split(separator: ".", maxSplits: 1)
        return end.count == 2 && end[1].hasPrefix(PartialPaths.ending.dropFirst()) ? Int(end[0]) : nil
    }

    /// Throws unless the shards of a simulation get the same random numbers.
    static func requireSeed(of simulation: AnySimulation, _ arguments: Arguments) throws(UsageError) {
        guard simulation.shape != .tally || arguments.has(RunPlan.seed.declaration) else {
            throw UsageError("all shards need the same seed; add --seed S with a number of your choice")
        }
    }

    /// The part of the job that this machine computes.
    var goal: Goal { Goal(trials: job.goal.trials, slice: slice) }

    private static func refuseStray(_ arguments: Arguments, _ choice: ShardChoice) throws {
        if arguments.has(RunPlan.duration.declaration) {
            throw UsageError(
                "a shard cannot end by the clock, because the result would not be repeatable; use --trials")
        }
        if arguments.has(RunPlan.until.declaration), choice.round == nil {
            throw UsageError(
                "a shard cannot know when all of them together are precise enough; use 'potluck campaign' with --until")
        }
        let sweeps = [Sweep.file.declaration, Sweep.commonSeed.declaration]
        if let sweep = sweeps.first(where: { arguments.has($0) }) {
            throw UsageError("--shard is for one run and --\(sweep.name) for many; shard each of them by itself")
        }
        guard !arguments.has(JobArguments.delay.declaration) else {
            throw UsageError(
                "--shard and --start-in cannot be used together; let the batch engine start the tasks later")
        }
        let strays = [RunCommand.session.declaration, RunPlan.csv.declaration, RunOutput.option.declaration]
        if let stray = strays.first(where: { arguments.has($0) }) {
            let advice =
                stray.name == "output"
                ? "use --with-output, and --output with 'potluck merge'" : "use it with 'potluck merge'"
            throw UsageError(
                stray.name == "session"
                    ? "--shard and --session cannot be used together"
                    : "--\(stray.name) has no effect on a shard; \(advice)")
        }
    }

    private static func number(_ choice: ShardChoice) throws -> (ShardNumber, engine: String?) {
        switch choice.number {
        case .given(let number): return (number, nil)
        case .auto(let count):
            do throws(BatchEngine.BatchError) {
                let engine = try BatchEngine(Environment.all, count: count)
                return (engine.number, engine.words)
            } catch {
                throw UsageError("--shard auto: \(error)")
            }
        }
    }

    /// The whole job of a plan.
    static func job(_ chosen: ChosenSimulation, _ run: RunPlan) throws -> PartialRun.Job {
        PartialRun.Job(
            experiment: try run.experiment(), goal: Goal(trials: run.goal.trials, precision: run.goal.precision),
            typed: chosen.typed, inputs: run.inputs)
    }

    /// The path of the partial file. In a folder it has a name of its own.
    private static func path(_ given: String, _ number: ShardNumber) -> String {
        var status = stat()
        let isFolder = given.hasSuffix("/") || stat(given, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        guard isFolder else { return given }
        return PartialPaths.path(of: number.fileName, in: given)
    }

    /// Makes a folder, unless there is something with its name.
    static func makeFolder(_ path: String) throws(Failure) {
        guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
            throw Failure(cannot: "make the folder \(Spelling.path(path))")
        }
    }
}
