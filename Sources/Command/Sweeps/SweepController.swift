import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen
import PotluckSystem

/// Computes a sweep, shows its progress, records its points, and prints the table.
struct SweepController {
    private let sweep: Sweep
    private let arguments: Arguments
    /// Nil if nothing is recorded.
    private let recorder: SweepRecorder?
    private let startedAt = WallClock.now

    init(_ sweep: Sweep, _ arguments: Arguments) throws {
        (self.sweep, self.arguments) = (sweep, arguments)
        recorder = arguments[StateDirectory.ephemeral] ? nil : SweepRecorder(try StoreArguments.path(arguments))
    }

    func run() async throws -> ExitCode {
        // From here on, Ctrl-C ends the sweep with the points that are done.
        Interrupts.stop {}
        var runs = known()
        /// What the points have that the sweep did not finish.
        var begun: [Int: RunRecord] = [:]
        let todo = sweep.points.indices.filter { runs[$0] == nil }
        let keeper = todo.isEmpty ? nil : makeKeeper()
        if todo.count < sweep.points.count {
            Output.complain(
                "\(sweep.points.count - todo.count) of \(sweep.points.count) points were computed before; "
                    + "--ephemeral computes all of them again")
        }
        var printer = SweepPrinter(sweep, format: .init(arguments))
        var failure: (any Error)?
        do {
            try printer.print(runs)
            try await compute(todo, keeper, isJSON: printer.format == .json) { index, run in
                if run.completion == .stopped {
                    begun[index] = run
                    return
                }
                runs[index] = run
                try printer.print(runs)
            }
        } catch {
            failure = error
        }
        let troubles = recorder?.finish() ?? []
        for line in troubles { Output.complain(line) }
        let isKept = recorder != nil && troubles.isEmpty
        let left = runs.indices.filter { runs[$0] == nil }
        // A point that fails would fail again.
        let isOver = left.isEmpty || failure != nil && !(failure is OutputError)
        if case .impossible(let why) = keeper?.end(isOver: isOver) {
            Output.complain("the points that are begun cannot be continued: \(why)")
        }
        if !(failure is OutputError) {
            try printer.end(runs.indices.map { runs[$0] ?? begun[$0] }, isKept: isKept)
        }
        if let failure { throw failure }
        guard !left.isEmpty else { return .success }
        let advice = isKept && !sweep.isTimed ? "; to resume this sweep: \(command)" : ""
        let share = "\(left.count) of \(runs.count) points"
        if let asked = Interrupts.asked {
            let more = begun.isEmpty ? "" : ", and \(begun.count) of them begun"
            Output.complain("\(share) are left\(more)\(advice)")
            return asked
        }
        // Nobody stopped the sweep, so points of it were cancelled.
        try printer.lacks(left)
        let names = NameList.text(left.prefix(Self.mostNamed).map { sweep.name(of: sweep.points[$0]) })
        let more = left.count > Self.mostNamed ? ", …" : ""
        Output.complain("\(share) \(left.count == 1 ? "was" : "were") cancelled: \(names)\(more)\(advice)")
        return .failure
    }

    /// As many points as fit on a line.
    private static let mostNamed = 8

    /// The points that the history has already. If it cannot be read, all are computed.
    private func known() -> [RunRecord?] {
        let none = sweep.points.map { _ in nil as RunRecord? }
        guard let recorder, !sweep.isTimed else { return none }
        do throws(StoreError) {
            let known = try recorder.known(sweep.id)
            return sweep.points.enumerated().map { index, point in
                known[RunRecord.key(ofPoint: index, inSweep: sweep.id)].flatMap { isOf(point, $0) ? $0 : nil }
            }
        } catch {
            return none
        }
    }

    /// Whether a run is that of a point. Its key alone does not prove that, because runs can be imported.
    private func isOf(_ point: Sweep.Point, _ run: RunRecord) -> Bool {
        run.simulation == sweep.simulation.identity
            && Array(run.slots.prefix(point.parameters.count)) == point.parameters
            && run.seed == point.seed && run.goal == point.goal
    }

