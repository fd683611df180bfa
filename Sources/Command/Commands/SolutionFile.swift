import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// Where `--output` of a search writes the best solution, as its author shows it: a file or stdout.
struct SolutionFile: Sendable {
    private let file: OutputFile

    /// Returns nil if `--output` was not given, or for other work, whose output `RunOutput` writes. Opens the file now, so that
    /// an unwritable path fails before the search.
    init?(_ prepared: PreparedSimulation, _ arguments: Arguments) throws {
        guard prepared.search != nil, let path = try arguments[RunOutput.option] else { return nil }
        file = try OutputFile(path, arguments)
    }

    /// If true, everything else goes to stderr.
    var isStdout: Bool { file.isStdout }

    /// Writes the solution. Throws if there is none, or if it is not known.
    func write(_ solution: [UInt8]?) throws {
        guard let solution else { throw Failure(message: "\(file.label) is not written: there is no solution to show") }
        try file.write { try Output.write(solution, to: $0) }
    }
}
