import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// Writes results to stdout.
enum ResultOutput {
    /// Prints a result as text. `typed` is what the user wrote for the simulation; nil if that is its name.
    static func show(
        _ result: JobResult, digest: String, typed: String? = nil, inputs: [RecordedInput] = [],
        solution: [UInt8]? = nil, on descriptor: Int32 = STDOUT_FILENO
    ) throws(OutputError) {
        let canvas = Terminal.canvas(of: descriptor)
        let view = ResultView(
            isBuiltIn: result.experiment.simulation.isBuiltIn, typed: typed, inputs: inputs)
        try Output.write(
            canvas.text(
                view.lines(result, digest: digest, solution: solution.map { Solution($0) }, on: canvas)),
            to: descriptor)
    }

    /// Prints the result of a job that was submitted to a session, and returns the exit code. Uses the submitter's own
    /// simulation, which other machines may lack. `solution` is the best one of a search.
    static func conclude(
        _ outcome: ClusterPicture.Outcome, of job: SubmittedJob, _ format: FinishedRun.Format, solution: [UInt8]?
    ) throws -> ExitCode {
        try job.solutionFile?.write(solution)
        let warnings = ResultWarnings.of(outcome.result, job.chosen, job.tables, isShown: format == .text)
        switch format {
        case .csv:
            let result = outcome.result.shown
            let record = RunRecord(
                key: "", result, of: job.chosen.simulation, inputs: job.inputs, digest: outcome.digest,
                startedAt: WallClock.now - result.elapsed.nanoseconds / 1_000_000)
            try Output.write(RecordCSV.text([(nil, record)]), to: job.stdout)
        case .json:
            let result = JobJSON.result(
                outcome.result.shown, digest: outcome.digest, of: job.chosen.simulation,
                solution: solution, warnings: warnings)
            try Output.write(result.text + "\n", to: job.stdout)
        case .text:
            try show(
                outcome.result.shown, digest: outcome.digest, typed: job.chosen.typed, inputs: job.inputs,
                solution: solution, on: job.stdout)
        }
        ResultWarnings.say(warnings)
        remark(on: outcome.result, solution)
        try check(outcome.result, of: job.chosen.simulation, job.tables)
        return .success
    }

    /// Says why a reading of a finished run has no value, and why the solution of a search is not shown.
    static func remark(on result: JobResult, _ solution: [UInt8]?) {
        if !result.spec.isSearch, result.trials > 0 {
            for reading in result.readings where reading.value == nil && reading.kind == .derived && !reading.isSpoilt {
                Output.complain(
                    "\(reading.name) has no value, because it has no numbers yet, or its function gives no finite one")
            }
        }
        guard solution == nil, result.spec.isSearch, result.readings.contains(where: { $0.value != nil }) else {
            return
        }
        Output.complain(
            "the solution is not shown because finding it again takes too long; only its readings are known")
    }

    /// Throws if the tally or a reading is spoilt, or if a search found no solution although there is one. A derived reading may hide that the sum it comes from is spoilt, so
    /// look at the tally, too.
    static func check(_ result: JobResult, of simulation: AnySimulation, _ tables: [Table] = []) throws(Failure) {
        let name = simulation.name
        // Nobody but the author knows `start`, but a solution that is there shows that it is wrong.
        if result.spec.isSearch, result.trials == SearchSpace.points,
            simulation.layout.best(in: result.tally)?.isEmpty == true,
            let prepared = try? simulation.prepared(result.experiment.parameters, tables: tables),
            let flaw = prepared.flawOfNoSolution
        {
            throw Failure(message: "\(name): \(flaw)")
        }
        if result.tally.count == simulation.layout.empty.count,
            let field = Replay.spoilt(result.tally, simulation.layout)
        {
            throw Failure(
                message:
                    "\(name) added something to \(field) that is not a number or too large for it; find the trial with "
                    + "'potluck check' or 'potluck replay'")
        }
        guard let reading = result.readings.first(where: \.isSpoilt) else { return }
        let why =
            reading.kind == .proportion
            ? "it counts more than there are trials; add to it once in a trial, or take the mean of Moments"
            : "it is not a finite number; find the error with 'potluck check'"
        throw Failure(message: "\(name) has no valid value for \(reading.name): \(why)")
    }
}
