import Glibc
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckModel
import PotluckReport

/// `potluck report`: makes a printable page of a run.
enum ReportCommand {
    private static let output = Option(
        "output", short: "o", "FILE", "write to FILE.html, FILE.svg (the chart alone) or FILE.txt", in: .output,
        default: "stdout", CommonOptions.text)

    static let verb = Verb(
        declaration: Command(
            "report", "make a printable page of a run",
            positionals: [Positional("ID", "the run's number (see 'potluck history'), or 'last'")],
            options: [output.declaration, StateDirectory.option.declaration],
            details: [
                "The page needs no network and no other file. It shows the parameters, the results with their intervals and "
                    + "exact answers, how they converged, the nodes, and the command that repeats the run.",
                "Without -o, the report goes to stdout: as text on a terminal, otherwise as HTML.",
            ],
            examples: ["report last -o monty-hall.html"]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        do {
            let (id, run) = try RunChoice.run(arguments[0] ?? "", StoreArguments.read(arguments))
            let file = try arguments[output]
            let kind = try kind(of: file)
            let text = try text(run, id, kind)
            if let file { try FileWriter.write(text, to: file) } else { try Output.write(text) }
            return .success
        } catch let trouble as StoreTrouble {
            throw Failure(message: trouble.description)
        }
    }

    private enum Kind { case html, svg, txt, terminal }

    private static func kind(of file: String?) throws -> Kind {
        guard let file else { return isatty(STDOUT_FILENO) == 1 ? .terminal : .html }
        switch file.lowercased().split(separator: ".").last {
        case "html", "htm": return .html
        case "svg": return .svg
        case "txt": return .txt
        default:
            throw UsageError("invalid value \(Spelling.quoted(file)) for -o: the name must end in .html, .svg or .txt")
        }
    }

    private static func text(_ run: RunRecord, _ id: Int64, _ kind: Kind) throws -> String {
        switch kind {
        case .html: return Page(run, id: id, isBuiltIn: run.simulation.isBuiltIn) { WallClock.text($0) }.html
        case .svg:
            guard let drawing = Drawings.convergence(run) else {
                throw Failure(
                    message: "run \(id) is too short for a chart; use -o FILE.html for a report without one")
            }
            return drawing
        case .txt, .terminal:
            let canvas =
                kind == .txt
                ? Canvas(columns: 100, unicode: true, colour: false) : Terminal.canvas(of: STDOUT_FILENO)
            let view = RunView(run, id: id, isBuiltIn: run.simulation.isBuiltIn) { WallClock.text($0) }
            return canvas.text(view.lines(on: canvas))
        }
    }
}
