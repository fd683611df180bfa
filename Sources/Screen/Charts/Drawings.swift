import PotluckCore
import PotluckKit

/// SVG drawings of runs.
public enum Drawings {
    /// The most readings on a page or in a file. Nobody looks at more.
    static let most = 8

    /// The plots that a file of several plots leaves out.
    public struct LeftOut: Sendable, Equatable {
        /// The titles of the plots without a value.
        public let empty: [String]
        /// How many plots come after the first `most` with values.
        let surplus: Int

        fileprivate init(_ plots: [Plot]) {
            empty = plots.filter(\.isEmpty).map(\.title)
            surplus = max(0, plots.count - empty.count - Drawings.most)
        }

        /// Says how many of the `things` with values the file has; nil if it has all of them.
        public func remark(on things: String) -> String? {
            surplus > 0 ? "The file has the first \(Drawings.most) of \(Drawings.most + surplus) \(things)." : nil
        }
    }

    /// Returns an SVG of how each reading of a run converged, and of its histograms, maps and curves. Returns nil if there
    /// is nothing to draw.
    public static func run(_ run: RunRecord) -> String? {
        stacked(plots(run, Plot.Size.file), Picture.all(run.readings), title: "The result of \(run.simulation.name)")
    }

    /// Returns the same for a page, with an SVG of its own for each reading.
    static func convergences(_ run: RunRecord) -> [String] {
        drawings(plots(run, Plot.Size.page)) { plot, _ in
            plot.svg().map { Plot.document([$0], title: "How \(plot.title) converged", plot.size, isStyled: false) }
        }
    }

    /// Returns the readings with a course that the SVG of all readings leaves out.
    public static func leftOut(_ run: RunRecord) -> LeftOut { LeftOut(plots(run, Plot.Size.file)) }

    private static func plots(_ run: RunRecord, _ size: Plot.Size) -> [Plot] {
        run.readings.enumerated().compactMap { index, reading in
            guard reading.kind.isNumber else { return nil }
            if run.isSearch { return improvements(run, index, size) }
            let points = run.course.compactMap { point -> Plot.Point? in
                guard point.trials > 0, point.readings.indices.contains(index), let value = point.readings[index].value
                else { return nil }
                return Plot.Point(
                    x: Logarithm.base10(point.trials), value: value, interval: point.readings[index].interval,
                    exact: reading.exact)
            }
            // A single point is no course.
            guard points.count > 1 else { return nil }
            return Plot(
                title: reading.name, points: points, style: .band, isProportion: reading.kind.isShare,
                ticks: (0...18).map { (Double($0), Axis.powers[$0]) }, axis: run.unit.plural, size: size)
        }
    }

    /// Returns a plot of a search's best solution over time, in steps.
    private static func improvements(_ run: RunRecord, _ reading: Int, _ size: Plot.Size) -> Plot? {
        var points: [Plot.Point] = []
        for point in run.course where point.readings.indices.contains(reading) {
            guard let elapsed = point.elapsed, elapsed > .zero, let value = point.readings[reading].value else {
                continue
            }
            let x = Logarithm.base10(elapsed.seconds)
            if let last = points.last { points.append(Plot.Point(x: x, value: last.value, interval: nil, exact: nil)) }
            points.append(Plot.Point(x: x, value: value, interval: nil, exact: nil))
        }
        guard points.count > 2 else { return nil }
        return Plot(
            title: run.readings[reading].name, points: points, style: .band, isProportion: false,
            ticks: times.map { (Logarithm.base10($0.seconds), $0.text) }, axis: "time", size: size)
    }

    private static let times: [(seconds: Double, text: String)] = [
        (0.01, "10 ms"), (0.1, "0.1 s"), (1, "1 s"), (10, "10 s"), (60, "1 min"), (600, "10 min"), (3600, "1 h"),
        (36_000, "10 h"), (864_000, "10 days"),
    ]

    /// Returns an SVG of readings over runs. Returns nil if there is nothing to draw.
    public static func trend(_ trends: [Trend], of simulation: String, date: (Int64) -> String) -> String? {
        let plots = trends.map { plot($0, title: "\(simulation): \($0.name)", .file, date) }
        return stacked(plots, title: "\(simulation) over \(trends.first?.parameter ?? "runs")")
    }

