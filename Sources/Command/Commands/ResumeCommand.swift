import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck resume`: resumes a stopped or killed run of this machine, or a paused job of a session.
enum ResumeCommand {
    private static let list = Flag("list", "list resumable runs", in: .runs)
    private static let forget = Flag("forget", "delete the run instead of resuming it", in: .runs)

    private static let local =
        [
            list.declaration, forget.declaration, ComputeArguments.cores.declaration,
            ComputeArguments.ownPriority.declaration, RunPlan.json.declaration, JobArguments.hideExact.declaration,
        ] + PluginArguments.options

    static let verb = Verb(
        declaration: Command(
            "resume", "resume a stopped run of this machine, or a paused job of a session",
            positionals: [
                Positional(
                    "RUN|SESSION", "the beginning of a run's number, or a session's name (default: the only run)",
                    required: false, values: .found(.stoppedRun)),
                JobCommands.job,
            ],
            options: local + [StateDirectory.option.declaration] + GuestSession.options,
            details: [
                "A resumed run has the same result as an uninterrupted one. Without a number, Potluck resumes the only "
                    + "run, or lists all of them if there are several.",
                "Potluck keeps an unfinished run for a month if it lasted at least a second and neither reads nor writes "
                    + "files.",
                JobCommands.whoMay,
            ],
            examples: ["resume", "resume --list", "resume Monty"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let isSession = try isSession(arguments)
        if let stray = (isSession ? local : GuestSession.options).first(where: {
            arguments.has($0) && $0.environment == nil
        }) {
            throw UsageError(
                isSession
                    ? "--\(stray.name) applies to runs of this machine, not to sessions"
                    : "--\(stray.name) applies to sessions; usage: potluck resume SESSION --\(stray.name)")
        }
        if isSession { return try await JobCommands.run(.resume, arguments[1], arguments) }
        let runs = try KeptRunArguments.runs(arguments)
        runs.forgetOld()
        let named = try arguments[0].map { try choose($0, in: runs) }
        if arguments[forget] {
            guard let id = named else { throw UsageError("missing argument RUN; usage: potluck resume RUN --forget") }
            guard try runs.forget(id) else { throw missing(id) }
            return .success
        }
        let (rows, damaged) = arguments[list] || named == nil ? rows(of: runs) : ([], [])
        let free = rows.filter(\.canGoOn)
        guard !arguments[list], let id = named ?? (free.count == 1 ? free[0].id : nil) else {
            try show(rows, arguments)
            return damaged.isEmpty || arguments[list] ? .success : .failure
        }
        for trouble in damaged { Output.complain("\(trouble)") }
        return try await goOn(with: id, of: runs, arguments)
    }

    /// Whether the first argument names a session. A text that looks like a run's ID, or a number as in the history,
    /// names a session in two cases only: a job follows, or no run matches and a node of that session runs on this
    /// machine.
    private static func isSession(_ arguments: Arguments) throws -> Bool {
        guard let text = arguments[0] else { return false }
        guard arguments[1] == nil else { return true }
        let ids = KeptRunArguments.find(text, in: try KeptRunArguments.runs(arguments))
        guard ids != nil || text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return true
        }
        guard ids?.isEmpty ?? true, let session = SessionID(text) else { return false }
        return try !StateDirectory.find(arguments).controls(session).isEmpty
    }

    private static func choose(_ text: String, in runs: KeptRuns) throws -> JobID {
        let found = KeptRunArguments.find(text, in: runs) ?? []
        guard let id = found.first else {
            throw Failure(message: "no resumable run \(Spelling.quoted(text)); 'potluck resume --list' lists them")
        }
        guard found.count == 1 else {
            throw Failure(
                message:
                    "\(found.count) runs begin with \(Spelling.quoted(text)); give more digits, as in \(found[0].text)")
        }
        return id
    }

    private static func missing(_ id: JobID) -> Failure {
        Failure(message: "run \(id) cannot be resumed: nothing of it is left; see 'potluck history'")
    }

    private static func goOn(with id: JobID, of runs: KeptRuns, _ arguments: Arguments) async throws -> ExitCode {
        let opened: (keeper: RunKeeper, left: KeptRuns.Left)?
        do throws(StoreError) {
            opened = try runs.open(id)
        } catch {
            guard error.kind == .inUse else { throw error }
            throw Failure(message: "run \(id) is already running in \(error.detail)")
        }
        guard let (keeper, left) = opened else { throw missing(id) }
        for notice in keeper.notices { Output.complain(notice) }
        let typed = left.job.record.simulation
        let chosen = try ChosenSimulation(typed, of: left, in: runs, arguments)
        let plan = try RunPlan(chosen.simulation, of: left, arguments, cores: Machine.cores)
        let controller = try LocalRunController(
            chosen, plan, arguments, keeper: keeper, startedAt: left.job.record.acceptedAt)
        return try await controller.attend(
            LocalRun(chosen.simulation, resuming: keeper, cores: plan.cores, priority: controller.priority),
            beginning: "resuming run \(id) of \(Spelling.path(typed)) after "
                + Figures.done(left.trials, chosen.simulation.unit))
    }

    // MARK: The list

    /// Returns a row for each kept run, and the errors of those that are damaged.
    private static func rows(of runs: KeptRuns) -> (rows: [KeptRunRow], damaged: [StoreError]) {
        var damaged: [StoreError] = []
        let rows: [KeptRunRow] = runs.ids.compactMap { id in
            do throws(StoreError) {
                guard let (keeper, left) = try runs.open(id) else { return nil }
                // Print these notices now: opening the run repaired it, so they will not appear again.
                for notice in keeper.notices { Output.complain(notice) }
                keeper.close()
                return KeptRunRow(
                    id: id, simulation: left.job.record.simulation, trials: left.trials, goal: left.taken.order.goal,
                    unit: left.isSearch ? .point : left.taken.order.experiment.simulation.builtIn?.unit ?? .trial,
                    elapsed: left.job.ran, startedAt: left.job.record.acceptedAt)
            } catch {
                let isUnderWay = error.kind == .inUse
                if !isUnderWay { damaged.append(error) }
                return KeptRunRow(id: id, trouble: isUnderWay ? "running: \(error.detail)" : "\(error)")
            }
        }
        return (rows, damaged)
    }

    private static func show(_ rows: [KeptRunRow], _ arguments: Arguments) throws {
        if arguments[RunPlan.json] { return try Output.write(JSON(rows.map(\.json)).text + "\n") }
        guard !rows.isEmpty else { return try Output.write("No resumable runs.\n") }
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        try Output.write(canvas.text(KeptRunsView.lines(rows, date: { WallClock.text($0) }, on: canvas)))
    }
}

extension KeptRunRow {
    fileprivate var json: JSON {
        var members: [(key: String, value: JSON)] = [("run", .string(id.text))]
        switch state {
        case .left(let left):
            members += [
                ("simulation", .string(left.simulation)), RunJSON.done(left.trials, isSearch: left.unit == .point),
            ]
            if left.unit != .point { members.append(("goal", left.goal.trials.map { JSON($0) } ?? .null)) }
            members += [
                ("elapsed", JSON(left.elapsed.seconds)),
                ("started", JSON(Double(left.startedAt) / 1000)),
            ]
        case .trouble(let why): members.append(("trouble", .string(why)))
        }
        return .object(members)
    }
}
