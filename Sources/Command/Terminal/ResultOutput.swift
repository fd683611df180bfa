import Glibc
import PotluckConsole
import PotluckModel

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
        return .success
    }
}
