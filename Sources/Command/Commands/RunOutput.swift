import Glibc
import Potluck
import PotluckCore
import PotluckKit
import PotluckScreen

/// The destination of a simulation's output: a file or stdout.
struct RunOutput: Sendable {
    static let option = option("write the simulation's output to this file, or to stdout with -")

    static func option(_ help: String) -> Option<String> {
        Option("output", short: "o", "FILE", help, in: .output) { (text) throws(ValueError) -> String in
            guard !text.isEmpty else { throw ValueError("use a file name, or - for stdout") }
            return text
        }
    }

    private let kind: OutputKind
    /// Whether rows are written in NumPy's form, without text.
    private let isNumPy: Bool
    /// How the names of NumPy's files end.
    private static let numPy = ".npy"
    private let file: OutputFile
    /// The path as shown in messages.
    var label: String { file.label }
    private let layout: TallyLayout

    /// Returns nil if `--output` was not given, or for a search (`SolutionFile`). Opens the file now, so that an unwritable path fails before the run.
    /// The old content stays until there is new output.
    init?(_ simulation: AnySimulation, _ prepared: PreparedSimulation, _ arguments: Arguments) throws {
        guard prepared.search == nil, let path = try arguments[Self.option] else { return nil }
        guard prepared.writes != .nothing else {
            throw UsageError(
                "\(simulation.name) writes no output with these parameters; leave out --output, or see "
                    + "'potluck simulations \(simulation.name)'")
        }
        kind = prepared.writes
        isNumPy = path.hasSuffix(Self.numPy)
        if isNumPy, kind != .rows {
            throw UsageError(
                "\(simulation.name) writes text, and \(Self.numPy) is for rows of numbers; use another name")
        }
        layout = simulation.layout
        file = try OutputFile(path, arguments)
    }

    /// Says that the simulation's output is not kept.
    static func remark(on plan: RunPlan, _ arguments: Arguments) {
        guard plan.prepared.writes != .nothing, !arguments.has(option.declaration) else { return }
        let what = plan.prepared.writes == .rows ? "rows of numbers that are" : "text that is"
        Output.complain("\(plan.simulation.name) writes \(what) not kept; use -o FILE, or -o - to print")
    }

    /// The message that nothing is written.
    func unwritten(_ why: String) -> String { "\(label) is not written: \(why)" }

    /// If true, everything else goes to stderr.
    var isStdout: Bool { file.isStdout }

    /// Writes the output of a job that a session computed.
    func write(_ result: JobResult, _ output: JobOutput) throws {
        let blocks = result.experiment.blocks(for: result.trials)
        try write(result) { try output.read(layout.print(in: result.tally) ?? OutputPrint(), blocks: blocks, $0) }
    }

    /// Writes the output of a run. `read` passes its pieces in order.
    func write(_ result: JobResult, _ read: (_ take: ([UInt8]) throws -> Void) throws -> Void) throws {
        do {
            try file.write { try write(result, to: $0, read) }
        } catch let error as JobError {
            throw Failure(message: error.description)
        }
    }

    private func write(
        _ result: JobResult, to descriptor: Int32, _ read: (_ take: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        let octets = layout.print(in: result.tally)?.octets ?? 0
        let columns = result.trials > 0 ? octets / 8 / result.trials : 0
        let uneven = JobError("the simulation wrote rows of different lengths; ask its author to fix it")
        var shown = ShownOctets()
        if isNumPy {
            // The head says how many numbers follow.
            guard octets == 8 * columns * result.trials else { throw uneven }
            try Output.write(NumPyFile.head(rows: result.trials, columns: columns), to: descriptor)
        }
        try read { piece in
            // A worker sees only its own blocks. Only here can rows of different lengths be noticed.
            if kind == .rows, !Self.isRows(piece.count, columns: columns, atMost: result.experiment.blockSize) {
                throw uneven
            }
            switch kind {
            case .rows where !isNumPy: try Output.write(Self.text(of: piece, columns: Int(columns)), to: descriptor)
            // On a terminal, escape control characters. A file or a pipe gets the bytes unchanged.
            case .text where isatty(descriptor) == 1: try Output.write(shown.show(piece), to: descriptor)
            default: try Output.write(piece, to: descriptor)
            }
        }
    }

    /// Whether this many octets are whole rows. `columns` is an eighth of a number of octets that may come from a
    /// dishonest node.
    static func isRows(_ octets: Int, columns: UInt64, atMost rows: UInt64) -> Bool {
        guard octets > 0 else { return true }
        let row = 8 * columns
        return row > 0 && UInt64(octets) % row == 0 && UInt64(octets) / row <= rows
    }

    /// Formats rows of numbers as text: one row per line, spaces between numbers, enough digits to restore each number.
    static func text(of octets: [UInt8], columns: Int) -> [UInt8] {
        let count = octets.count / 8
        return [UInt8](writing: count * (DecimalText.longest + 1)) { text, length in
            guard let start = text.baseAddress else { return }
            var place = start
            octets.withUnsafeBytes { octets in
                for index in 0..<count {
                    let bits = octets.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
                    place = DecimalText.write(Double(bitPattern: UInt64(littleEndian: bits)), at: place)
                    place.pointee = index % columns == columns - 1 ? UInt8(ascii: "\n") : UInt8(ascii: " ")
                    place += 1
                }
            }
            length = place - start
        }
    }
}
