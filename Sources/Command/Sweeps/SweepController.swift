import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckModel
import PotluckSystem

/// Computes a sweep on this machine, shows its progress, records its points, and prints the table.
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
        // From here on, Ctrl-C ends the sweep with what is done.
        Interrupts.stop {}
        var runs = try known()
        let todo = sweep.points.indices.filter { runs[$0] == nil }
        if todo.count < sweep.points.count {
            Output.complain(
                "\(sweep.points.count - todo.count) of \(sweep.points.count) points were computed before; "
                    + "--ephemeral computes all of them again")
        }
        var printer = SweepPrinter(sweep, format: .init(arguments))
        do {
            try printer.print(runs)
            let outcome = try await compute(todo) { index, run in
                runs[index] = run
                try printer.print(runs)
            }
            finishRecording()
            try printer.end(runs)
            if case .failed(let index, let failure) = outcome { throw explained(failure, index) }
        } catch {
            finishRecording()
            throw error
        }
        let left = runs.count { $0 == nil }
        guard left > 0 else { return .success }
        Output.complain("\(left) of \(runs.count) points are left; to resume this sweep: \(command)")
        return Interrupts.asked ?? .success
    }

    /// The points that the history has already.
    private func known() throws -> [RunRecord?] {
        guard let recorder, !sweep.isTimed else { return sweep.points.map { _ in nil } }
        let known = try recorder.known(sweep.id)
        return sweep.points.indices.map { known[RunRecord.key(ofPoint: $0, inSweep: sweep.id)] }
    }

    private enum Outcome {
        case over
        case failed(Int, JobFailed)
    }

    /// Computes these points, and calls `done` as each ends.
    private func compute(_ todo: [Int], _ done: (Int, RunRecord) throws -> Void) async throws -> Outcome {
        guard !todo.isEmpty, Interrupts.asked == nil else { return .over }
        let simulation = sweep.simulation
        let points = todo.map { index in
            let point = sweep.points[index]
            return LocalSweep.Point(parameters: point.plan.parameters, seed: point.seed, goal: point.plan.goal)
        }
        let priority = try arguments[ComputeArguments.ownPriority] ?? .normal
        let local: LocalSweep
        do throws(JobFailed) {
            local = try LocalSweep(
                simulation, points, tables: sweep.files.tables, cores: sweep.points[0].plan.cores,
                priority: priority, module: sweep.subject.reference)
        } catch {
            throw Failure(message: "\(error)")
        }
        Interrupts.stop { local.stop() }
        if Interrupts.asked != nil { local.stop() }
        let progress = SweepProgress(
            sweep, known: sweep.points.count - todo.count, isQuiet: arguments[LogArguments.quiet])
        defer { progress.end() }
        for await news in local.news {
            switch news {
            case .progress(let place, let snapshot): progress.note(todo[place], snapshot)
            case .ended(let place, let result):
                try ResultOutput.check(result, of: simulation)
                let index = todo[place]
                let run = RunRecord(
                    key: RunRecord.key(ofPoint: index, inSweep: sweep.id), result, of: simulation,
                    file: sweep.subject.plugin == nil ? nil : sweep.subject.typed, inputs: sweep.files.inputs,
                    digest: result.digest, startedAt: startedAt)
                recorder?.record(run)
                progress.ended(index)
                try done(index, run)
            case .failed(let place, let failure): return .failed(todo[place], failure)
            }
        }
        return .over
    }

    private func finishRecording() {
        for line in recorder?.finish() ?? [] { Output.complain(line) }
    }

    private func explained(_ failure: JobFailed, _ index: Int) -> Failure {
        let point = sweep.points[index]
        let name = zip(sweep.varied, point.varied).map { "\($0)=\($1)" }.joined(separator: ", ")
        return Failure(message: "\(name): \(sweep.subject.explain(failure, point.plan))")
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
