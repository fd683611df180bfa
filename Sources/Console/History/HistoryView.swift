import PotluckKit
import PotluckModel

/// The runs of a history, one a line.
public enum HistoryView {
    private struct Column {
        let head: String
        let text: (RunSummary) -> String
    }

    /// `date` writes a moment as people do where this machine stands.
    public static func lines(_ runs: [RunSummary], date: @escaping (Int64) -> String, on canvas: Canvas) -> [Line] {
        // What says least goes first where there is no room.
        let columns = [
            Column(head: "run") { String($0.id) + ($0.hasNote ? "*" : "") },
            Column(head: "simulation") { $0.simulation },
            Column(head: "result", text: result),
            Column(head: "trials") { Figures.grouped($0.trials, width: 13) },
            Column(head: "started") { date($0.startedAt) },
            Column(head: "given") { $0.parameters.joined(separator: ", ") },
            Column(head: "time") { Figures.time($0.elapsed) },
            Column(head: "speed") { $0.rate.map(Figures.rate) ?? "" },
            Column(head: "nodes") { "\($0.nodes)" },
            Column(head: "digest") { String($0.digest.prefix(8)) },
        ]
        let cells = runs.map { run in columns.map { $0.text(run) } }
        let widths = columns.indices.map { column in
            cells.reduce(canvas.width(of: columns[column].head)) { max($0, canvas.width(of: $1[column])) }
        }
        var count = columns.count
        while count > 3, widths.prefix(count).reduce(2 * (count - 1), +) > canvas.columns { count -= 1 }
        let stopped = runs.map { $0.completion == .stopped }
        return Table.lines(
            heads: columns.prefix(count).map(\.head),
            rows: zip(cells, stopped).map { Table.Row(cells: Array($0.prefix(count)), ink: $1 ? .faint : .plain) },
            on: canvas)
    }

    /// The first reading: `stay 0.33332 ± 0.00002`.
    private static func result(_ run: RunSummary) -> String {
        guard let reading = run.reading else { return "" }
        guard !reading.isSpoilt, let value = reading.value else { return "\(reading.name) –" }
        let figures = ReadingFigures(reading)
        let half = reading.halfWidth.map { " ± " + Figures.significant($0, 2) } ?? ""
        return "\(reading.name) \(figures.text(value))\(half)"
    }
}
