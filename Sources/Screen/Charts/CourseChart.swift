import PotluckCore
import PotluckKit

/// Draws how a reading converged: its value and 95 % band over the trials, on a logarithmic axis, with the exact
/// answer. For a search, draws its best solution over time.
struct CourseChart {
    let canvas: Canvas
    var unit = WorkUnit.trial

    /// The fewest lines: a title, three of the plot, and the axis.
    static let least = 5
    static let enough = 6
    static let most = 14

    /// A reading after a number of trials or, for a search, after a time.
    struct Point: Equatable {
        let trials: UInt64
        let elapsed: Duration?
        let value: Double
        let low: Double
        let high: Double
        /// The place on the axis.
        let place: Double

        /// Returns nil if there is no value to draw.
        init?(_ reading: Reading, at point: CoursePoint) {
            guard let value = reading.value, value.isFinite else { return nil }
            guard point.elapsed.map({ $0 >= Self.shortest }) ?? (point.trials > 0) else { return nil }
            (trials, elapsed) = (point.trials, point.elapsed)
            place = point.elapsed.map { Logarithm.base10($0.seconds) } ?? Logarithm.base10(point.trials)
            self.value = value
            let interval = reading.interval ?? value...value
            low = interval.lowerBound.isFinite ? interval.lowerBound : value
            high = interval.upperBound.isFinite ? interval.upperBound : value
        }

        private init(_ point: Point, value: Double, low: Double, high: Double) {
            (trials, elapsed, place) = (point.trials, point.elapsed, point.place)
            (self.value, self.low, self.high) = (value, low, high)
        }

        /// A time of a series; nil if it has no mean.
        init?(_ point: Reading.CurvePoint) {
            guard let value = point.value else { return nil }
            let interval = point.interval ?? value...value
            (trials, elapsed, place) = (0, nil, Double(point.time))
            (self.value, low, high) = (value, interval.lowerBound, interval.upperBound)
        }

        /// Where the axis begins for a search. Pictures come more rarely, and a shorter search needs no chart.
        private static let shortest = Duration.milliseconds(10)

        /// This reading at a later point.
        func until(_ next: Point) -> Point { Point(next, value: value, low: low, high: high) }

        func towards(_ next: Point, by part: Double) -> Point {
            func between(_ a: Double, _ b: Double) -> Double { a * (1 - part) + b * part }
            return Point(
                self, value: between(value, next.value), low: between(low, next.low),
                high: between(high, next.high))
        }
    }

    /// Returns the points of one reading until now, the oldest first.
    static func points(_ course: [CoursePoint], of reading: Int, now: CoursePoint) -> [Point] {
        var points: [Point] = []
        for point in course + [now] where point.readings.indices.contains(reading) {
            guard let new = Point(point.readings[reading], at: point) else { continue }
            if let last = points.last, last.place >= new.place { continue }
            // A solution stays the best until a better one is found.
            if let last = points.last, new.elapsed != nil { points.append(last.until(new)) }
            points.append(new)
        }
        return points
    }

    func lines(_ name: String, _ points: [Point], exact: Double?, height: Int) -> [StyledLine] {
        let title = StyledLine(name, .strong)
        guard points.count >= 2, let first = points.first, let last = points.last else {
            return [title]
        }
        return lines(
            title, points, Axis.late(points, exact: exact), exact: exact, height: height, path: "so far",
            ends: ends(first, last))
    }

    /// Draws the means of a series in the band of their intervals.
    func lines(curve reading: Reading, height: Int) -> [StyledLine] {
        let title = StyledLine(reading.name, .strong)
        let points = reading.curve.compactMap { Point($0) }
        guard points.count >= 2, let first = points.first, let last = points.last,
            let axis = Axis.around(points.flatMap { [$0.low, $0.high] }, isProportion: false, margin: 0.04)
        else { return [title] + canvas.wrapped("no trials yet", indent: 2) }
        return lines(
            title, points, axis, exact: nil, height: height, path: "mean",
            ends: { _ in ("\(Int(first.place))", "\(Int(last.place))") })
    }

