import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen
import PotluckSystem

/// `potluck campaign`: has a batch engine compute a job in rounds of shards, until it is precise enough.
enum CampaignCommand {
    static let shards = Option("shards", "N", "the number of tasks in each round", in: .place) {
        (text) throws(ValueError) -> Int in
        guard let count = Int(text), 1...ShardNumber.most ~= count else {
            throw ValueError("must be from 1 to \(ShardNumber.most)")
        }
        return count
    }
    static let folder = Option("folder", "FOLDER", "where the shards write their partial files", in: .place) {
        (text) throws(ValueError) -> String in
        guard !text.isEmpty else { throw ValueError("use the name of a folder") }
        return text
    }
    static let submit = Option(
        "submit", "COMMAND", "run each round with this shell command, which must wait for its tasks", in: .place
    ) { (text) throws(ValueError) -> String in
        guard !text.isEmpty else { throw ValueError("use a command") }
        return text
    }

    static let verb = Verb(
        declaration: Command(
            "campaign", "have a batch engine compute a job in rounds, until it is precise enough",
            positionals: [Positional.simulation],
            options: [
                RunPlan.parameter.declaration, RunPlan.input.declaration, RunPlan.seed.declaration,
                RunPlan.trials.declaration, RunPlan.until.declaration, shards.declaration, folder.declaration,
                submit.declaration, RunPlan.json.declaration, RunPlan.csv.declaration,
                JobArguments.hideExact.declaration,
            ] + PluginArguments.options + LogArguments.options + StateDirectory.options,
            details: [
                "Without --submit, it prints a command for each task of the next round. Run them all, then run 'potluck "
                    + "campaign' again. Once the parts are precise enough, it prints the result and records it.",
                "With --submit, it does all of this itself. In COMMAND, {} stands for a file with the tasks' commands, one "
                    + "in each line, and {n} for their number.",
                "The result is that of 'potluck run --until' on one machine: same trials, same digest.",
            ],
            examples: [
                "campaign pi --until 1e-5 --seed 1 --shards 8 --folder pi",
                "campaign tsp -p cities=16 --shards 8 --folder tsp --submit 'sh {}'",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        try RunPlan.refuseBoth(json: arguments[RunPlan.json], csv: arguments[RunPlan.csv])
        let campaign = try Campaign(arguments)
        Interrupts.stop {}
        var before: [String]?
        while true {
            let collection = try campaign.collect()
            if let result = collection.run.result() {
                let format = FinishedRun.Format(json: arguments[RunPlan.json], csv: arguments[RunPlan.csv])
                return try MergeCommand.conclude(result, collection, format, arguments)
            }
            let round = try campaign.round(collection)
            let tasks = try campaign.tasks(of: round, collection)
            guard let command = try arguments[submit] else {
                campaign.announce(round, tasks.count)
                try Output.write(tasks.map { $0.command + "\n" }.joined())
                return .success
            }
            let names = tasks.map(\.path)
            if let before, names == before {
                throw Failure(
                    message:
                        "the command left no new file in \(Spelling.path(campaign.folder)); look at what it printed")
            }
            before = names
            campaign.announce(round, tasks.count)
            try await campaign.submit(command, round, tasks.map(\.command))
            if let asked = Interrupts.asked {
                Output.complain("stopped; the same command continues the campaign")
                return asked
            }
        }
    }
}

/// A job that is computed in rounds of shards.
private struct Campaign {
    private let shared: PartialSimulation
    private let shards: Int
    let folder: String
    /// The command of a task up to `--shard`.
    private let words: [String]
    private let isQuiet: Bool

    init(_ arguments: Arguments) throws {
        let found = try ChosenSimulation(arguments, isRun: true)
        guard let shards = try arguments[CampaignCommand.shards] else {
            throw UsageError("how many tasks are there in a round? add --shards N")
        }
        guard let folder = try arguments[CampaignCommand.folder] else {
            throw UsageError("where do the tasks write? add --folder FOLDER")
        }
        try ShardPlan.requireSeed(of: found.simulation, arguments)
        let plan = try RunPlan(found.simulation, arguments, cores: Machine.cores, seed: 0)
        guard plan.goal.trials != nil || plan.goal.precision != nil else {
            throw UsageError("when is it done? add --until PRECISION or --trials N")
        }
        shared = try PartialSimulation(try ShardPlan.job(found, plan), arguments)
        (self.shards, self.folder) = (shards, folder)
        isQuiet = arguments[LogArguments.quiet]
        try ShardPlan.makeFolder(folder)
        var words = [CommandLine.arguments[0], "run", found.typed]
        let passed = [
            RunPlan.parameter.declaration, RunPlan.input.declaration, RunPlan.seed.declaration,
            RunPlan.trials.declaration, RunPlan.until.declaration,
        ]
        for option in passed + PluginArguments.options {
            for text in arguments.texts(of: option) { words += ["--\(option.name)", text] }
        }
        self.words = words
    }

    /// Reads the partial files in the folder.
    func collect() throws -> PartialCollection {
        var collection = PartialCollection(shared)
        for path in try PartialPaths(given: [folder]).files() {
            // The task of a damaged file computes it again.
            guard let file = try PartialFile(undamaged: path) else { continue }
            try collection.add(file)
        }
        return collection
    }

    /// The round that is not complete yet.
    func round(_ collection: PartialCollection) throws -> CampaignRound {
        var round = CampaignRound(of: shared.job, shards: shards)
        let passed = collection.merge.passed
        while let there = passed.first(where: { $0.blocks == round.blocks.upperBound }) {
            let trials = shared.job.experiment.trials(in: 0..<there.blocks, of: shared.job.goal.trials)
            round = round.next(shared.job, shared.prepared.read(there.tally, trials))
        }
        return round
    }

    /// The shards of a round whose files are missing, with their commands.
    func tasks(of round: CampaignRound, _ collection: PartialCollection) throws -> [(path: String, command: String)] {
        let there = Set(collection.merge.runs.map(\.slice))
        let parts = Set((1...shards).compactMap { ShardNumber($0, of: shards)?.part(of: round.blocks) })
        let tasks = (1...shards).compactMap { index -> (path: String, command: String)? in
            guard let shard = ShardNumber(index, of: shards), let part = round.part(shard), !there.contains(part) else {
                return nil
            }
            let path = PartialPaths.path(of: round.name(of: shard), in: folder)
            let own = [
                "--shard", "\(shard)@\(round.blocks.lowerBound)..\(round.blocks.upperBound)", "--partial", path,
            ]
            return (path, (words + own).map { ShellWord.quoted($0) }.joined(separator: " "))
        }
        if let stray = collection.files.first(where: { file in
            file.run.slice.overlaps(round.blocks) && !parts.contains(file.run.slice)
        }) {
            throw Failure(
                message: "\(Spelling.path(stray.path)) is one of \(stray.run.number.count) shards, not of \(shards); "
                    + "use --shards \(stray.run.number.count), or another folder")
        }
        return tasks
    }

    func announce(_ round: CampaignRound, _ tasks: Int) {
        guard !isQuiet else { return }
        let trials = shared.job.experiment.trials(in: round.blocks, of: shared.job.goal.trials)
        let unit = shared.chosen.simulation.unit
        let work = unit == .point ? "the whole tree" : Figures.done(trials, unit)
        Output.complain("round \(round.number): \(work) in \(tasks) \(tasks == 1 ? "task" : "tasks")")
    }

    /// Runs the user's command for these tasks.
    func submit(_ command: String, _ round: CampaignRound, _ tasks: [String]) async throws {
        let path = PartialPaths.path(of: "round-\(round.number).commands", in: folder)
        try FileWriter.write(tasks.map { $0 + "\n" }.joined(), overwriting: path)
        // The number first: the path may have {n} in it.
        let text = command.replacing("{n}", with: "\(tasks.count)").replacing("{}", with: ShellWord.quoted(path))
        let succeeded = try await ShellCommand(text).wait()
        if !succeeded, Interrupts.asked == nil {
            Output.complain("the command for round \(round.number) failed; looking at what it left")
        }
    }
}
