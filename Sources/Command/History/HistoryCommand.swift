import Potluck
import PotluckCore
import PotluckMachine
import PotluckScreen

/// `potluck history`: lists, compares, annotates, exports and plots recorded runs.
enum HistoryCommand {
    static let simulation = Option(
        "simulation", "NAME", "runs of this simulation", in: .runs, values: .found(.simulation), CommonOptions.text)
    static let since = Option(
        "since", "DATE", "runs started on DATE or later: 2026-11-20, 7d, yesterday", in: .runs, moment)
    static let before = Option("before", "DATE", "runs started before DATE", in: .runs, moment)
    static let condition = Option(
        "where", "CONDITION", "runs that meet a condition: 'doors>3 and trials>=1e9'", in: .runs, CommonOptions.text)
    static let sort = Option(
        "sort", "FIELD", "sort by a field, largest first: rate, trials, stay.width", in: .runs, default: "newest first",
        CommonOptions.text)
    static let reverse = Flag("reverse", "reverse the order", in: .runs)
    static let limit = Option("limit", "N", "at most N runs", in: .runs, default: "20 in a list") {
        (text) throws(ValueError) -> Int in
        guard let count = Int(text), count > 0 else { throw ValueError("must be a whole number, 1 or more") }
        return count
    }
    static let count = Flag("count", "print only the number of runs", in: .output)
    static let json = CommonOptions.json
    static let csv = Flag("csv", "print comma-separated values", in: .output)
    static let output = Option(
        "output", short: "o", "FILE", "write the plot to this file, as SVG", in: .output, default: "the terminal",
        CommonOptions.text)
    static let force = FileWriter.force
    static let by = Option(
        "by", "PARAMETER", "plot against this parameter, or against nodes, cores, trials or share.NODE", in: .output,
        default: "order of time", CommonOptions.text)
    static let mean = Flag("mean", "plot the mean of the runs of each value, with its interval", in: .output)
    static let reading = Option(
        "reading", "NAME", "plot only this reading, or elapsed, rate or share.NODE", in: .output,
        default: "all readings", CommonOptions.text)

    /// The options that select runs.
    private static let filters = [
        simulation.declaration, since.declaration, before.declaration, condition.declaration,
    ]
    private static let order = [sort.declaration, reverse.declaration, limit.declaration]

    static let verb = Verb(
        declaration: Command(
            "history", "list, compare and annotate recorded runs",
            positionals: [
                Positional(
                    "ACTION", "show, note, compare, pool, rm, export, import, plot or repair (default: list)",
                    required: false, values: .words(Action.allCases.map(\.rawValue))
                ),
                Positional(
                    "ARGUMENT", "a run's number or 'last'; a file; or a simulation", required: false,
                    values: .after(Dictionary(uniqueKeysWithValues: Action.allCases.map { ($0.rawValue, $0.values) }))),
                Positional(
                    "ANOTHER", "other runs, or the text of a note", required: false, repeats: true,
                    values: .after(["compare": .found(.run), "pool": .found(.run)])),
            ],
            options: filters + order + [
                count.declaration, json.declaration, csv.declaration, by.declaration, mean.declaration,
                reading.declaration,
                output.declaration, force.declaration, StateDirectory.option.declaration,
            ],
            details: [
                "Without an action, Potluck lists the runs. An asterisk marks runs with notes.",
                "A condition compares fields with =, !=, <, <=, >, >= and ~ (contains). Combine conditions with and, or, not "
                    + "and parentheses. The fields are id, simulation, started, trials, elapsed, rate, cores, nodes, seed, "
                    + "digest, ended, session, submitter, sweep, node, note, each parameter, each reading with its .low, .high, "
                    + ".width, .exact and .error, and share.NODE, the part of the work that a node did.",
            ],
            examples: Action.allCases.map(\.usage) + [
                "history --where 'doors>3 and trials>=1e9' --sort rate", "history --where 'share.ana>50%'",
            ]),
        run: run)

    static func moment(_ text: String) throws(ValueError) -> Int64 {
        guard let moment = WallClock.moment(text) else {
            throw ValueError("not a date; use a date like 2026-11-20, 2026-11-20T14:30, yesterday or 7d")
        }
        return moment
    }

    /// The first argument of `potluck history`; `words` is how many arguments follow it.
    private enum Action: String, CaseIterable {
        case list, show, note, compare, pool, rm, export, `import`, plot, repair

        var words: ClosedRange<Int> {
            switch self {
            case .list, .repair: 0...0
            case .plot, .rm: 0...1
            case .show, .export, .import: 1...1
            case .note: 2...2
            case .compare, .pool: 2...RunChoice.most
            }
        }

        /// What may follow it.
        var values: Values {
            switch self {
            case .list, .repair: .any
            case .show, .note, .compare, .pool, .rm: .found(.run)
            case .export, .import: .files([])
            case .plot: .found(.simulation)
            }
        }

        /// The options that the action accepts, besides the folder.
        var options: [OptionDeclaration] {
            switch self {
            case .list: filters + order + [count.declaration, json.declaration, csv.declaration]
            case .show, .pool: [json.declaration]
            case .rm: filters
            case .export: filters + order + [force.declaration]
            case .plot:
                filters + [
                    limit.declaration, by.declaration, mean.declaration, reading.declaration, output.declaration,
                    force.declaration,
                ]
            case .note, .compare, .import, .repair: []
            }
        }

