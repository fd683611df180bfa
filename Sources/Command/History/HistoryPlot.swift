import Glibc
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckModel
import PotluckReport

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
        let readings = try points(runs, only: arguments[HistoryCommand.reading])
        guard !readings.isEmpty else { throw Failure(message: "no runs of \(simulation) match") }
        guard let file = try arguments[HistoryCommand.output] else {
            let canvas = Terminal.canvas(of: STDOUT_FILENO)
            let charts = readings.map { reading in
                TrendChart(on: canvas).lines(reading.name, reading.points) { WallClock.text($0) }
            }
            try Output.write(canvas.text(Array(charts.joined(separator: [Line()]))))
            return .success
        }
        guard file.lowercased().hasSuffix(".svg") else {
            throw UsageError("invalid value \(Spelling.quoted(file)) for -o: the name must end in .svg")
        }
        guard let drawing = Drawings.trend(readings, of: simulation, date: { String(WallClock.text($0).prefix(10)) })
        else {
            throw Failure(message: "nothing to plot: no run has a value")
        }
        try FileWriter.write(drawing, to: file)
        return .success
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

    private static func points(
        _ runs: [(id: Int64, run: RunRecord)], only wanted: String?
    ) throws -> [(name: String, points: [TrendChart.Point])] {
        var readings: [(name: String, points: [TrendChart.Point])] = []
        for (id, run) in runs {
            for reading in run.readings where reading.kind != .histogram {
                let point = TrendChart.Point(run: id, at: run.startedAt, reading: reading)
                if let index = readings.firstIndex(where: { $0.name == reading.name }) {
                    readings[index].points.append(point)
                } else {
                    readings.append((reading.name, [point]))
                }
            }
        }
        guard let wanted else { return readings }
        let found = readings.filter { $0.name == wanted }
        guard !found.isEmpty || readings.isEmpty else {
            throw UsageError(
                "unknown reading \(Spelling.quoted(wanted))\(Spelling.hint(for: wanted, among: readings.map(\.name)))"
            )
        }
        return found
    }
}

/// Writes files that the user asked for.
enum FileWriter {
    /// Writes the whole file or, if that fails, leaves the old one unchanged.
    static func write(_ text: String, to path: String) throws {
        let draft = path + ".\(getpid()).new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(cannot: "write \(path)") }
        do {
            defer { close(descriptor) }
            try Output.write(text, to: descriptor)
        } catch {
            unlink(draft)
            throw Failure(message: "cannot write \(path): \(String(cString: strerror(error.number)))")
        }
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw Failure(message: "cannot write \(path): \(reason)")
        }
    }
}
