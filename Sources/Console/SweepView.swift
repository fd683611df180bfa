import PotluckKit
import PotluckModel

/// The results of a sweep: a table with a row for each set of parameters, and a chart of each reading if one number
/// distinguishes them.
package struct SweepView {
    package struct Row {
        /// The texts of the parameters that distinguish the rows.
        let varied: [String]
        let run: RunRecord

        package init(varied: [String], run: RunRecord) { (self.varied, self.run) = (varied, run) }
    }

    private let simulation: String
    private let varied: [String]
    /// The parameter of the charts; nil for none.
    private let axis: String?
    private let seed: UInt64
    /// The sweep's number if the history has it.
    private let sweep: JobID?
    private let rows: [Row]

    package init(
        simulation: String, varied: [String], axis: String?, seed: UInt64, sweep: JobID?, rows: [Row]
    ) {
        self.simulation = simulation
        self.varied = varied
        self.axis = axis
        self.seed = seed
        self.sweep = sweep
        self.rows = rows
    }

    package func lines(on canvas: Canvas) -> [Line] {
        guard !rows.isEmpty else { return [] }
        var lines = [Line("\(simulation), \(rows.count) \(rows.count == 1 ? "point" : "points")", .strong), Line()]
        lines += table(on: canvas)
        for trend in trends {
            lines.append(Line())
            lines += TrendChart(on: canvas).lines(trend) { _ in "" }
        }
        lines.append(Line())
        let isSearch = rows[0].run.isSearch
        guard let sweep else { return isSearch ? lines : lines + [Line("seed \(seed)", .faint)] }
        let points = "--where 'sweep=\(sweep.text)'"
        lines += canvas.wrapped(
            (isSearch ? "" : "seed \(seed); ") + "to see it again: potluck history \(points)", .faint)
        if let axis, rows.count > 1 {
            lines += canvas.wrapped(
                "as SVG: potluck history plot \(simulation) --by \(axis) \(points) -o FILE.svg", .faint)
        }
        return lines
    }

    /// The most points of a chart. A chart of more would show only the last ones.
    private static let mostPoints = 60

    /// One for each reading, over evenly spaced points if there are many.
    private var trends: [Trend] {
        guard let axis, rows.count > 1 else { return [] }
        let stride = (rows.count + Self.mostPoints - 1) / Self.mostPoints
        let shown = rows.indices.filter { $0 % stride == 0 }.map { (id: Int64(0), run: rows[$0].run) }
        return Trends(shown, by: axis).all
    }

    private func table(on canvas: Canvas) -> [Line] {
        let shown = rows[0].run.readings.indices.filter { rows[0].run.readings[$0].kind != .histogram }
        let hasExact = Set(shown.filter { place in rows.contains { reading(place, $0)?.exact != nil } })
        let hasWidth = Set(shown.filter { place in rows.contains { reading(place, $0)?.shownHalfWidth != nil } })
        var columns = varied.map { Table.Column(head: $0, isNumber: true) }
        for place in shown {
            columns.append(Table.Column(head: rows[0].run.readings[place].name, isNumber: true))
            if hasWidth.contains(place) { columns.append(Table.Column(head: "±", isNumber: true)) }
            if hasExact.contains(place) { columns.append(Table.Column(head: "exact", isNumber: true)) }
        }
        let isSearch = rows[0].run.isSearch
        columns += [
            Table.Column(head: isSearch ? "searched" : "trials", isNumber: true),
            Table.Column(head: "digest"),
        ]
        let cells = rows.map { row in
            var cells = row.varied
            for place in shown {
                let reading = reading(place, row)
                let figures = reading.map { ReadingFigures($0) }
                func text(_ value: Double?) -> String { value.flatMap { figures?.text($0) } ?? "–" }
                cells.append(reading?.isSpoilt == true ? "–" : text(reading?.value))
                if hasWidth.contains(place) { cells.append(reading?.shownHalfWidth.map { text($0) } ?? "") }
                if hasExact.contains(place) { cells.append(reading?.exact.map { text($0) } ?? "") }
            }
            cells.append(isSearch ? Figures.percent(ofSpace: row.run.trials) : Figures.grouped(row.run.trials))
            return Table.Row(cells: cells + [String(row.run.digest.prefix(8))], ink: .plain)
        }
        return Table.lines(columns, rows: cells, on: canvas)
    }

    private func reading(_ place: Int, _ row: Row) -> Reading? {
        place < row.run.readings.count ? row.run.readings[place] : nil
    }

    /// How much of a point is done, from 0 to 1.
    package static func part(of snapshot: JobSnapshot) -> Double { Advance(snapshot, columns: 80).part ?? 0 }

    /// A bar for a sweep that is under way. `part` is from 0 to 1.
    package static func progress(_ part: Double, _ words: String, on canvas: Canvas) -> [Line] {
        Bar(canvas: canvas).lines(part, Line(words).pieces[0])
    }
}
