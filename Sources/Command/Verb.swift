import Potluck
import PotluckScreen

/// A command of the program, with the function that runs it.
struct Verb: Sendable {
    let declaration: Command
    let run: @Sendable (Arguments) async throws -> ExitCode
}
