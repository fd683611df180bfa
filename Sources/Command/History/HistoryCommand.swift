import PotluckArguments
import PotluckConsole
import PotluckJSON
import PotluckJournal
import PotluckModel

/// `potluck history`: what was computed so far.
enum HistoryCommand {
    static let simulation = Option("simulation", "NAME", "only runs of this simulation") {
        (text) throws(ValueError) -> String in text
    }
    static let since = Option("since", "DATE", "only runs that began then or later: 2026-11-20, 7d, yesterday", moment)
    static let before = Option("before", "DATE", "only runs that began before then", moment)
    static let condition = Option("where", "CONDITION", "only runs like 'doors>3 and trials>=1e9'") {
        (text) throws(ValueError) -> String in text
    }
    static let sort = Option("sort", "NAME", "the largest first by this: rate, trials, stay.width …") {
        (text) throws(ValueError) -> String in text
    }
    static let reverse = Flag("reverse", "the other way round: the oldest or the smallest first")
    static let limit = Option("limit", "N", "at most N runs; 20 for a list unless you say") {
        (text) throws(ValueError) -> Int in
        guard let count = Int(text), count > 0 else { throw ValueError("not a number of runs") }
        return count
    }
    static let count = Flag("count", "only how many they are")
    static let json = Flag("json", "print JSON")
    static let csv = Flag("csv", "print a table for spreadsheets")
    static let output = Option("output", short: "o", "FILE", "write the drawing to this file, as SVG") {
        (text) throws(ValueError) -> String in text
    }
    static let reading = Option("reading", "NAME", "draw only this reading") { (text) throws(ValueError) -> String in
        text
    }

    /// Which runs.
    private static let filters = [
        simulation.declaration, since.declaration, before.declaration, condition.declaration,
    ]
    private static let order = [sort.declaration, reverse.declaration, limit.declaration]

    static let verb = Verb(
        declaration: Command(
            "history", "look up, compare and keep runs",
            positionals: [
                Positional("ACTION", "show, note, compare, rm, export, import, plot or repair", required: false),
                Positional("ARGUMENT", "a run's number, or \"last\"; or a file, or a simulation", required: false),
                Positional("ANOTHER", "another run, or the text of a note", required: false),
            ],
            options: filters + order + [
                count.declaration, json.declaration, csv.declaration, reading.declaration, output.declaration,
                StateDirectory.option.declaration,
            ],
            details: [
                "Without an action it lists runs, the newest first. An asterisk marks those with notes.",
                "potluck history show ID, compare ID ID, note ID TEXT, rm ID, rm --before DATE, export FILE, import FILE, "
                    + "plot SIMULATION [-o FILE.svg], repair.",
                "A condition compares with = != < <= > >= and ~ (contains), and joins with and, or, not and parentheses. It "
                    + "knows id, simulation, started, trials, elapsed, rate, cores, nodes, seed, digest, ended, session, "
                    + "submitter, note, every parameter, and every reading with its .low, .high, .width, .exact and .error.",
            ]), run: run)

    static func moment(_ text: String) throws(ValueError) -> Int64 {
        guard let moment = WallClock.moment(text) else {
            throw ValueError("not a date; write 2026-11-20, 2026-11-20T14:30, yesterday or 7d")
        }
        return moment
    }

    /// What people can ask for, and how many words it takes.
    private enum Action: String, CaseIterable {
        case list, show, note, compare, rm, export, `import`, plot, repair

        var words: ClosedRange<Int> {
            switch self {
            case .list, .repair: 0...0
            case .plot, .rm: 0...1
            case .show, .export, .import: 1...1
            case .note, .compare: 2...2
            }
        }

        /// What goes with it, besides the folder.
        var options: [OptionDeclaration] {
            switch self {
            case .list: filters + order + [count.declaration, json.declaration, csv.declaration]
            case .show: [json.declaration]
            case .rm: filters
            case .export: filters + order
            case .plot: filters + [limit.declaration, reading.declaration, output.declaration]
            case .note, .compare, .import, .repair: []
            }
        }