    /// Returns the same for a page, with an SVG of its own for each reading.
    static func trends(_ trends: [Trend], date: (Int64) -> String) -> [String] {
        drawings(trends.map { plot($0, title: $0.name, .page, date) }) { plot, _ in
            plot.svg().map { Plot.document([$0], title: plot.title, plot.size, isStyled: false) }
        }
    }

    /// Returns the readings that the SVG of all of them leaves out.
    public static func leftOut(_ trends: [Trend]) -> LeftOut {
        LeftOut(trends.map { trend in plot(trend, title: trend.name, .file) { _ in "" } })
    }

    /// Returns an SVG of a sweep's first reading by its first parameter that is a number. Returns nil if there is none.
    public static func sweep(_ sweep: RecordedSweep, date: (Int64) -> String) -> String? {
        sweep.axes.first.flatMap { axis in
            trend(
                Array(SweepTrends.all(sweep.runs, by: axis).prefix(1)), of: sweep.runs[0].simulation.name, date: date)
        }
    }

    private static func plot(_ trend: Trend, title: String, _ size: Plot.Size, _ date: (Int64) -> String) -> Plot {
        Plot(
            title: title,
            points: trend.points.compactMap { point in
                point.reading.value.map {
                    Plot.Point(x: point.x, value: $0, interval: point.reading.interval, exact: point.reading.exact)
                }
            },
            style: trend.parameter == nil ? .runs : .values,
            isProportion: trend.points.allSatisfy { $0.reading.kind.isShare }, ticks: ticks(trend),
            axis: trend.axis(date), size: size)
    }

    /// Returns an SVG of the speed-up by the number of cores or nodes, one drawing for each of at most `most` sets of
    /// parameters. The lines are those of an efficiency of 1. Returns nil if there is nothing to draw.
    package static func speedUps(_ scaling: Scaling, varied: [String], of simulation: String) -> String? {
        stacked(plots(scaling, varied, simulation), title: "How \(simulation) scales")
    }

    /// Returns the sets of parameters that the SVG leaves out.
    package static func leftOut(_ scaling: Scaling, varied: [String], of simulation: String) -> LeftOut {
        LeftOut(plots(scaling, varied, simulation))
    }

    private static func plots(_ scaling: Scaling, _ varied: [String], _ simulation: String) -> [Plot] {
        var plots: [Plot] = []
        for first in scaling.rows where scaling.isFirst(first) {
            let rows = scaling.rows.filter { $0.point == first.point }
            let name = zip(varied, first.point.varied).map { ", \($0)=\($1)" }.joined()
            let points = rows.compactMap { row in
                scaling.speedUp(row).map {
                    Plot.Point(
                        x: Double(row.count), value: $0.value, interval: $0.interval,
                        exact: Double(row.count) / Double(first.count))
                }
            }
            plots.append(
                Plot(
                    title: "\(simulation)\(name): speed-up", points: points.sorted { $0.x < $1.x }, style: .values,
                    isProportion: false, ticks: rows.map(\.count).sorted().map { (Double($0), "\($0)") },
                    axis: scaling.unit.plural, size: .file))
        }
        return plots
    }

    /// The most labels along an axis; more would touch each other.
    private static let mostTicks = 9

    /// The label of each place once, and only every second or third where there are many.
    private static func ticks(_ trend: Trend) -> [(x: Double, text: String)] {
        var ticks: [(x: Double, text: String)] = []
        for point in trend.points where ticks.last?.x != point.x { ticks.append((point.x, point.label)) }
        guard trend.parameter != nil, let first = ticks.first, let last = ticks.last else {
            let every = max(1, (ticks.count + mostTicks - 1) / mostTicks)
            return stride(from: 0, to: ticks.count, by: every).map { ticks[$0] }
        }
        // Values need not be equally far apart. Leave out those that are too close to the one before.
        let least = (last.x - first.x) / Double(mostTicks)
        return ticks.reduce(into: []) { kept, tick in
            if kept.last.map({ tick.x - $0.x >= least }) ?? true { kept.append(tick) }
        }
    }

