import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// Computes a shard on this machine and writes its partial file.
struct ShardController {
    private let plan: ShardPlan
    private let arguments: Arguments
    private let startedAt = WallClock.now
    private let solutions: Solutions

    init(_ plan: ShardPlan, _ arguments: Arguments) {
        (self.plan, self.arguments) = (plan, arguments)
        solutions = Solutions(.init(simulation: plan.run.simulation, tables: plan.run.tables))
    }

    private var label: String { Spelling.path(plan.path) }

    func run() async throws -> ExitCode {
        if let engine = plan.engine { Output.complain("shard \(plan.number), as \(engine) says") }
        if let done = try earlier() {
            Output.complain("\(label) is complete; --force computes it again")
            return try tell(done)
        }
        try checkFolder()
        guard !plan.slice.isEmpty else {
            // There are more shards than blocks. The slice has nothing in it, and the merge needs no exception.
            let nothing = plan.chosen.simulation.layout.empty
            return try write(partial(nothing, [], elapsed: .zero, .none)) { _ in }
        }
        let kept = try KeptShard(plan, arguments)
        let run = try start(kept)
        Interrupts.stop { run.stop() }
        if Interrupts.asked != nil { run.stop() }
        if let trials = kept?.left?.trials, trials > 0 {
            Output.complain("continuing shard \(plan.number) after \(Figures.done(trials, plan.run.simulation.unit))")
        }
        let view = LocalRunView(arguments, solutions)
        if arguments[JobArguments.progress] {
            await view.print(run, to: STDOUT_FILENO)
        } else {
            await view.show(run, orStdout: !plan.run.json)
        }
        let result: JobResult
        do throws(JobError) {
            result = try await run.result
        } catch {
            kept?.end(isOver: error.failure.block != nil)
            throw Failure(message: plan.chosen.explain(error, plan.run))
        }
        guard result.completion == .trials else {
            let isKept = kept?.end(isOver: false) ?? false
            Output.complain(
                isKept
                    ? "shard \(plan.number) was stopped; the same command continues it"
                    : "shard \(plan.number) was stopped; the same command starts it over")
            return Interrupts.asked ?? .failure
        }
        try ResultOutput.check(result, of: plan.chosen.simulation)
        let whole = partial(
            result.tally, await run.checkpoints, elapsed: result.elapsed, result.nodes.effort)
        let code = try write(whole) { take in
            if whole.output != nil { try run.output(of: result, take) }
        }
        // Do this last: until the file is there, a crash must leave the shard resumable.
        kept?.end(isOver: true)
        return code
    }

    private var isSearch: Bool { plan.run.simulation.shape == .space }

    private func start(_ kept: KeptShard?) throws -> LocalRun {
        let priority = try arguments[ComputeArguments.ownPriority] ?? .normal
        if let kept, kept.left != nil {
            do throws(JobError) {
                return try LocalRun(
                    plan.run.simulation, resuming: kept.keeper, tables: plan.run.tables, cores: plan.run.cores,
                    priority: priority)
            } catch {
                throw Failure(message: error.description)
            }
        }
        // Output that cannot be written yet is kept in unnamed files in the state directory.
        let spool = plan.keepsOutput ? try StateDirectory.find(arguments).spool : "/var/tmp"
        do throws(ParameterError) {
            return try LocalRun(
                plan.run.simulation, parameters: plan.run.parameters, tables: plan.run.tables, seed: plan.run.seed,
                goal: plan.goal, cores: plan.run.cores, priority: priority,
                spool: spool, keepsOutput: plan.keepsOutput, module: plan.chosen.reference, keeper: kept?.keeper)
        } catch {
            throw Failure(cannotRun: plan.run.simulation.name, error)
        }
    }

    // MARK: The file

    /// Returns the part that an earlier run of this command wrote; nil if there is none, or if it must be computed
    /// again.
    private func earlier() throws -> PartialRun? {
        guard !arguments[FileWriter.force], access(plan.path, F_OK) == 0 else { return nil }
        do throws(PartialFile.ReadError) {
            let run = try PartialFile(plan.path).run
            let isSame = plan.job.difference(from: run.job) == nil && run.slice == plan.slice
            if isSame, run.output != nil || !plan.keepsOutput { return run }
        } catch {
            guard error.isDamage else { throw Failure(message: "\(label) \(error); --force overwrites it") }
            Output.complain("\(label) is damaged; computing it again")
            return nil
        }
        throw Failure(
            message: "\(label) is the part of another job or shard; use --force to overwrite it, or another name")
    }

    /// Makes the folder of the partial file, so that a shard does not compute for hours and then has no place.
    private func checkFolder() throws {
        let folder = plan.path.lastIndex(of: "/").map { String(plan.path[..<$0]) } ?? "."
        if !folder.isEmpty { try ShardPlan.makeFolder(folder) }
        guard access(folder + "/.", W_OK) == 0 else {
            throw Failure(cannot: "write to \(Spelling.path(folder))")
        }
    }

