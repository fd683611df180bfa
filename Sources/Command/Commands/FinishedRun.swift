import Potluck
import PotluckCore
import PotluckKit
import PotluckMachine
import PotluckScreen

/// A run that has ended: prints its result and records it in the history.
struct FinishedRun {
    /// How the result is printed.
    enum Format {
        case text, json, csv

        init(json: Bool, csv: Bool) { self = json ? .json : csv ? .csv : .text }
    }

    let chosen: ChosenSimulation
    let inputs: [RecordedInput]
    let format: Format
    /// Milliseconds since 1970.
    let startedAt: Int64
    var tables: [Table] = []
    /// Where the solution of a search goes besides; nil if it is not wanted.
    var solutionFile: SolutionFile?

    /// Prints the result and returns the exit code. `solution` is the best one of a search.
    func print(_ result: JobResult, solution: [UInt8]?, to descriptor: Int32) throws -> ExitCode {
        try solutionFile?.write(solution)
        let digest = result.digest
        let warnings = ResultWarnings.of(result, chosen, tables, isShown: format == .text)
        switch format {
        case .json:
            let members = RunJSON.members(
                result, digest: digest, of: chosen.simulation, solution: solution, warnings: warnings)
            try Output.write(JSON.object(members).text + "\n", to: descriptor)
        case .csv:
            try Output.write(RecordCSV.text([(nil, record(of: result, key: ""))]), to: descriptor)
        case .text:
            try ResultOutput.show(
                result, digest: digest, typed: chosen.typed, inputs: inputs, solution: solution, on: descriptor)
        }
        ResultWarnings.say(warnings)
        ResultOutput.remark(on: result, solution)
        try ResultOutput.check(result, of: chosen.simulation, tables)
        return result.completion == .stopped ? Interrupts.asked ?? .success : .success
    }

    private func record(of result: JobResult, key: String) -> RunRecord {
        RunRecord(
            key: key, result, of: chosen.simulation, file: chosen.plugin == nil ? nil : chosen.typed,
            inputs: inputs, digest: result.digest, startedAt: startedAt)
    }

    func record(_ result: JobResult, key: String, _ arguments: Arguments) {
        let path = { try StoreArguments.path(arguments) }
        for line in RunRecorder.record(record(of: result, key: key), mayBeKnown: true, at: path) {
            Output.complain(line)
        }
    }
}