    /// Returns the picture of a histogram. Returns nil if it has no entries.
    static func histogram(_ reading: Reading) -> Picture? {
        let bins = Array(reading.bins.dropFirst().dropLast())
        guard let range = reading.range, let most = bins.max(), most > 0 else { return nil }
        let size = Plot.Size(width: Plot.Size.page.width, height: 156)
        let (left, width, height, base) = (20.0, size.width - 40, 120.0, 130.0)
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
        return Picture(title: reading.name, size: size, parts: columns + ends)
    }

    /// Returns a picture of the parts of categories as bars with their intervals. Returns nil if there are none.
    static func categories(_ readings: [Reading]) -> Picture? {
        let known = readings.filter { $0.kind == .category && $0.value != nil }
        guard let most = known.compactMap({ max($0.value ?? 0, $0.interval?.upperBound ?? 0) }).max(), most > 0 else {
            return nil
        }
        let each = 22.0
        let size = Plot.Size(width: Plot.Size.page.width, height: each * Double(known.count) + 12)
        let (left, width) = (130.0, size.width - 150)
        func x(_ value: Double) -> String { Markup.number(left + width * value / most) }
        let rows = known.enumerated().flatMap { index, reading -> [String] in
            let y = 6 + each * Double(index)
            let value = reading.value ?? 0
            var parts = [
                "<text x=\"\(Markup.number(left - 8))\" y=\"\(Markup.number(y + 15))\" text-anchor=\"end\">\(Markup.escaped(reading.name))</text>",
                "<rect class=\"h\" x=\"\(Markup.number(left))\" y=\"\(Markup.number(y + 3))\" width=\"\(Markup.number(width * value / most))\" height=\"\(Markup.number(each - 6))\"/>",
            ]
            let middle = Markup.number(y + each / 2)
            if let interval = reading.shownInterval {
                parts.append(
                    "<line class=\"i\" x1=\"\(x(interval.lowerBound))\" y1=\"\(middle)\" x2=\"\(x(interval.upperBound))\" y2=\"\(middle)\"/>"
                )
            }
            if let exact = reading.exact, 0...most ~= exact {
                parts.append(
                    "<line class=\"e\" x1=\"\(x(exact))\" y1=\"\(Markup.number(y))\" x2=\"\(x(exact))\" y2=\"\(Markup.number(y + each))\"/>"
                )
            }
            return parts
        }
        return Picture(title: "Categories", size: size, parts: rows)
    }

    /// Returns the picture of a series: its means in the band of their intervals. Returns nil if it has none.
    static func series(_ reading: Reading) -> Picture? {
        let points = reading.curve.compactMap { point in
            point.value.map { Plot.Point(x: Double(point.time), value: $0, interval: point.interval, exact: nil) }
        }
        let last = reading.curve.count - 1
        let step = max(1, (last + mostTicks - 1) / mostTicks)
        let plot = Plot(
            title: reading.name, points: points, style: .band, isProportion: false,
            ticks: stride(from: 0, through: last, by: step).map { (Double($0), "\($0)") }, axis: "time",
            size: Plot.Size.page)
        return plot.svg().map { Picture(title: plot.title, size: plot.size, parts: [$0], hasTitle: true) }
    }

    /// Draws the first `most` plots that have a value. `draw` gets the place of each among them, and returns nil if there
    /// is nothing to draw.
    private static func drawings(_ plots: [Plot], _ draw: (_ plot: Plot, _ place: Int) -> String?) -> [String] {
        var drawings: [String] = []
        for plot in plots where drawings.count < most {
            if let drawing = draw(plot, drawings.count) { drawings.append(drawing) }
        }
        return drawings
    }

    /// Joins drawings, one below the other. Returns nil if there are none.
    private static func stacked(_ plots: [Plot], _ pictures: [Picture] = [], title: String) -> String? {
        let size = Plot.Size.file
        var drawings = drawings(plots) { plot, place in plot.svg(at: Double(place) * size.height) }
        var height = size.height * Double(drawings.count)
        for picture in pictures {
            drawings.append(picture.inFile(at: height))
            height += picture.heightInFile
        }
        guard !drawings.isEmpty else { return nil }
        return Plot.document(drawings, title: title, Plot.Size(width: size.width, height: height), isStyled: true)
    }
}
