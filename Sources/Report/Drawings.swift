import PotluckConsole
import PotluckKit
import PotluckModel

/// SVG drawings of runs.
public enum Drawings {
    /// The most readings on a page. Nobody looks at more.
    static let most = 8

    /// Returns an SVG of how each reading of a run converged. Returns nil if the run has no course.
    public static func convergence(_ run: RunRecord) -> String? {
        let drawings = plots(run).prefix(most).enumerated().compactMap { index, plot in
            plot.svg(at: Double(index) * Plot.height)
        }
        guard !drawings.isEmpty else { return nil }
        return stacked(drawings, title: "How \(run.simulation.name) converged")
    }

    private static func plots(_ run: RunRecord) -> [Plot] {
        run.readings.enumerated().compactMap { index, reading in
            guard reading.kind != .histogram else { return nil }
            let points = run.course.compactMap { point -> Plot.Point? in
                guard point.trials > 0, point.readings.indices.contains(index), let value = point.readings[index].value
                else { return nil }
                return Plot.Point(
                    x: log10(Double(point.trials)), value: value, interval: point.readings[index].interval)
            }
            // A single point is no course.
            guard points.count > 1 else { return nil }
            return Plot(
                title: reading.name, points: points, exact: reading.exact, style: .band,
                ticks: (0...18).map { (Double($0), ReportFigures.powers[$0]) }, axis: "trials")
        }
    }

    /// Returns an SVG of readings over runs, in order of time. Returns nil if there is nothing to draw.
    public static func trend(
        _ readings: [(name: String, points: [TrendChart.Point])], of simulation: String, date: (Int64) -> String
    ) -> String? {
        let drawings = readings.prefix(most).enumerated().compactMap { index, reading in
            let points = reading.points
            // Five dates fit beside each other.
            let every = max(1, (points.count + 4) / 5)
            let plot = Plot(
                title: "\(simulation): \(reading.name)",
                points: points.enumerated().compactMap { place, point in
                    point.reading.value.map {
                        Plot.Point(x: Double(place), value: $0, interval: point.reading.interval)
                    }
                },
                exact: points.last?.reading.exact, style: .dots,
                ticks: stride(from: 0, to: points.count, by: every).map { (Double($0), date(points[$0].at)) },
                axis: "runs")
            return plot.svg(at: Double(index) * Plot.height)
        }
        guard !drawings.isEmpty else { return nil }
        return stacked(drawings, title: "\(simulation) over runs")
    }

    /// Returns an SVG of a histogram. Returns nil if it has no entries.
    static func histogram(_ reading: Reading) -> String? {
        let bins = Array(reading.bins.dropFirst().dropLast())
        guard let range = reading.range, let most = bins.max(), most > 0 else { return nil }
        let (left, width, height, base) = (20.0, Plot.width - 40, 120.0, 130.0)
        let each = width / Double(bins.count)
        let columns = bins.enumerated().filter { $0.element > 0 }.map { index, count in
            let tall = max(0.5, height * Double(count) / Double(most))
            return
                "<rect class=\"h\" x=\"\(Markup.number(left + Double(index) * each))\" y=\"\(Markup.number(base - tall))\" width=\"\(Markup.number(each * 0.92))\" height=\"\(Markup.number(tall))\"/>"
        }
        let ends = [(left, "start", range.lowerBound), (left + width, "end", range.upperBound)].map {
            x, anchor, value in
            "<text x=\"\(Markup.number(x))\" y=\"148\" text-anchor=\"\(anchor)\">\(Markup.escaped(Figures.short(value)))</text>"
        }
        return Plot.document(columns + ends, title: reading.name, height: 156)
    }

    /// Joins drawings, one below the other.
    private static func stacked(_ drawings: [String], title: String) -> String {
        Plot.document(drawings, title: title, height: Plot.height * Double(drawings.count))
    }

    private static func log10(_ value: Double) -> Double { Maths.log(value) / 2.302585092994046 }
}

/// Texts of numbers along axes.
enum ReportFigures {
    static let powers = [
        "1", "10", "100", "1000", "10⁴", "10⁵", "10⁶", "10⁷", "10⁸", "10⁹", "10¹⁰", "10¹¹", "10¹²", "10¹³", "10¹⁴",
        "10¹⁵",
        "10¹⁶", "10¹⁷", "10¹⁸",
    ]

    /// Returns a number with enough digits to distinguish the ticks of an axis.
    static func tick(_ value: Double, within span: Double) -> String {
        guard span > 0, value.magnitude > span else { return Figures.significant(value, 3) }
        let digits = Maths.log(value.magnitude / span) / 2.302585092994046
        return Figures.significant(value, max(3, min(15, Int(digits) + 4)))
    }
}
