import PotluckCore
import PotluckKit

/// The results of a sweep: a table with a row for each set of parameters, and a chart of each reading along a parameter
/// that is a number, for each set of the others.
package struct SweepView {
    package struct Row {
        /// The texts of the parameters that distinguish the rows.
        package let varied: [String]
        let run: RunRecord

        package init(varied: [String], run: RunRecord) { (self.varied, self.run) = (varied, run) }
    }

    /// The lines after the table and the charts.
    private enum Closing {
        /// `sweep` is the sweep's number if the history has it.
        case ended(seed: UInt64, sweep: JobID?)
        case recorded(started: String, sweep: JobID, SweepCommand?)
    }

    private let simulation: String
    private let varied: [String]
    /// The parameter of the charts; nil for none.
    private let axis: String?
    private let rows: [Row]
    private let closing: Closing

    /// A sweep that has just ended. `sweep` is its number if the history has it.
    package init(
        simulation: String, varied: [String], axis: String?, seed: UInt64, sweep: JobID?, rows: [Row]
    ) {
        self.simulation = simulation
        self.varied = varied
        self.axis = axis
        self.rows = rows
        closing = .ended(seed: seed, sweep: sweep)
    }

    /// A sweep of the history. `command` repeats it or a point; nil if none does.
    package init(_ sweep: RecordedSweep, command: SweepCommand?, date: (Int64) -> String) {
        simulation = sweep.runs[0].simulation.name
        varied = sweep.varied
        axis = sweep.axes.last
        rows = sweep.rows
        closing = .recorded(started: sweep.started(date), sweep: sweep.id, command)
    }

    package func lines(on canvas: Canvas) -> [StyledLine] {
        guard !rows.isEmpty else { return [] }
        var lines = [
            StyledLine("\(simulation), \(rows.count) \(rows.count == 1 ? "point" : "points")", .strong), StyledLine(),
        ]
        lines += table(on: canvas)
        for trend in trends.prefix(Self.mostCharts) {
            lines.append(StyledLine())
            lines += TrendChart(on: canvas).lines(trend) { _ in "" }
        }
        return lines + [StyledLine()] + last(on: canvas)
    }

    /// The charts that fit on a few screens. The page of a sweep has all of them.
    private static let mostCharts = 6

    /// A trend of each reading along the axis, for each set of the other parameters that differ.
    private var trends: [Trend] {
        guard let axis, rows.count > 1, let place = varied.firstIndex(of: axis) else { return [] }
        func others(_ row: Row) -> [String] {
            zip(varied, row.varied).enumerated().filter { $0.offset != place }.map { "\($0.element.0)=\($0.element.1)" }
        }
        var groups: [(name: [String], runs: [RunRecord])] = []
        for row in rows {
            let name = others(row)
            if let index = groups.firstIndex(where: { $0.name == name }) {
                groups[index].runs.append(row.run)
            } else {
                groups.append((name, [row.run]))
            }
        }
        return groups.filter { $0.runs.count > 1 || groups.count == 1 }.flatMap { group in
            SweepTrends.all(group.runs, by: axis).map { trend in
                Trend(
                    name: ([trend.name] + group.name).joined(separator: ", "), parameter: trend.parameter,
                    points: trend.points, isMeasured: trend.isMeasured)
            }
        }
    }

    /// The readings that a table cannot show: curves, histograms and maps.
    private var drawn: [String] { rows[0].run.readings.filter { !$0.kind.isNumber }.map(\.name) }

    private func last(on canvas: Canvas) -> [StyledLine] {
        let isSearch = rows[0].run.isSearch
        switch closing {
        case .ended(let seed, nil): return isSearch ? [] : [StyledLine("seed \(seed)", .faint)]
        case .ended(let seed, let sweep?):
            let points = "--where 'sweep=\(sweep.text)'"
            var texts = [(isSearch ? "" : "seed \(seed); ") + "to see it again: potluck history \(points)"]
            if let axis, rows.count > 1, varied.count == 1 {
                texts.append("as SVG: potluck history plot \(simulation) --by \(axis) \(points) -o FILE.svg")
            }
            texts.append("as a page: potluck report sweep=\(sweep.text) -o FILE.html")
            if !drawn.isEmpty {
                texts.append(
                    "\(NameList.text(drawn)) of each point: potluck report sweep=\(sweep.text) -o FILE.csv, "
                        + "or potluck report ID")
            }
            return texts.flatMap { canvas.wrapped($0, .faint) }
        case .recorded(let started, let sweep, let command):
            let heading = canvas.wrapped("sweep \(sweep.text), started \(started)", .faint)
            guard let command else { return heading }
            return heading + canvas.wrapped(command.remark, .faint) + Facts(canvas: canvas).command(command.words)
        }
    }

    private func table(on canvas: Canvas) -> [StyledLine] {
        let table = SweepTable(rows.map(\.run))
        var columns = varied.map { Table.Column(head: $0, isNumber: true) }
        for reading in table.readings {
            columns.append(Table.Column(head: reading.name, isNumber: true))
            if reading.hasHalf { columns.append(Table.Column(head: "±", isNumber: true)) }
            if reading.hasExact { columns.append(Table.Column(head: "exact", isNumber: true)) }
        }
        columns.append(Table.Column(head: table.trialsHead, isNumber: true))
        if table.expanded != nil { columns.append(Table.Column(head: "expanded", isNumber: true)) }
        columns.append(Table.Column(head: "digest"))
        let cells = rows.indices.map { row in
            var cells = rows[row].varied
            for reading in table.readings {
                let cell = reading.cells[row]
                cells += [cell.value] + (reading.hasHalf ? [cell.half] : []) + (reading.hasExact ? [cell.exact] : [])
            }
            cells += [table.trials[row]] + (table.expanded.map { [$0[row]] } ?? []) + [table.digests[row]]
            return Table.Row(cells: cells, ink: .plain)
        }
        return Table.lines(columns, rows: cells, on: canvas)
    }

    /// How much of a point is done, from 0 to 1.
    package static func part(of snapshot: JobSnapshot) -> Double { Advance(snapshot, columns: 80).part ?? 0 }

    /// A bar for a sweep that is under way. `part` is from 0 to 1.
    package static func progress(_ part: Double, _ words: String, on canvas: Canvas) -> [StyledLine] {
        Bar(canvas: canvas).lines(part, StyledLine(words).pieces[0])
    }
}
