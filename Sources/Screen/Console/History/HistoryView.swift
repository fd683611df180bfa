import PotluckCore
import PotluckKit

/// A table of recorded runs, one per line.
public enum HistoryView {
    /// `date` formats milliseconds since 1970 in local time. `unit` says what a run that is no search is counted in.
    /// `isAboutNodes` means that the list was chosen by who computed the runs.
    public static func lines(
        _ runs: [RunSummary], date: @escaping (Int64) -> String, unit: (RunSummary) -> WorkUnit = { _ in .trial },
        isAboutNodes: Bool = false, on canvas: Canvas
    ) -> [StyledLine] {
        let units = Set(runs.map { $0.isSearch ? .point : unit($0) })
        let differing = differing(runs)
        let distinguishes = differing.values.contains { !$0.isEmpty }
        // The most important columns first: the last ones are left out if there is no room. Values that distinguish the
        // runs come before values that most runs share.
        let given =
            distinguishes
            ? TableColumn<RunSummary>("differs in") { Self.given($0, only: differing[$0.simulation] ?? []) }
            : nil
        let hasSeveralNodes = runs.contains { $0.sweep == nil && $0.nodes > 1 }
        let shares = TableColumn<RunSummary>("computed by") { $0.sweep == nil ? Self.shares($0) : "" }
        let columns: [TableColumn<RunSummary>?] = [
            TableColumn("run") { String($0.id) + ($0.hasNote ? "*" : "") },
            TableColumn("simulation") { $0.simulation },
            TableColumn("result", text: result),
            isAboutNodes ? shares : nil,
            given,
            TableColumn(units == [.point] ? "searched" : RunRecord.head(of: units), text: done),
            TableColumn("started") { date($0.startedAt) },
            TableColumn("given") { Self.given($0, except: distinguishes ? differing[$0.simulation] ?? [] : []) },
            TableColumn("time") { $0.sweep == nil ? Figures.time($0.elapsed) : "" },
            TableColumn("speed") { $0.sweep == nil ? $0.rate.map(Figures.rate) ?? "" : "" },
            TableColumn("nodes") { "\($0.nodes)" },
            TableColumn("digest") { $0.sweep == nil ? String($0.digest.prefix(8)) : "" },
            hasSeveralNodes && !isAboutNodes ? shares : nil,
        ]
        // Do not format columns that do not fit.
        var cells: [[String]] = runs.map { _ in [] }
        var (heads, width): ([String], Int) = ([], 0)
        for column in columns.compactMap({ $0 }) {
            let texts = runs.map(column.text)
            width += texts.reduce(canvas.width(of: column.layout.head)) { max($0, canvas.width(of: $1)) }
            guard heads.count < (distinguishes ? 4 : 3) || width <= canvas.columns else { break }
            width += 2
            heads.append(column.layout.head)
            for (place, text) in texts.enumerated() { cells[place].append(text) }
        }
        let stopped = runs.map { $0.completion == .stopped }
        return Table.lines(
            heads: heads, rows: zip(cells, stopped).map { Table.Row(cells: $0, ink: $1 ? .faint : .plain) },
            on: canvas)
    }

    /// The names of the parameters that distinguish the runs of each simulation.
    private static func differing(_ runs: [RunSummary]) -> [String: Set<String>] {
        Dictionary(grouping: runs, by: \.simulation).mapValues { (runs: [RunSummary]) -> Set<String> in
            Set(
                GivenValues(
                    runs.filter { $0.sweep == nil }.map { run in run.parameters.map { (name: $0.name, text: $0.text) } }
                ).differing)
        }
    }

    private static func given(_ run: RunSummary, only names: Set<String>) -> String {
        // The newest point's values are not those of its sweep.
        run.sweep != nil ? "" : text(run.parameters.filter { names.contains($0.name) })
    }

    private static func given(_ run: RunSummary, except names: Set<String>) -> String {
        run.sweep != nil ? "" : text(run.parameters.filter { !names.contains($0.name) })
    }

    /// The most columns of a value. `potluck history show` has all of a longer one.
    private static let widest = 40

    private static func text(_ parameters: [RecordedValue]) -> String {
        parameters.map { "\($0.name) \(short($0.text))" }.joined(separator: ", ")
    }

    private static func short(_ text: String) -> String {
        Cells.width(of: text) <= widest ? text : Cells.prefix(of: text, width: widest - 1) + "…"
    }

    /// Each node's share of the work: `ana 52 %, ben 48 %`.
    private static func shares(_ run: RunSummary) -> String {
        short(run.nodeShares.map(\.text).joined(separator: ", "))
    }

    private static func done(_ run: RunSummary) -> String {
        run.sweep != nil
            ? ""
            : run.isSearch ? "\(Figures.percent(ofSpace: run.trials)) of tree" : Figures.grouped(run.trials, width: 13)
    }

    /// The first reading, as `stay 0.33332 ± 0.00002`.
    private static func result(_ run: RunSummary) -> String {
        if let sweep = run.sweep {
            return "sweep \(sweep.id.text), \(sweep.points) \(sweep.points == 1 ? "point" : "points")"
        }
        guard let reading = run.reading else { return "" }
        guard !reading.isSpoilt, let value = reading.value else { return "\(reading.name) –" }
        let figures = ReadingFigures(reading)
        let half = reading.shownHalfWidth.map { " ± " + Figures.significant($0, 2) } ?? ""
        return "\(reading.name) \(figures.text(value))\(half)"
    }
}
