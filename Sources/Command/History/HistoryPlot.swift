import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck history plot`: plots a simulation's readings over its runs.
enum HistoryPlot {
    /// The default limit of runs; a chart with more is unreadable.
    private static let most = 1000

    static func plot(_ simulation: String?, _ arguments: Arguments) throws -> ExitCode {
        guard let history = try StoreArguments.read(arguments) else {
            throw RunChoice.nothingRecorded
        }
        var query = try RunChoice.query(arguments, history, limit: most)
        let simulation = try choose(simulation ?? query.simulation, history)
        query.simulation = simulation
        let runs = try history.numbers(query).reversed().compactMap { id in try history.run(id).map { (id, $0) } }
        let parameter = try arguments[HistoryCommand.by]
        let isMean = arguments[HistoryCommand.mean]
        guard parameter != nil || !isMean else {
            throw UsageError("--mean needs --by, because it shows the mean of the runs of each value")
        }
        let reading = try arguments[HistoryCommand.reading]
        try check(parameter, runs, simulation)
        let readings = Set(runs.flatMap { $0.1.readings.map(\.name) })
        let figure = try reading.flatMap { try readings.contains($0) ? nil : self.figure($0, runs) }
        let trends = Trends(runs, by: parameter, showing: figure)
        let shown = try only(reading, of: isMean ? trends.means(runs) : trends.all)
        guard !shown.isEmpty else { throw Failure(message: "no runs of \(simulation) match") }
        let all = try history.count(query)
        let remarks = runRemarks(trends, parameter, runs.count, of: all)
        guard let file = try arguments[HistoryCommand.output] else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            let charts = shown.map { TrendChart(on: canvas).lines($0) { WallClock.text($0) } }
            let last = remarks.flatMap { canvas.wrapped($0, .faint) }
            let lines = Array(charts.joined(separator: [StyledLine()])) + (last.isEmpty ? [] : [StyledLine()] + last)
            try Output.write(canvas.text(lines))
            return .success
        }
        guard file.lowercased().hasSuffix(".svg") else {
            throw UsageError("invalid value \(Spelling.quoted(file)) for -o: the name must end in .svg")
        }
        guard let drawing = Drawings.trend(shown, of: simulation, date: { WallClock.text($0) }) else {
            throw Failure(message: "nothing to plot: no run has a value")
        }
        try FileWriter.write(drawing, to: file, arguments)
        for remark in remarks + fileRemarks(Drawings.leftOut(shown)) { Output.complain(remark) }
        return .success
    }

    /// What a reader of the chart must know, because the chart does not show it. `plotted` is the number of runs that
    /// were read, of all that match.
    private static func runRemarks(_ trends: Trends, _ parameter: String?, _ plotted: Int, of all: Int) -> [String] {
        var remarks: [String] = []
        if all > plotted {
            remarks.append("The plot has the newest \(plotted) of \(all) runs; use --limit N for more.")
        }
        if !trends.differing.isEmpty {
            let names = trends.differing.joined(separator: ", ")
            remarks.append(
                "The runs \(parameter == nil ? "" : "also ")differ in \(names). "
                    + "Use --where to choose some, or --by to plot against a parameter.")
        }
        if let parameter, trends.lacking > 0 {
            remarks.append("\(trends.lacking) without \(parameter) \(trends.lacking == 1 ? "is" : "are") not shown.")
        }
        return remarks
    }

    /// What a file lacks. The terminal has a line for a reading without a value, and room for all others.
    private static func fileRemarks(_ left: Drawings.LeftOut) -> [String] {
        let empty = left.empty.isEmpty ? nil : "No run has a value of \(NameList.text(left.empty))."
        let surplus = left.remark(on: "readings").map { "\($0) Use --reading NAME to plot another one." }
        return [empty, surplus].compactMap { $0 }
    }

    private static func choose(_ name: String?, _ history: History) throws -> String {
        let names = try history.names().simulations
        if let name {
            guard names.contains(name) else {
                throw UsageError("no runs of \(Spelling.quoted(name))\(Spelling.hint(for: name, among: names))")
            }
            return name
        }
        guard names.count == 1 else {
            guard !names.isEmpty else { throw RunChoice.nothingRecorded }
            throw UsageError("missing argument SIMULATION; simulations: \(names.joined(separator: ", "))")
        }
        return names[0]
    }

    /// Throws if no run has the parameter or the figure of the horizontal axis.
    private static func check(
        _ parameter: String?, _ runs: [(id: Int64, run: RunRecord)], _ simulation: String
    ) throws {
        let known = runs.flatMap { $0.run.parameters.map(\.name) }
        guard let parameter, !runs.isEmpty, !known.contains(parameter), try figure(parameter, runs) == nil else {
            return
        }
        throw UsageError(
            "unknown parameter \(Spelling.quoted(parameter)) of \(simulation)"
                + Spelling.hint(for: parameter, among: known + RunFigure.names))
    }

    /// The figure of this name; nil if there is none. Throws if it is the share of a node that computed nothing.
    private static func figure(_ name: String, _ runs: [(id: Int64, run: RunRecord)]) throws -> RunFigure? {
        guard let figure = RunFigure(name) else { return nil }
        if case .share(let node) = figure, !runs.isEmpty, runs.allSatisfy({ figure.value($0.run) == nil }) {
            let nodes = Array(Set(runs.flatMap { $0.run.nodes.map(\.name) })).sorted()
            let hint = Spelling.hint(for: node, among: nodes)
            throw UsageError(
                "none of the runs was computed by a node called \(Spelling.quoted(node))"
                    + (hint.isEmpty ? "; nodes: \(nodes.prefix(mostNames).joined(separator: ", "))" : hint))
        }
        return figure
    }

    /// As many nodes as fit on a line.
    private static let mostNames = 20

    private static func only(_ wanted: String?, of trends: [Trend]) throws -> [Trend] {
        guard let wanted else { return trends }
        let found = trends.filter { $0.name == wanted }
        guard !found.isEmpty || trends.isEmpty else {
            let hint = Spelling.hint(for: wanted, among: trends.map(\.name))
            throw UsageError("unknown reading \(Spelling.quoted(wanted))\(hint)")
        }
        return found
    }
}
