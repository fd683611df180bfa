import PotluckCore
import PotluckKit

/// Shows everything about a recorded run.
public struct RunView {
    private let id: Int64
    private let run: RunRecord
    private let isBuiltIn: Bool
    private let solution: Solution?
    private let date: (Int64) -> String

    /// `isBuiltIn` means that this program contains the simulation, so that its name is enough to repeat the run.
    /// `solution` is the best solution of a search.
    public init(
        _ run: RunRecord, id: Int64, isBuiltIn: Bool, solution: Solution? = nil, date: @escaping (Int64) -> String
    ) {
        self.solution = solution
        self.run = run
        self.id = id
        self.isBuiltIn = isBuiltIn
        self.date = date
    }

    public func lines(on canvas: Canvas) -> [StyledLine] {
        let facts = Facts(canvas: canvas)
        var lines = facts.opening(
            run.simulation.name, trials: run.trials, run.unit, run.completion, elapsed: run.elapsed,
            cores: run.cores,
            nodes: run.nodeCount)
        let origin =
            run.origin.map { ", started by \($0.submitter) in \($0.session)" }
            ?? run.sweep.map { ", point of the sweep \($0.text)" } ?? ""
        lines += canvas.wrapped(
            "run \(id) of \(date(run.startedAt))\(origin), potluck \(run.program)", .faint)
        lines.append(StyledLine())
        let missing = ReadingTable.missing(isSearch: run.isSearch, points: run.trials)
        let table = ReadingTable(canvas: canvas, missing: missing).lines(run.readings)
        if !table.isEmpty { lines += table + [StyledLine()] }
        let remarks = IntervalWords.remarks(run.readings, trials: run.trials)
        if !remarks.isEmpty { lines += remarks.flatMap { canvas.wrapped($0, .faint, indent: 2) } + [StyledLine()] }
        for picture in run.readings where !picture.kind.isNumber {
            lines += Chart(canvas: canvas).lines(picture) + [StyledLine()]
        }
        if let solution { lines += solution.lines(on: canvas) + [StyledLine()] }
        lines += facts.lines([
            Facts.Entry("tally", run.counts.map { "\($0.name) \(Figures.grouped($0.count))" }),
            Facts.Entry("given", run.given.map { "\($0.name) \($0.text)" }),
            Facts.Entry("wanted", run.wanted),
            Facts.Entry("seed", run.isSearch ? [] : ["\(run.seed)"]),
            Facts.Entry("digest", facts.pieces(of: run.digest), gap: 0),
            Facts.Entry("merit", run.merits),
            Facts.Entry("nodes", run.shares),
            Facts.Entry("tree", run.effort.words.map { [$0] } ?? []),
            Facts.Entry("notes", run.notes.map { "\(date($0.at)): \($0.text)" }),
        ])
        guard run.canBeRepeated, let command = run.command(isBuiltIn: isBuiltIn) else { return lines }
        return lines + facts.command(command)
    }
}

extension RunRecord {
    /// The parameters and input files by name. The files' SHA-256 is shortened to what is needed to compare them.
    package var given: [(name: String, text: String)] {
        let own = effective.map { (name: $0.name, text: $0.text) }
        guard let files else { return own }
        return own
            + files.inputs.map { ($0.name, "\($0.path) (\($0.rows) × \($0.columns))") }
            + [("files", String(files.digits.prefix(16)))]
    }

    /// The command that repeats the run, as words that must not be broken; nil if its files are not known on this
    /// machine.
    package func command(isBuiltIn: Bool) -> [String]? {
        if !isBuiltIn, file == nil { return nil }
        if let files, files.inputs.isEmpty { return nil }
        return ["potluck", "run", ShellWord.shown(file ?? simulation.name)]
            + effective.map { "-p " + ShellWord.shown("\($0.name)=\($0.text)") }
            + (files?.inputs.map(\.option) ?? [])
            + (isSearch ? [] : ["--trials \(Figures.typed(trials))", "--seed \(seed)"])
    }

    /// Whether a command gives the same result again. The result of an unfinished search depends on the solutions that
    /// the nodes had found by then.
    package var canBeRepeated: Bool { trials > 0 && (!isSearch || trials == goal.trials) }

    /// The limits of the run, in words. The size of a search's tree does not count as one.
    package var wanted: [String] {
        isSearch ? Goal(duration: goal.duration).phrases(unit) : goal.phrases(unit)
    }

    /// The seed and the number of trials; nil for a search, which has none.
    package var shownSeed: String? { isSearch ? nil : "\(seed)" }
    package var shownTrials: String? { isSearch ? nil : Figures.grouped(trials) }

    /// The head of a column of such work: trials, units, or both.
    package static func head(of units: Set<WorkUnit>) -> String {
        let counted = units.subtracting([.point])
        return counted.count == 1 ? counted.first?.plural ?? "" : "trials or units"
    }

    /// Each node's share of the trials or of the tree: `ana 4 cores 52 %`.
    package var shares: [String] {
        let isNothing = nodes.allSatisfy { $0.trials == 0 }
        return zip(nodes, nodeShares).map { node, share in
            let part = isSearch ? Figures.percent(ofSpace: node.trials) : isNothing ? "nothing" : share.part
            return "\(node.name) \(node.cores) \(node.cores == 1 ? "core" : "cores") \(part)"
        }
    }

    /// The figure of merit of each reading that has one: `wait 1.43 million/s`.
    package var merits: [String] {
        if isSearch { return [] }
        return readings.compactMap { reading in
            merit(of: reading).map { "\(reading.name) \(Figures.rate($0))" }
        }
    }

    /// The nodes of a search's tree that all laptops looked at.
    package var effort: SearchEffort { nodes.reduce(.none) { $0 + $1.effort } }
}

extension NodeShare {
    fileprivate var part: String { Figures.significant(100 * share, 2) + " %" }

    /// `ana 52 %`.
    var text: String { "\(name) \(part)" }
}

extension RecordedInput {
    /// The option that reads the file again.
    package var option: String { "--input " + ShellWord.shown("\(name)=\(path)") }
}

extension Goal {
    /// The limits of the run, in words.
    package func phrases(_ unit: WorkUnit) -> [String] {
        var phrases: [String] = []
        if let trials { phrases.append("\(Figures.grouped(trials)) \(unit.plural)") }
        if let precision { phrases.append(precision.words) }
        if let duration { phrases.append(Figures.time(duration)) }
        return phrases
    }
}