        var usage: String {
            switch self {
            case .list: "potluck history [OPTIONS]"
            case .show: "potluck history show ID"
            case .note: "potluck history note ID TEXT"
            case .compare: "potluck history compare ID ID"
            case .rm: "potluck history rm ID, or rm --before DATE"
            case .export: "potluck history export FILE"
            case .import: "potluck history import FILE"
            case .plot: "potluck history plot [SIMULATION] [-o FILE.svg]"
            case .repair: "potluck history repair"
            }
        }
    }

    private static func run(_ arguments: Arguments) async throws -> ExitCode {
        let word = arguments[0] ?? Action.list.rawValue
        guard let action = Action(rawValue: word) else {
            let hint = Spelling.hint(for: word, among: Action.allCases.map(\.rawValue))
            throw UsageError(
                "history cannot \(Spelling.quoted(word))\(hint.isEmpty ? "; say potluck history --help" : hint)")
        }
        guard action.words.contains(max(0, arguments.positionals.count - 1)) else {
            throw UsageError("history \(action) is written so: \(action.usage)")
        }
        let options = verb.declaration.options.filter { $0 != StateDirectory.option.declaration }
        if let stray = options.first(where: { arguments.has($0) && !action.options.contains($0) }) {
            throw UsageError("--\(stray.name) does not go with history \(action); it is written so: \(action.usage)")
        }
        let (first, second) = (arguments[1] ?? "", arguments[2] ?? "")
        do {
            switch action {
            case .list: return try HistoryListing.list(arguments)
            case .show: return try HistoryDeeds.show(first, arguments)
            case .note: return try HistoryDeeds.note(first, second, arguments)
            case .compare: return try HistoryDeeds.compare(first, second, arguments)
            case .rm: return try HistoryDeeds.remove(arguments[1], arguments)
            case .export: return try HistoryDeeds.export(first, arguments)
            case .import: return try HistoryDeeds.take(first, arguments)
            case .plot: return try HistoryPlot.plot(arguments[1], arguments)
            case .repair: return try HistoryDeeds.repair(arguments)
            }
        } catch let trouble as StoreTrouble {
            throw Failure(message: trouble.description)
        }
    }
}

/// Which runs a command line means.
enum RunChoice {
    static func query(_ arguments: Arguments, _ history: History, limit: Int? = nil) throws -> HistoryQuery {
        var query = HistoryQuery()
        let names = try history.names()
        query.simulation = try arguments[HistoryCommand.simulation]
        if let wanted = query.simulation, !names.simulations.contains(wanted) {
            let hint = Spelling.hint(for: wanted, among: names.simulations)
            throw UsageError("there is no run of \(Spelling.quoted(wanted))\(hint)")
        }
        query.since = try arguments[HistoryCommand.since]
        query.before = try arguments[HistoryCommand.before]
        if let text = try arguments[HistoryCommand.condition] {
            do throws(ConditionError) {
                query.condition = try Condition(text, names: names.terms) { WallClock.moment($0) }
            } catch { throw UsageError("--where: \(error)") }
        }
        if let text = try arguments[HistoryCommand.sort] {
            do throws(TermError) {
                query.sort = try Term(text, among: names.terms)
            } catch { throw UsageError("--sort: \(Spelling.quoted(text)) \(error.reason)") }
        }
        query.isReversed = arguments[HistoryCommand.reverse]
        query.limit = try arguments[HistoryCommand.limit] ?? limit
        return query
    }

    /// A run by its number, or the last one.
    static func run(_ text: String, _ history: History?) throws -> (id: Int64, run: RunRecord) {
        guard let history else { throw Failure(message: "no run was recorded yet; potluck run records them") }
        let id = try text == "last" ? history.newest() : Int64(text)
        guard let id else {
            if text == "last" { throw Failure(message: "no run was recorded yet; potluck run records them") }
            throw UsageError("\(Spelling.quoted(text)) is no run's number; potluck history lists them")
        }
        guard let run = try history.run(id) else {
            throw Failure(message: "there is no run \(id); potluck history lists them")
        }
        return (id, run)
    }
}
