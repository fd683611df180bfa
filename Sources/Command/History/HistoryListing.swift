import Glibc
import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck history` without an action: lists runs.
enum HistoryListing {
    /// The default limit of a list on the screen. JSON and CSV have no default limit.
    private static let usualLimit = 20

    static func list(_ arguments: Arguments) throws -> ExitCode {
        let (asJSON, asCSV) = (arguments[HistoryCommand.json], arguments[HistoryCommand.csv])
        try RunPlan.refuseBoth(json: asJSON, csv: asCSV)
        guard let history = try StoreArguments.read(arguments) else {
            try Output.write(empty(arguments, asJSON: asJSON, asCSV: asCSV))
            return .success
        }
        let query = try RunChoice.query(arguments, history, limit: asJSON || asCSV ? nil : usualLimit)
        if arguments[HistoryCommand.count] {
            let count = try history.count(query)
            try Output.write(asJSON ? JSON.object([("count", JSON(count))]).text + "\n" : "\(count)\n")
        } else if asJSON {
            let runs = try history.numbers(query).compactMap { id in
                try history.run(id).map { RecordJSON.value($0, id: id, of: $0.simulation.builtIn) }
            }
            try Output.write(JSON(runs).text + "\n")
        } else if asCSV {
            let runs = try history.numbers(query).compactMap { id in try history.run(id).map { (Int64?(id), $0) } }
            try Output.write(RecordCSV.text(runs))
        } else {
            var query = query
            // A condition may choose some of a sweep's points.
            if case .all = query.choice { query.choice = .foldingSweeps }
            try show(history, query)
        }
        return .success
    }

    private static func show(_ history: History, _ query: HistoryQuery) throws {
        let runs = try history.list(query, withShares: true)
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        guard !runs.isEmpty else {
            return try Output.write("No runs match; the history has \(try history.count()).\n")
        }
        var lines = HistoryView.lines(
            runs, date: { WallClock.text($0) },
            unit: { run in builtIns.first { $0.name == run.simulation }?.unit ?? .trial },
            isAboutNodes: query.isAboutNodes, on: canvas)
        if let sweep = runs.lazy.compactMap(\.sweep).first {
            lines.append(
                StyledLine("The points of a sweep: potluck history --where 'sweep=\(sweep.id.text)'", .faint))
        }
        let all = try history.count(query)
        if all > runs.count {
            lines.append(StyledLine("\(runs.count) of \(all) runs shown; use --limit N for more.", .faint))
        }
        try Output.write(canvas.text(lines))
    }

    private static func empty(_ arguments: Arguments, asJSON: Bool, asCSV: Bool) -> String {
        if arguments[HistoryCommand.count] { return asJSON ? "{\"count\":0}\n" : "0\n" }
        if asJSON { return "[]\n" }
        return asCSV ? RecordCSV.text([]) : "No runs are recorded yet; 'potluck run' records them.\n"
    }
}