    private func lines(
        _ title: StyledLine, _ points: [Point], _ axis: Axis, exact: Double?, height: Int, path: String,
        ends: (_ width: Int) -> (String, String)
    ) -> [StyledLine] {
        var title = title
        let figures = ReadingFigures(
            Reading(
                name: "", kind: .mean, value: max(axis.low.magnitude, axis.high.magnitude),
                interval: axis.low...axis.high))
        var labels = [figures.text(axis.high), figures.text(axis.low)]
        let margin = labels.reduce(0) { max($0, $1.count) }
        // Leave out the labels if they would take most of the width.
        let isLabelled = margin + 2 + Self.narrowest <= canvas.columns && margin * 3 <= canvas.columns
        if !isLabelled { labels = ["", ""] }
        let indent = isLabelled ? margin + 2 : 1
        let width = min(Self.widest, max(1, canvas.columns - indent - 1))
        let plot = CourseGrid(
            points: points, axis: axis, exact: exact, width: width, height: max(1, height - 2), unicode: canvas.unicode)
        title.append("  " + legend(plot, path), .faint)
        var lines = [title]
        for row in 0..<plot.height {
            let label = row == 0 ? labels[0] : row == plot.height - 1 ? labels[1] : ""
            var line = StyledLine(String(repeating: " ", count: max(0, indent - 1 - label.count)) + label, .faint)
            line.append(canvas.unicode ? "│" : "|", .faint)
            let cells = plot.cells(row)
            let end = cells.lastIndex { $0.sign != " " }.map { $0 + 1 } ?? 0
            for cell in cells[..<end] { line.append(cell.sign, cell.ink) }
            lines.append(line)
        }
        let (left, right) = ends(width)
        let gap = max(1, width - left.count - right.count)
        lines.append(
            StyledLine(
                String(repeating: " ", count: indent) + left + String(repeating: " ", count: gap) + right, .faint))
        return lines
    }

    private static let narrowest = 16
    /// The most columns; a wider plot shows no more.
    private static let widest = 100

    private func legend(_ plot: CourseGrid, _ path: String) -> String {
        var words = ["\(plot.signs.path) \(path)"]
        if plot.hasBand { words.append("\(plot.signs.band) 95 % band") }
        if plot.exactRow != nil { words.append("\(plot.signs.exact) exact") }
        return words.joined(separator: "  ")
    }

    /// The places of the first and the last column, which stand below the plot.
    private func ends(_ first: Point, _ last: Point) -> (_ width: Int) -> (String, String) {
        { width in
            (
                first.elapsed.map(Figures.time) ?? Figures.grouped(first.trials, width: max(1, width / 3)),
                last.elapsed.map(Figures.time) ?? Figures.grouped(last.trials, width: max(1, width / 2))
                    + " \(unit.plural)"
            )
        }
    }
}

/// The plot as terminal cells.
private struct CourseGrid {
    struct Signs {
        let path: String
        let band: String
        let exact: String
    }

    let signs: Signs
    let height: Int
    let hasBand: Bool
    private(set) var exactRow: Int?
    private let axis: Axis
    private let width: Int
    private let unicode: Bool
    /// The dots of the path in each cell: two columns and four rows of dots with Unicode, else a single one.
    private var dots: [[UInt8]]
    /// The band's limits for each column.
    private var bands: [(low: Double, high: Double)] = []

    init(
        points: [CourseChart.Point], axis: Axis, exact: Double?, width: Int, height: Int, unicode: Bool
    ) {
        signs = unicode ? Signs(path: "⠤", band: "░", exact: "─") : Signs(path: "*", band: ":", exact: "-")
        (self.axis, self.width, self.height, self.unicode) = (axis, width, height, unicode)
        hasBand = points.contains { $0.low < $0.high }
        dots = Array(repeating: Array(repeating: 0, count: width), count: height)
        draw(points)
        if let exact, exact.isFinite, let part = axis.inside(exact) {
            exactRow = min(height - 1, Int(part * Double(height)))
        }
    }

    private mutating func draw(_ points: [CourseChart.Point]) {
        let (across, down) = unicode ? (2, 4) : (1, 1)
        let columns = width * across
        let rows = height * down
        let places = points.map(\.place)
        let (start, end) = (places[0], places[places.count - 1])
        var next = 1
        var before: Int?
        for column in 0..<columns {
            let place = start + (end - start) * Double(column) / Double(max(1, columns - 1))
            while next < points.count - 1, places[next] < place { next += 1 }
            let (left, right) = (places[next - 1], places[next])
            let share = right > left ? max(0, min(1, (place - left) / (right - left))) : 1
            let point = points[next - 1].towards(points[next], by: share)
            if column % across == 0 { bands.append((point.low, point.high)) }
            guard let part = axis.inside(point.value) else {
                before = nil
                continue
            }
            let row = min(rows - 1, Int(part * Double(rows)))
            // Connect it to the dot before, so that a steep path has no gaps.
            for dot in min(row, before ?? row)...max(row, before ?? row) {
                dots[dot / down][column / across] |= Braille.bit(column % across, dot % down)
            }
            before = row
        }
    }

    func cells(_ row: Int) -> [(sign: String, ink: Ink)] {
        let middle = (Double(row) + 0.5) / Double(height)
        let value = axis.value(at: middle)
        return (0..<width).map { column in
            let path = dots[row][column]
            if path != 0 {
                return (unicode ? String(Braille.sign(path)) : signs.path, .strong)
            }
            if row == exactRow { return (signs.exact, .good) }
            let band = bands[column]
            return band.low <= value && value <= band.high ? (signs.band, .faint) : (" ", .plain)
        }
    }
}
