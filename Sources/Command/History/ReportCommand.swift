import Glibc
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckModel
import PotluckReport

/// `potluck report`: a run as a page to keep and to print.
enum ReportCommand {
    private static let output = Option(
        "output", short: "o", "FILE", "where to write it: FILE.html, FILE.svg (the drawing alone) or FILE.txt"
    ) { (text) throws(ValueError) -> String in text }

    static let verb = Verb(
        declaration: Command(
            "report", "make a printable page of a run",
            positionals: [Positional("ID", "the run's number, or \"last\"; potluck history lists them")],
            options: [output.declaration, StateDirectory.option.declaration],
            details: [
                "The page needs nothing else, no network and no program: it says what was asked, what came of it with its "
                    + "interval and the exact answer, how it got there, who computed it, and how to repeat it.",
                "Without -o the text goes to the terminal, and HTML into a pipe or a file.",
                "For example: potluck report last -o monty-hall.html",
            ]), run: run)

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
        default: throw UsageError("-o \(Spelling.quoted(file)): a report is FILE.html, FILE.svg or FILE.txt")
        }
    }

    private static func text(_ run: RunRecord, _ id: Int64, _ kind: Kind) throws -> String {
        switch kind {
        case .html: return Page(run, id: id, isBuiltIn: run.simulation.isBuiltIn) { WallClock.text($0) }.html
        case .svg:
            guard let drawing = Drawings.convergence(run) else {
                throw Failure(
                    message: "run \(id) was too short to draw how it got there; a page has all else: -o FILE.html")
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
