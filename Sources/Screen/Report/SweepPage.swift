import PotluckCore

/// A recorded sweep as one HTML page: charts of its readings by each parameter, and a table of all points.
public struct SweepPage {
    private let sweep: RecordedSweep
    private let question: String?
    private let command: SweepCommand?
    private let date: (Int64) -> String

    /// `question` is the simulation's summary; nil if it is unknown. `command` is nil if none repeats the sweep or a
    /// point of it.
    public init(
        _ sweep: RecordedSweep, question: String?, command: SweepCommand?, date: @escaping (Int64) -> String
    ) {
        self.sweep = sweep
        self.question = question
        self.command = command
        self.date = date
    }

    public var html: String {
        let name = sweep.runs[0].simulation.name
        let count = "\(sweep.runs.count) \(sweep.runs.count == 1 ? "point" : "points")"
        return PageMarkup.document(
            title: "\(name), \(count), \(sweep.started(date))", heading: name, question: question,
            opening: ["\(count),", "started \(sweep.started(date)).", "Sweep \(sweep.id.text)."],
            // The table is last, because it may have thousands of rows.
            [given, charts, again, points(SweepTable(sweep.runs))].compactMap { $0 })
    }

    private var given: String? {
        let rows = sweep.common.map { [$0.name, $0.text] }
        return rows.isEmpty ? nil : PageMarkup.section("Parameters of all points", PageMarkup.table(rows))
    }

    private var charts: String? {
        let drawings = sweep.axes.flatMap { axis in
            Drawings.trends(SweepTrends.all(sweep.runs, by: axis), date: date)
        }
        guard !drawings.isEmpty else { return nil }
        let most = SweepTrends.mostPoints
        let left = sweep.runs.count > most ? " A chart shows at most \(most) of the points." : ""
        return PageMarkup.section(
            "Charts",
            PageMarkup.figures(drawings)
                + PageMarkup.remark("Dots: values. Bars: 95 % intervals. Dashed lines: exact answers." + left))
    }

    private var again: String? {
        command.map { command in
            let words = command.words.map(PageMarkup.unbroken).joined(separator: " ")
            return PageMarkup.section("Repeat", "<p>\(Markup.escaped(command.remark))</p>\n<pre>\(words)</pre>")
        }
    }

    private func points(_ table: SweepTable) -> String {
        let heads =
            sweep.varied + table.readings.flatMap { [$0.name] + ($0.hasExact ? ["exact"] : []) }
            + [table.trialsHead] + (table.expanded == nil ? [] : ["expanded"]) + ["digest"]
        let rows = sweep.rows.enumerated().map { place, row in
            let readings = table.readings.flatMap { reading in
                let cell = reading.cells[place]
                let value = cell.half.isEmpty ? cell.value : "\(cell.value) ± \(cell.half)"
                return [value] + (reading.hasExact ? [cell.exact] : [])
            }
            return row.varied + readings + [table.trials[place]] + (table.expanded.map { [$0[place]] } ?? [])
                + [table.digests[place]]
        }
        let hasHalf = table.readings.contains(where: \.hasHalf)
        return PageMarkup.section(
            "Points",
            PageMarkup.table(heads: heads, rows)
                + (hasHalf ? PageMarkup.remark("±: half of the 95 % interval.") : ""))
    }
}
