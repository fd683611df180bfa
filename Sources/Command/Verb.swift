import Potluck
import PotluckScreen

/// A command of the program, with the function that runs it.
struct Verb: Sendable {
    let declaration: Command
    let run: @Sendable (Arguments) async throws -> ExitCode
}

extension Positional {
    /// What to compute.
    static let simulation = Positional(
        "NAME", "a simulation (see 'potluck simulations') or its file", values: .found(.simulation))
}
