import Glibc
import Potluck
import PotluckCatalogue
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck report`: makes a printable page of a run.
enum ReportCommand {
    private static let output = Option(
        "output", short: "o", "FILE",
        "write to FILE.html, FILE.svg (the charts or the route alone), FILE.csv (the numbers of the charts) or FILE.txt",
        in: .output, default: "stdout", CommonOptions.text)

    static let verb = Verb(
        declaration: Command(
            "report", "make a printable page of a run, of several or of a sweep",
            positionals: [
                Positional(
                    "ID",
                    "the run's number (see 'potluck history'), or 'last'; several to compare runs; or sweep=NUMBER",
                    repeats: true, values: .found(.run))
            ],
            options: [output.declaration, FileWriter.force.declaration, StateDirectory.option.declaration],
            details: [
                "The page needs no network and no other file. It shows the parameters, the results with their intervals and "
                    + "exact answers, how they converged, the nodes, and the command that repeats the run.",
                "The page of a sweep has a table of all points, and charts of the readings by each parameter that differs and "
                    + "is a number. 'last' is the sweep if the newest line of the history is one.",
                "Without -o, the report goes to stdout: as text on a terminal, otherwise as HTML.",
            ],
            examples: [
                "report last -o monty-hall.html", "report 3 4 5 -o doors.html",
                "report sweep=8ab2be2e05beef99 -o doors.html",
            ]), run: run)

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        do {
            guard arguments.positionals.count <= RunChoice.most else {
                throw UsageError("a report has at most \(RunChoice.most) runs")
            }
            let file = try arguments[output]
            let kind = try kind(of: file)
            let history = try StoreArguments.read(arguments)
            let text: String
            if let sweep = try SweepChoice.sweep(arguments.positionals, history) {
                text = try self.text(sweep, kind)
            } else {
                let runs = try RunChoice.runs(arguments.positionals, history)
                text = try runs.count == 1 ? self.text(runs[0].run, runs[0].id, kind, arguments) : self.text(runs, kind)
            }
            if let file { try FileWriter.write(text, to: file, arguments) } else { try Output.write(text) }
            return .success
        } catch let trouble as StoreError {
            throw Failure(message: trouble.description)
        }
    }

    private enum Kind { case html, svg, csv, txt, terminal }

    private static func kind(of file: String?) throws -> Kind {
        guard let file else { return isatty(STDOUT_FILENO) == 1 ? .terminal : .html }
        switch file.lowercased().split(separator: ".").last {
        case "html", "htm": return .html
        case "svg": return .svg
        case "csv": return .csv
        case "txt": return .txt
        default:
            throw UsageError(
                "invalid value \(Spelling.quoted(file)) for -o: the name must end in .html, .svg, .csv or .txt")
        }
    }

    /// The question that a run answers, if this program has its simulation.
    private static func question(_ run: RunRecord) -> String? {
        run.simulation.builtIn?.summary
    }

    private static func text(_ sweep: RecordedSweep, _ kind: Kind) throws -> String {
        switch kind {
        case .html:
            return SweepPage(sweep, question: question(sweep.runs[0]), command: SweepRepetition(sweep).command) {
                WallClock.text($0)
            }.html
        case .svg:
            guard let drawing = Drawings.sweep(sweep, date: { WallClock.text($0) }) else {
                throw Failure(
                    message: "no numbers differ in the sweep \(sweep.id.text), so it has no chart; "
                        + "use -o FILE.html for a report without one")
            }
            return drawing
        case .csv:
            return FigureCSV.text(sweep.runs.map { (nil, $0) })
        case .txt, .terminal:
            let canvas = canvas(kind)
            let view = SweepView(sweep, command: SweepRepetition(sweep).command) { WallClock.text($0) }
            return canvas.text(view.lines(on: canvas))
        }
    }

    private static func text(_ runs: [(id: Int64, run: RunRecord)], _ kind: Kind) throws -> String {
        let isOne = runs.allSatisfy { $0.run.simulation == runs[0].run.simulation }
        switch kind {
        case .html:
            return ComparisonPage(runs, question: isOne ? question(runs[0].run) : nil) { WallClock.text($0) }.html
        case .svg:
            throw UsageError("one run has a chart as SVG; for several use 'potluck history plot' or -o FILE.html")
        case .csv: return FigureCSV.text(runs.map { ($0.id, $0.run) })
        case .txt, .terminal:
            let canvas = canvas(kind)
            return canvas.text(CompareManyView(runs).lines(on: canvas))
        }
    }

    private static func canvas(_ kind: Kind) -> Canvas {
        kind == .txt ? Canvas(columns: 100, unicode: true, colour: false) : Terminal.canvas(of: STDOUT_FILENO)
    }

    private static func text(
        _ run: RunRecord, _ id: Int64, _ kind: Kind, _ arguments: Arguments
    ) throws -> String {
        let solution = RecordedSolution.find(run, arguments)
        let isBuiltIn = run.simulation.isBuiltIn
        switch kind {
        case .html:
            return Page(run, id: id, isBuiltIn: isBuiltIn, question: question(run), solution: solution) {
                WallClock.text($0)
            }.html
        case .svg where run.isSearch:
            guard let drawing = solution.flatMap({ Drawings.map($0, title: run.simulation.name) }) else {
                throw Failure(
                    message: "run \(id) has no picture to draw; use -o FILE.html for a report without one")
            }
            return drawing
        case .svg:
            guard let drawing = Drawings.run(run) else {
                throw Failure(
                    message: "run \(id) is too short for a chart; use -o FILE.html for a report without one")
            }
            if let remark = Drawings.leftOut(run).remark(on: "readings") { Output.complain(remark) }
            return drawing
        case .csv: return FigureCSV.text([(id, run)])
        case .txt, .terminal:
            let canvas = canvas(kind)
            let view = RunView(run, id: id, isBuiltIn: isBuiltIn, solution: solution) { WallClock.text($0) }
            return canvas.text(view.lines(on: canvas))
        }
    }
}
