import Glibc
import PotluckConsole
import PotluckKit
import PotluckModel
import PotluckSandbox

/// What a run came to, on stdout.
enum ResultOutput {
    /// For people. `typed` is what they write for the simulation, where that is not its name.
    static func show(
        _ result: JobResult, digest: String, typed: String? = nil, inputs: [RecordedInput] = [],
        on descriptor: Int32 = STDOUT_FILENO
    ) throws(OutputError) {
        let canvas = Terminal.canvas(of: descriptor)
        let view = ResultView(
            isBuiltIn: result.experiment.simulation.isBuiltIn, typed: typed, inputs: inputs)
        try Output.write(canvas.text(view.lines(result, digest: digest, on: canvas)), to: descriptor)
    }

    /// Of a job that was ordered in a session, and the exit status. Who ordered it knows what it is of.
    static func conclude(
        _ outcome: ClusterPicture.Outcome, of purpose: Purpose, isJSON: Bool
    ) throws -> ExitCode {
        if isJSON {
            let result = JobJSON.result(outcome.result, digest: outcome.digest, of: purpose.subject?.simulation)
            try Output.write(result.text + "\n", to: purpose.stdout)
        } else {
            try show(
                outcome.result, digest: outcome.digest, typed: purpose.subject?.typed, inputs: purpose.inputs,
                on: purpose.stdout)
        }
        if let simulation = purpose.subject?.simulation { try check(outcome.result, of: simulation) }
        return .success
    }

    /// Refuses what is spoilt. A reading that its author derives from a spoilt sum may not show it: the sum does.
    static func check(_ result: JobResult, of simulation: AnySimulation) throws(Failure) {
        var names = result.readings.filter(\.isSpoilt).map(\.name)
        if names.isEmpty, result.tally.count == simulation.layout.empty.count,
            let field = Replay.spoilt(result.tally, simulation.layout)
        {
            names = [field]
        }
        guard !names.isEmpty else { return }
        throw Failure(
            message:
                "\(simulation.name) computed an impossible value for \(names.joined(separator: ", ")): more than the number of "
                + "trials, not a number, or too large; find the error with 'potluck check'")
    }
}
