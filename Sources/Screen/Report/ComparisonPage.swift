import PotluckCore
import PotluckKit

/// Several recorded runs as one HTML page: the values that distinguish them, their readings, and charts.
public struct ComparisonPage {
    private let runs: [(id: Int64, run: RunRecord)]
    private let view: CompareManyView
    private let question: String?
    private let date: (Int64) -> String

    /// `question` is the simulation's summary; nil if there are several simulations or if it is unknown.
    public init(_ runs: [(id: Int64, run: RunRecord)], question: String?, date: @escaping (Int64) -> String) {
        self.runs = runs
        view = CompareManyView(runs)
        self.question = question
        self.date = date
    }

    public var html: String {
        var names: [String] = []
        for run in runs where !names.contains(run.run.simulation.name) { names.append(run.run.simulation.name) }
        let heading = names.joined(separator: ", ")
        let dates = runs.map(\.run.startedAt)
        let span = [dates.min(), dates.max()].compactMap { $0.map(date) }
        let started = Set(span).count > 1 ? span.joined(separator: " to ") : span.first ?? ""
        return PageMarkup.document(
            title: "\(heading), \(runs.count) runs", heading: heading, question: question,
            opening: ["\(runs.count) runs,", "started \(started)."], [given, results, charts].compactMap { $0 })
    }

    private var given: String {
        let rows = zip(runs, view.rows).map { ["run \($0.id)"] + $1 }
        let shared = view.common
        return PageMarkup.section(
            "Runs",
            (shared.isEmpty ? "" : PageMarkup.remark("All runs: \(shared)"))
                + PageMarkup.table(heads: [""] + view.heads.dropFirst(), rows))
    }

    private var results: String? {
        let parts = view.tables.map { table in
            let rows = zip(table.rows, table.distances).map { row, distance in
                let words = ReadingWords(row.reading)
                let far = distance?.text("standard errors") ?? ""
                return ["run \(row.id)", words.value, words.interval, words.exact] + (table.spread == nil ? [] : [far])
            }
            let last = table.spread == nil ? [] : ["from the others"]
            return "<h3>\(Markup.escaped(table.name))</h3>\n"
                + PageMarkup.table(heads: ["", "value", "95 % interval", "exact"] + last, rows)
        }
        let all = parts + view.remarks.map(PageMarkup.remark)
        return all.isEmpty ? nil : PageMarkup.section("Results", all.joined(separator: "\n"))
    }

    /// By the only parameter that differs, if there is one, and otherwise by run.
    private var charts: String? {
        let overTime = Trends(runs)
        var trends = overTime
        if overTime.differing.count == 1 {
            let byParameter = Trends(runs, by: overTime.differing[0])
            if byParameter.lacking == 0 { trends = byParameter }
        }
        let drawings = Drawings.trends(trends.all, date: date)
        guard !drawings.isEmpty else { return nil }
        return PageMarkup.section(
            "Charts",
            PageMarkup.figures(drawings)
                + PageMarkup.remark("Dots: values. Bars: 95 % intervals. Dashed lines: exact answers."))
    }
}