    private func partial(
        _ tally: [UInt64], _ checkpoints: [SettledTally], elapsed: Duration, _ effort: SearchEffort
    ) -> PartialRun {
        let print = plan.keepsOutput ? plan.chosen.simulation.layout.print(in: tally) : nil
        let origin = PartialRun.Origin(
            host: Machine.name, cores: plan.run.cores, startedAt: startedAt, elapsed: elapsed, effort: effort)
        let partial = PartialRun(
            job: plan.job, number: plan.number, slice: plan.slice, tally: tally, checkpoints: checkpoints,
            origin: origin, output: print.map { Int($0.octets) })
        // The engine continues no record that lacks a checkpoint.
        guard let partial else { preconditionFailure("a shard must have the checkpoints of its slice") }
        return partial
    }

    /// Writes the partial file. `output` passes the pieces of the output to its argument.
    private func write(
        _ partial: PartialRun, _ output: (_ take: ([UInt8]) throws -> Void) throws -> Void
    ) throws -> ExitCode {
        do {
            try FileWriter.replace(plan.path) { descriptor in
                try PartialFile.write(partial, output: output) { try Output.write($0, to: descriptor) }
            }
        } catch let error as OutputError {
            throw Failure(message: "cannot write \(label): \(String(cString: strerror(error.number)))")
        } catch let error as JobError {
            throw Failure(message: error.description)
        }
        return try tell(partial)
    }

    private func tell(_ partial: PartialRun) throws -> ExitCode {
        guard plan.run.json else {
            let done =
                isSearch
                ? "\(Figures.percent(ofSpace: partial.trials)) of the tree"
                : Figures.done(partial.trials, plan.run.simulation.unit)
            try Output.write(
                "shard \(partial.number) of \(Spelling.path(plan.chosen.typed)): "
                    + "\(done) in \(Figures.time(partial.origin.elapsed)), "
                    + "in \(label)\n")
            return .success
        }
        let members: [(key: String, value: JSON)] =
            [
                ("simulation", .string(partial.job.experiment.simulation.name)),
                ("shard", JSON(partial.number.index)), ("shards", JSON(partial.number.count)),
                RunJSON.done(partial.trials, isSearch: isSearch), ("elapsed", JSON(partial.origin.elapsed.seconds)),
                ("cores", JSON(partial.origin.cores)), ("file", .string(plan.path)),
            ]
        try Output.write(JSON.object(members).text + "\n")
        return .success
    }
}

/// The record of a shard under way, beside its partial file. A shard that was killed continues from it.
private struct KeptShard {
    private static let ending = ".unfinished"

    let keeper: RunKeeper
    /// The record of an earlier run of the same shard; nil if the shard starts over.
    let left: KeptRuns.Left?
    private let folder: String

    /// Returns nil if the shard cannot be continued, because its output would be lost.
    init?(_ plan: ShardPlan, _ arguments: Arguments) throws {
        guard !plan.keepsOutput, !arguments[StateDirectory.ephemeral] else { return nil }
        let folder = plan.path + Self.ending
        self.folder = folder
        let runs = KeptRuns(in: folder, modules: nil)
        for id in runs.ids {
            let opened: (keeper: RunKeeper, left: KeptRuns.Left)?
            do throws(StoreError) {
                opened = try runs.open(id)
            } catch {
                switch error.kind {
                case .inUse:
                    throw Failure(message: "shard \(plan.number) is already being computed: \(error.detail)")
                case .damaged, .foreign, .unresumable:
                    Output.complain("\(error); the shard starts over")
                    _ = try? runs.forget(id)
                    continue
                case .newer, .full, .readOnly, .noPermission, .missing, .other:
                    // The record may be good, and the trouble may pass: an older version on this machine, a full quota.
                    throw Failure(
                        message: "cannot continue shard \(plan.number): "
                            + error.text(elsewhere: "start over with another --partial"))
                }
            }
            guard let (keeper, left) = opened else { continue }
            let order = left.taken.order
            guard order.experiment == plan.job.experiment, order.goal == plan.goal else {
                keeper.close()
                throw Failure(
                    message:
                        "\(Spelling.path(folder)) belongs to another job or shard; delete it, or use another --partial")
            }
            (self.keeper, self.left) = (keeper, left)
            return
        }
        left = nil
        keeper = RunKeeper(plan.chosen.typed, module: nil) {
            // Called only if the shard lasts long enough to be kept.
            try ShardPlan.makeFolder(folder)
            return runs
        }
    }

    /// Ends the record. Returns whether the shard can be continued.
    @discardableResult
    func end(isOver: Bool) -> Bool {
        let end = keeper.end(isOver: isOver)
        if isOver { rmdir(folder) }
        if case .impossible(let why) = end { Output.complain("this shard cannot be continued: \(why)") }
        if case .kept = end { return true }
        return false
    }
}
