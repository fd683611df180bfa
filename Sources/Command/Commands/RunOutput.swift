import Glibc
import Potluck
import PotluckArguments
import PotluckKit
import PotluckModel

/// Where what a simulation writes goes: a file, or stdout.
struct RunOutput: Sendable {
    static let option = option("write the simulation's output to this file, or to stdout with -")

    static func option(_ help: String) -> Option<String> {
        Option("output", "FILE", help, in: .output) { (text) throws(ValueError) -> String in
            guard !text.isEmpty else { throw ValueError("use a file name, or - for stdout") }
            return text
        }
    }

    private let kind: OutputKind
    private let descriptor: Int32
    /// What people call it.
    let label: String
    private let layout: TallyLayout

    /// Nil where nobody asked for it. A file that cannot be written shows before anything is computed; what was in it goes only
    /// when there is something new.
    init?(_ simulation: AnySimulation, _ prepared: PreparedSimulation, _ arguments: Arguments) throws {
        guard let path = try arguments[Self.option] else { return nil }
        guard prepared.writes != .nothing else {
            throw UsageError(
                "\(simulation.name) writes no output with these parameters; leave out --output, or see "
                    + "'potluck simulations \(simulation.name)'")
        }
        kind = prepared.writes
        layout = simulation.layout
        label = Spelling.path(path)
        if path == "-" {
            descriptor = STDOUT_FILENO
        } else {
            descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw Failure(cannot: "write \(label)") }
        }
    }

    /// Then everything else goes to stderr.
    var isStdout: Bool { descriptor == STDOUT_FILENO }

    /// Writes what a run in a session wrote.
    func write(_ result: JobResult, _ output: JobOutput) throws {
        let blocks = result.experiment.blocks(for: result.trials)
        try write(result) { try output.read(layout.print(in: result.tally) ?? OutputPrint(), blocks: blocks, $0) }
    }

    /// `read` gives it in order, in pieces.
    func write(_ result: JobResult, _ read: (_ take: ([UInt8]) throws -> Void) throws -> Void) throws {
        // What is no file, a pipe or a terminal, has no length to begin with.
        if !isStdout { _ = ftruncate(descriptor, 0) }
        let octets = layout.print(in: result.tally)?.octets ?? 0
        let columns = result.trials > 0 ? Int(octets / 8 / result.trials) : 0
        let rows = Int(result.experiment.blockSize)
        var shown = ShownOctets()
        do {
            try read { piece in
                // Only all blocks together show that each has as many numbers in a row.
                if kind == .rows, !piece.isEmpty,
                    columns == 0 || piece.count % (8 * columns) != 0 || piece.count > 8 * columns * rows
                {
                    throw JobFailed("the simulation wrote rows of different lengths; ask its author to fix it")
                }
                switch kind {
                case .rows: try Output.write(Self.text(of: piece, columns: columns), to: descriptor)
                // A file or a pipe gets it as it is.
                case _ where isatty(descriptor) == 1: try Output.write(shown.take(piece), to: descriptor)
                default: try Output.write(piece, to: descriptor)
                }
            }
            if !isStdout, close(descriptor) != 0 { throw OutputError(number: errno) }
        } catch let error as OutputError {
            if isStdout { throw error }
            throw Failure(message: "cannot write \(label): \(String(cString: strerror(error.number)))")
        } catch let error as JobFailed {
            // Half of a file, or a wrong one, is none.
            if !isStdout { _ = ftruncate(descriptor, 0) }
            throw Failure(message: error.description)
        }
    }

    /// Rows of real numbers as people and other programs read them, with all their digits.
    static func text(of octets: [UInt8], columns: Int) -> [UInt8] {
        var text: [UInt8] = []
        var column = 0
        for start in stride(from: 0, to: octets.count - 7, by: 8) {
            let bits = (0..<8).reduce(0 as UInt64) { $0 | UInt64(octets[start + $1]) << UInt64(8 * $1) }
            let number = Double(bitPattern: bits).description
            text += number.hasSuffix(".0") ? number.utf8.dropLast(2) : number.utf8[...]
            column += 1
            text.append(column == columns ? UInt8(ascii: "\n") : UInt8(ascii: " "))
            if column == columns { column = 0 }
        }
        return text
    }
}
