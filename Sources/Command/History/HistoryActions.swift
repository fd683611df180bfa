import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// The actions of `potluck history` except listing and plotting.
enum HistoryActions {
    static func show(_ text: String, _ arguments: Arguments) throws -> ExitCode {
        let (id, run) = try RunChoice.run(text, StoreArguments.read(arguments))
        if arguments[HistoryCommand.json] {
            try Output.write(RecordJSON.value(run, id: id, of: run.simulation.builtIn).text + "\n")
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            let view = RunView(
                run, id: id, isBuiltIn: run.simulation.isBuiltIn, solution: RecordedSolution.find(run)
            ) { WallClock.text($0) }
            try Output.write(canvas.text(view.lines(on: canvas)))
        }
        return .success
    }

    static func note(_ number: String, _ text: String, _ arguments: Arguments) throws -> ExitCode {
        guard !text.isEmpty, text.utf8.count <= RunNote.longest else {
            throw UsageError("a note must have 1 to \(RunNote.longest) bytes")
        }
        guard text.isFitForScreen else { throw UsageError("a note must be one line of plain text") }
        let history = try StoreArguments.open(arguments)
        let (id, _) = try RunChoice.run(number, history)
        guard try history.note(id, RunNote(at: WallClock.now, text: text)) else {
            throw Failure(message: "run \(id) no longer exists")
        }
        return .success
    }

    static func compare(_ numbers: [String], _ arguments: Arguments) throws -> ExitCode {
        let runs = try RunChoice.runs(numbers, StoreArguments.read(arguments))
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        let lines =
            runs.count == 2
            ? CompareView(runs[0], runs[1]) { WallClock.text($0) }.lines(on: canvas)
            : CompareManyView(runs).lines(on: canvas)
        try Output.write(canvas.text(lines))
        return .success
    }

    private static let removal = "potluck history rm ID|--where CONDITION|--before DATE"

    static func remove(_ text: String?, _ arguments: Arguments) throws -> ExitCode {
        let history = try StoreArguments.open(arguments)
        if let text {
            guard try !RunChoice.query(arguments, history).isNarrowed else {
                throw UsageError(
                    "a run's number and options cannot be used together; usage: "
                        + Self.removal)
            }
            let (id, _) = try RunChoice.run(text, history)
            guard try history.remove(id) else { throw Failure(message: "run \(id) no longer exists") }
            return .success
        }
        let query = try RunChoice.query(arguments, history)
        // All runs of the history are not removed by a slip.
        guard query.isNarrowed else { throw UsageError("missing argument ID; usage: " + Self.removal) }
        let count = try history.remove(query)
        try Output.write("\(count) \(count == 1 ? "run" : "runs") removed\n")
        return .success
    }

    static func importRuns(_ file: String, _ arguments: Arguments) throws -> ExitCode {
        if [".csv", ".json"].contains(where: file.lowercased().hasSuffix) {
            throw UsageError("only exports that end in .sqlite can be imported, because they have checksums")
        }
        let (added, known) = try StoreArguments.open(arguments).importRuns(from: file) { $0.wrongDigest }
        try Output.write("\(added) \(added == 1 ? "run" : "runs") imported, \(known) already present\n")
        return .success
    }

    static func repair(_ arguments: Arguments) throws -> ExitCode {
        let path = try StoreArguments.path(arguments)
        let repair = try History.repair(at: path) { $0.wrongDigest }
        let saved = "\(repair.saved) \(repair.saved == 1 ? "run" : "runs")"
        guard let kept = repair.kept else {
            try Output.write("\(saved) checked, no damage found\n")
            return .success
        }
        if let trouble = repair.trouble { try Output.write("\(trouble)\n") }
        for (id, why) in repair.lost { try Output.write("run \(id) is lost: it \(why.escapedForScreen)\n") }
        if let date = repair.backupDate {
            let these = repair.fromBackup == 1 ? "1 run is" : "\(repair.fromBackup) runs are"
            try Output.write("\(these) from the backup of \(WallClock.text(date)), without later notes\n")
        }
        try Output.write("\(saved) saved; the damaged file is kept as \(Spelling.path(kept))\n")
        return repair.lost.isEmpty ? .success : .failure
    }
}

extension RunRecord {
    /// What is wrong, as the end of a sentence, if the digest does not match the record; else nil.
    var wrongDigest: String? {
        result.digest == digest ? nil : "does not match its digest"
    }

    /// The result as it was when the run ended, to compute its digest again.
    var result: JobResult {
        JobResult(
            spec: JobSpec(
                JobRecipe(
                    experiment: Experiment(
                        simulation: simulation, parameters: slots, seed: seed,
                        blockSize: max(1, blockSize)), goal: goal)),
            trials: trials, tally: tally, readings: readings, completion: completion, elapsed: elapsed, nodes: [])
    }
}