    /// Computes these points, and calls `done` as each ends.
    private func compute(
        _ todo: [Int], _ keeper: RunKeeper?, isJSON: Bool, _ done: (Int, RunRecord) throws -> Void
    ) async throws {
        guard !todo.isEmpty, Interrupts.asked == nil else { return }
        let work = try await start(todo, keeper)
        Interrupts.stop(with: work.stop)
        if Interrupts.asked != nil { work.stop() }
        // The bar would erase lines of JSON on the same terminal.
        let isHidden = arguments[LogArguments.quiet] || isJSON && isatty(STDOUT_FILENO) == 1
        let progress = SweepProgress(
            sweep.simulation.name, points: sweep.points.count, known: sweep.points.count - todo.count, isQuiet: isHidden
        )
        defer { progress.end() }
        do {
            for await news in work.news { try take(news, progress, isFirst: { $0 == todo[0] }, done) }
        } catch {
            work.stop()
            // Jobs in a session are cancelled meanwhile.
            for await _ in work.news {}
            throw error
        }
    }

    private func take(
        _ news: SweepWork.News, _ progress: SweepProgress, isFirst: (Int) -> Bool,
        _ done: (Int, RunRecord) throws -> Void
    ) throws {
        switch news {
        case .progress(let index, let snapshot): progress.note(index, snapshot)
        case .ended(let index, let result):
            try ResultOutput.check(result, of: sweep.simulation)
            // What is wrong with one point is wrong with the others, and each would take its time.
            if isFirst(index) {
                ResultWarnings.say(
                    ResultWarnings.of(result, sweep.chosen, sweep.files.tables, isShown: false).map {
                        "\(sweep.name(of: sweep.points[index])): \($0)"
                    })
            }
            let run = record(of: result, at: index)
            recorder?.record(run)
            progress.ended(index)
            try done(index, run)
        case .stopped(let index, let result):
            if result.trials > 0 { try done(index, record(of: result, at: index)) }
        case .failed(let index, let failure): throw try explained(failure, sweep.points[index])
        case .broken(let failure): throw Failure(message: failure.description)
        }
    }

    /// Keeps the points that are under way on this machine, so that the same sweep continues them. Nil if nothing is kept.
    private func makeKeeper() -> RunKeeper? {
        guard recorder != nil, sweep.goesInRounds, !arguments.has(RunCommand.session.declaration) else { return nil }
        do throws(StoreError) {
            if let kept = try (try? KeptRunArguments.runs(arguments))?.open(sweep: sweep.id) { return kept }
        } catch {
            Output.complain("the points that are begun cannot be continued: \(error)")
            return nil
        }
        return RunKeeper(sweep.chosen.typed, module: nil, sweep: sweep.id) { [arguments] in
            try KeptRunArguments.runs(arguments)
        }
    }

    /// Starts computing these points, on this machine or in a session.
    private func start(_ todo: [Int], _ keeper: RunKeeper?) async throws -> SweepWork {
        if let session = try arguments[RunCommand.session] {
            return try await SessionSweep.start(
                .init(sweep, todo, arguments), in: session,
                JobCargo(module: sweep.chosen.octets, tables: sweep.files.tables), arguments)
        }
        let points = sweep.points.map { LocalSweep.Point(parameters: $0.parameters, seed: $0.seed, goal: $0.goal) }
        let priority = try arguments[ComputeArguments.ownPriority] ?? .normal
        do throws(JobError) {
            let local = try LocalSweep(
                sweep.simulation, points, todo: todo, tables: sweep.files.tables, cores: sweep.cores,
                priority: priority, module: sweep.chosen.reference, inRounds: sweep.goesInRounds, keeper: keeper)
            return SweepWork(local)
        } catch {
            throw Failure(message: "\(error)")
        }
    }

    private func record(of result: JobResult, at index: Int) -> RunRecord {
        RunRecord(
            key: RunRecord.key(ofPoint: index, inSweep: sweep.id), result, of: sweep.simulation,
            file: sweep.chosen.plugin == nil ? nil : sweep.chosen.typed, inputs: sweep.files.inputs,
            digest: result.digest, startedAt: startedAt)
    }

    private func explained(_ failure: JobError, _ point: Sweep.Point) throws -> Failure {
        let why = sweep.chosen.explain(failure, try sweep.plan(of: point, arguments))
        return Failure(message: "\(sweep.name(of: point)): \(why)")
    }

    /// The command that was typed, with the seed that was drawn.
    private var command: String {
        var words = CommandLine.arguments.dropFirst().map { ShellWord.quoted($0) }
        if sweep.simulation.shape == .tally, !arguments.has(RunPlan.seed.declaration) {
            words += ["--seed", "\(sweep.seed)"]
        }
        return (["potluck"] + words).joined(separator: " ")
    }
}
