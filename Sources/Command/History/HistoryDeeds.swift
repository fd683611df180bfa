import Glibc
import Potluck
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckModel

/// What `potluck history` does to runs.
enum HistoryDeeds {
    static func show(_ text: String, _ arguments: Arguments) throws -> ExitCode {
        let (id, run) = try RunChoice.run(text, StoreArguments.read(arguments))
        if arguments[HistoryCommand.json] {
            try Output.write(RecordJSON.value(run, id: id).text + "\n")
        } else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            try Output.write(canvas.text(RunView(run, id: id) { WallClock.text($0) }.lines(on: canvas)))
        }
        return .success
    }

    static func note(_ number: String, _ text: String, _ arguments: Arguments) throws -> ExitCode {
        guard !text.isEmpty, text.utf8.count <= RunNote.longest else {
            throw UsageError("a note has 1 to \(RunNote.longest) octets")
        }
        guard text.isFitForScreen else { throw UsageError("a note is plain text in one line") }
        let history = try StoreArguments.open(arguments)
        let (id, _) = try RunChoice.run(number, history)
        guard try history.note(id, RunNote(at: WallClock.now, text: text)) else {
            throw Failure(message: "there is no run \(id) any more")
        }
        return .success
    }

    static func compare(_ first: String, _ second: String, _ arguments: Arguments) throws -> ExitCode {
        let history = try StoreArguments.read(arguments)
        let view = try CompareView(RunChoice.run(first, history), RunChoice.run(second, history)) { WallClock.text($0) }
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        try Output.write(canvas.text(view.lines(on: canvas)))
        return .success
    }

    static func remove(_ text: String?, _ arguments: Arguments) throws -> ExitCode {
        let history = try StoreArguments.open(arguments)
        if let text {
            let (id, _) = try RunChoice.run(text, history)
            guard try history.remove(id) else { throw Failure(message: "there is no run \(id) any more") }
            return .success
        }
        guard try arguments[HistoryCommand.before] != nil else {
            throw UsageError("potluck history rm needs a run's number, or --before DATE")
        }
        let query = try RunChoice.query(arguments, history)
        guard query.limit == nil else { throw UsageError("--limit is for lists") }
        let count = try history.remove(query)
        try Output.write("\(count) \(count == 1 ? "run" : "runs") removed\n")
        return .success
    }

    static func export(_ file: String, _ arguments: Arguments) throws -> ExitCode {
        guard let history = try StoreArguments.read(arguments) else {
            throw Failure(message: "no run was recorded yet, so there is nothing to export")
        }
        let count = try history.export(RunChoice.query(arguments, history), to: file)
        try Output.write("\(count) \(count == 1 ? "run" : "runs") written to \(file)\n")
        return .success
    }

    static func take(_ file: String, _ arguments: Arguments) throws -> ExitCode {
        let (added, known) = try StoreArguments.open(arguments).importRuns(from: file) { run in
            run.result.digest == run.digest ? nil : "has another digest than what it says makes"
        }
        try Output.write("\(added) \(added == 1 ? "run" : "runs") added, \(known) were here already\n")
        return .success
    }

    static func repair(_ arguments: Arguments) throws -> ExitCode {
        let path = try StoreArguments.path(arguments)
        let (saved, lost, kept) = try History.repair(at: path)
        try Output.write(
            "\(saved) runs saved, \(lost) known to be lost; the damaged history is kept as \(kept)\n")
        return .success
    }
}

extension RunRecord {
    /// As it was when it had just been computed, to make its digest again.
    var result: JobResult {
        JobResult(
            spec: JobSpec(
                experiment: Experiment(
                    simulation: simulation, parameters: parameters.map(\.slot), seed: seed,
                    blockSize: max(1, blockSize)), goal: Goal()),
            trials: trials, tally: tally, readings: readings, completion: completion, elapsed: elapsed, nodes: [])
    }
}
