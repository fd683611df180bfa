import Glibc
import PotluckArguments
import PotluckConsole
import PotluckJournal
import PotluckModel

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
                try history.run(id).map { RecordJSON.value($0, id: id) }
            }
            try Output.write(JSON(runs).text + "\n")
        } else if asCSV {
            let runs = try history.numbers(query).compactMap { id in try history.run(id).map { (Int64?(id), $0) } }
            try Output.write(RecordCSV.text(runs))
        } else {
            var query = query
            query.foldsSweeps = true
            try show(history, query)
        }
        return .success
    }

    private static func show(_ history: History, _ query: HistoryQuery) throws {
        let runs = try history.list(query)
        let canvas = Terminal.canvas(of: STDOUT_FILENO)
        guard !runs.isEmpty else {
            return try Output.write("No runs match; the history has \(try history.count()).\n")
        }
        var lines = HistoryView.lines(runs, date: { WallClock.text($0) }, on: canvas)
        if let sweep = runs.lazy.compactMap(\.sweep).first {
            lines.append(
                Line("The points of a sweep: potluck history --where 'sweep=\(sweep.id.text)'", .faint))
        }
        let all = try history.count(query)
        if all > runs.count {
            lines.append(Line("\(runs.count) of \(all) runs shown; use --limit N for more.", .faint))
        }
        try Output.write(canvas.text(lines))
    }

    private static func empty(_ arguments: Arguments, asJSON: Bool, asCSV: Bool) -> String {
        if arguments[HistoryCommand.count] { return asJSON ? "{\"count\":0}\n" : "0\n" }
        if asJSON { return "[]\n" }
        return asCSV ? RecordCSV.text([]) : "No runs are recorded yet; 'potluck run' records them.\n"
    }
}

/// A recorded run as JSON for other programs.
enum RecordJSON {
    static func value(_ run: RunRecord, id: Int64) -> JSON {
        .object([("id", JSON(Int(id)))] + members(run))
    }

    static func members(_ run: RunRecord) -> [(key: String, value: JSON)] {
        let (isSearch, done) = (run.isSearch, RunJSON.done(run.trials, isSearch: run.isSearch))
        return
            [
                ("key", .string(run.key)), ("simulation", .string(run.simulation.name)),
                ("source", .string(run.simulation.source)), ("streams", JSON(Int(run.simulation.streams))),
                ("parameters", .object(run.parameters.map { ($0.name, parameter($0)) })),
                ("inputs", .object(run.files?.inputs.map { ($0.name, input($0)) } ?? [])),
                ("inputsHash", JSON(run.files?.digits)), ("file", JSON(run.file)),
            ] + (isSearch ? [done] : [("seed", JSON(run.seed)), ("blockSize", JSON(run.blockSize)), done]) + [
                ("tally", JSON(run.tally.map { JSON($0) })),
                ("counts", .object(run.counts.map { ($0.name, JSON($0.count)) })),
                ("readings", JSON(run.readings.map(RunJSON.reading))), ("digest", .string(run.digest)),
                ("ended", .string(ending(run))), ("started", JSON(Double(run.startedAt) / 1000)),
                ("elapsed", JSON(run.elapsed.seconds)),
            ] + (isSearch ? [] : [("rate", JSON(run.rate))]) + [
                ("cores", JSON(run.cores)),
                (
                    "nodes",
                    JSON(
                        run.nodes.map { node -> JSON in
                            .object(
                                [
                                    ("name", .string(node.name)), ("cores", JSON(node.cores)),
                                    RunJSON.done(node.trials, isSearch: isSearch),
                                ] + (isSearch ? [] : [("rate", JSON(node.rate))]))
                        })
                ),
                (
                    "notes",
                    JSON(
                        run.notes.map { note -> JSON in
                            ["at": JSON(Double(note.at) / 1000), "text": .string(note.text)]
                        })
                ),
                ("session", JSON(run.origin?.session)), ("submitter", JSON(run.origin?.submitter)),
                ("sweep", JSON(run.sweep?.text)), ("program", .string(run.program)),
            ]
    }

    private static func input(_ input: RecordedInput) -> JSON {
        ["file": .string(input.path), "rows": JSON(input.rows), "columns": JSON(input.columns)]
    }

    private static func parameter(_ parameter: RecordedParameter) -> JSON {
        guard let number = parameter.number else { return .string(parameter.text) }
        return Int64(exactly: number).map(JSON.integer) ?? .number(number)
    }

    static func ending(_ run: RunRecord) -> String {
        switch run.completion {
        case .trials: run.isSearch ? "proven" : "trials"
        case .precision: "precision"
        case .duration: "time"
        case .stopped: "stopped"
        }
    }
}

/// Recorded runs as comma-separated values, with a column for every parameter and reading that occurs in any of them.
/// Searches have no trials, rate and seed; if there are any, a column says what part of its tree each has searched.
enum RecordCSV {
    /// A run that was not recorded has no number.
    static func text(_ runs: [(id: Int64?, run: RunRecord)]) -> String {
        var parameters: [String] = []
        var readings: [String] = []
        for run in runs {
            for name in run.run.given.map(\.name) where !parameters.contains(name) { parameters.append(name) }
            for name in run.run.readings.filter({ $0.kind != .histogram }).map(\.name) where !readings.contains(name) {
                readings.append(name)
            }
        }
        let hasSearch = runs.contains(where: \.run.isSearch)
        let heads =
            ["id", "simulation", "started", "trials", "elapsed", "rate", "cores", "nodes", "seed", "ended", "digest"]
            + ["session", "submitter"] + (hasSearch ? ["searched"] : [])
            + parameters + readings.flatMap { [$0, "\($0).low", "\($0).high", "\($0).exact"] } + ["notes"]
        var text = row(heads)
        for (id, run) in runs {
            var cells = [
                id.map { "\($0)" } ?? "", run.simulation.name, WallClock.text(run.startedAt),
                run.isSearch ? "" : "\(run.trials)",
                "\(run.elapsed.seconds)", number(run.rate), "\(run.cores)", "\(run.nodeCount)",
                run.isSearch ? "" : "\(run.seed)",
                RecordJSON.ending(run), run.digest, run.origin?.session ?? "", run.origin?.submitter ?? "",
            ]
            if hasSearch { cells.append(run.isSearch ? "\(Figures.part(ofSpace: run.trials))" : "") }
            cells += parameters.map { name in run.given.first { $0.name == name }?.text ?? "" }
            for name in readings {
                let reading = run.readings.first { $0.name == name }
                cells += [
                    number(reading?.value), number(reading?.shownInterval?.lowerBound),
                    number(reading?.shownInterval?.upperBound),
                    number(reading?.exact),
                ]
            }
            text += row(cells + [run.notes.map(\.text).joined(separator: "; ")])
        }
        return text
    }

    static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }

    static func row(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

    static func cell(_ text: String) -> String {
        let text = text.escapedForScreen
        // Spreadsheets evaluate cells that begin like a formula, some also after blanks or with full-width characters.
        // An apostrophe in front makes them text.
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace }
        let isFormula = first.map { "=+-@＝＋－＠".unicodeScalars.contains($0) } ?? false
        let safe = isFormula && Double(text) == nil ? "'" + text : text
        guard safe.contains(where: { "\",\r\n".contains($0) }) else { return safe }
        return "\"" + safe.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