        var usage: String {
            switch self {
            case .list: "history [OPTIONS]"
            case .show: "history show ID"
            case .note: "history note ID TEXT"
            case .compare: "history compare ID ID..."
            case .pool: "history pool ID ID..."
            case .rm: "history rm ID|--where CONDITION|--before DATE"
            case .export: "history export FILE.csv|.json|.sqlite"
            case .import: "history import FILE.sqlite"
            case .plot: "history plot [SIMULATION] [--by PARAMETER [--mean]] [-o FILE.svg]"
            case .repair: "history repair"
            }
        }
    }

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let word = arguments[0] ?? Action.list.rawValue
        guard let action = Action(rawValue: word) else {
            let hint = Spelling.hint(for: word, among: Action.allCases.map(\.rawValue))
            throw UsageError(
                "unknown action \(Spelling.quoted(word))\(hint.isEmpty ? "; see 'potluck history --help'" : hint)")
        }
        guard action.words.contains(max(0, arguments.positionals.count - 1)) else {
            throw UsageError("wrong number of arguments; usage: potluck \(action.usage)")
        }
        let options = verb.declaration.options.filter { $0 != StateDirectory.option.declaration }
        if let stray = options.first(where: { arguments.has($0) && !action.options.contains($0) }) {
            throw UsageError("--\(stray.name) does not apply to history \(action); usage: potluck \(action.usage)")
        }
        let (first, second) = (arguments[1] ?? "", arguments[2] ?? "")
        do {
            switch action {
            case .list: return try HistoryListing.list(arguments)
            case .show: return try HistoryActions.show(first, arguments)
            case .note: return try HistoryActions.note(first, second, arguments)
            case .compare: return try HistoryActions.compare(Array(arguments.positionals.dropFirst()), arguments)
            case .pool: return try HistoryPool.pool(Array(arguments.positionals.dropFirst()), arguments)
            case .rm: return try HistoryActions.remove(arguments[1], arguments)
            case .export: return try HistoryExport.export(first, arguments)
            case .import: return try HistoryActions.importRuns(first, arguments)
            case .plot: return try HistoryPlot.plot(arguments[1], arguments)
            case .repair: return try HistoryActions.repair(arguments)
            }
        } catch let trouble as StoreError {
            throw Failure(message: trouble.description)
        }
    }
}

/// Finds the runs that a command line selects.
enum RunChoice {
    static func query(_ arguments: Arguments, _ history: History, limit: Int? = nil) throws -> HistoryQuery {
        var query = HistoryQuery()
        let texts = [try arguments[HistoryCommand.condition], try arguments[HistoryCommand.sort]]
        let names = try history.names(withNodes: texts.contains { $0.map(Term.mayNameNode) ?? false })
        query.simulation = try arguments[HistoryCommand.simulation]
        if let wanted = query.simulation, !names.simulations.contains(wanted) {
            let hint = Spelling.hint(for: wanted, among: names.simulations)
            throw UsageError("no runs of \(Spelling.quoted(wanted))\(hint)")
        }
        let terms = try query.simulation.map { try history.names(names.terms, of: $0) } ?? names.terms
        query.since = try arguments[HistoryCommand.since]
        query.before = try arguments[HistoryCommand.before]
        if let text = try arguments[HistoryCommand.condition] {
            do throws(ConditionError) {
                query.choice = .matching(try Condition(text, names: terms) { WallClock.moment($0) })
            } catch { throw UsageError("--where: \(error)") }
        }
        if let text = try arguments[HistoryCommand.sort] {
            do throws(TermError) {
                query.sort = try Term(text, among: terms)
            } catch { throw UsageError("--sort: \(error.reason)") }
        }
        if arguments[HistoryCommand.reverse] { query.direction = .ascending }
        query.limit = try arguments[HistoryCommand.limit] ?? limit
        return query
    }

    static let nothingRecorded = Failure(message: "no runs are recorded yet; 'potluck run' records them")

    /// The most runs that a table shows side by side or below each other; more are unreadable.
    static let most = 100

    /// Returns the runs with these numbers. Throws if one is missing or given twice.
    static func runs(_ texts: [String], _ history: History?) throws -> [(id: Int64, run: RunRecord)] {
        var runs: [(id: Int64, run: RunRecord)] = []
        for text in texts {
            let run = try run(text, history)
            guard !runs.contains(where: { $0.id == run.id }) else { throw UsageError("run \(run.id) is given twice") }
            runs.append(run)
        }
        return runs
    }

    /// Returns the run with this number, or the newest for "last". Throws if there is none.
    static func run(_ text: String, _ history: History?) throws -> (id: Int64, run: RunRecord) {
        guard let history else { throw nothingRecorded }
        let id = try text == "last" ? history.newest() : Int64(text)
        guard let id else {
            if text == "last" { throw nothingRecorded }
            throw UsageError("\(Spelling.quoted(text)) is not a run's number; 'potluck history' lists the runs")
        }
        guard let run = try history.run(id) else {
            throw Failure(message: "no run \(id); 'potluck history' lists the runs")
        }
        return (id, run)
    }
}
