import PotluckCore
import PotluckKit

/// Draws a reading over many runs: value, interval and, if known, the exact answer of each run.
public struct TrendChart {
    private let canvas: Canvas
    private static let height = 12

    public init(on canvas: Canvas) { self.canvas = canvas }

    /// Runs in order of time are evenly spaced, the last ones if there are more than columns. Along a parameter they have
    /// the distances of its values.
    public func lines(_ trend: Trend, date: (Int64) -> String) -> [StyledLine] {
        let drawn = trend.points.filter { $0.reading.value?.isFinite == true }
        guard let axis = Axis.around(drawn.map(\.reading), margin: 0.04) else {
            return [StyledLine("\(trend.name): nothing to plot", .strong)]
        }
        let labels = [axis.high, axis.low].map { Figures.short($0) }
        let margin = (labels.map { canvas.width(of: $0) }.max() ?? 0) + 1
        let room = max(4, min(canvas.columns, Self.widest) - margin - 2)
        // In order of time the newest runs are shown, and by a parameter all.
        let points = trend.parameter == nil ? Array(drawn.suffix(room)) : drawn
        let places = Places(trend.parameter == nil ? points.indices.map(Double.init) : points.map(\.x), room: room)
        let shown = Trend(name: trend.name, parameter: trend.parameter, points: points)
        let by = trend.parameter.map { " by \($0)" } ?? ""
        let (count, runs) = (shown.points.count, shown.runs)
        var lines = [StyledLine("\(trend.name)\(by), \(runs) \(runs == 1 ? "run" : "runs")", .strong)]
        for (y, cells) in grid(shown.points, axis, places).enumerated() {
            let label = y == 0 ? labels[0] : y == Self.height - 1 ? labels[1] : ""
            var line = StyledLine(
                String(repeating: " ", count: margin - 1 - canvas.width(of: label)) + label + " ", .faint)
            for cell in cells { line.append(text(cell), cell == .value ? .good : cell == .exact ? .warning : .plain) }
            lines.append(line)
        }
        lines.append(
            StyledLine(String(repeating: " ", count: margin) + ticks(shown.points, places.columns, room), .faint))
        let indent = min(margin, 10)
        lines += canvas.wrapped(shown.axis(date), .faint, indent: indent)
        lines += canvas.wrapped(legend(shown.points, drawn.count - count), .faint, indent: indent)
        return lines
    }

    private func grid(_ points: [Trend.Point], _ axis: Axis, _ places: Places) -> [[Cell]] {
        var grid = [[Cell]](repeating: [Cell](repeating: .none, count: places.width), count: Self.height)
        func row(_ value: Double) -> Int { Int((axis.nearest(value) * Double(Self.height - 1)).rounded()) }
        // Points may share a column. Then a value is above intervals, and these are above exact answers.
        for (column, point) in zip(places.columns, points) {
            guard let exact = point.reading.exact else { continue }
            let start = column - places.step / 2
            for column in start..<start + places.step { grid[row(exact)][column] = .exact }
        }
        for (column, point) in zip(places.columns, points) {
            guard let interval = point.reading.interval else { continue }
            for y in row(interval.upperBound)...row(interval.lowerBound) { grid[y][column] = .interval }
        }
        for (column, point) in zip(places.columns, points) {
            if let value = point.reading.value { grid[row(value)][column] = .value }
        }
        return grid
    }

    /// The labels below the points, each once, as many as fit beside each other.
    private func ticks(_ points: [Trend.Point], _ columns: [Int], _ room: Int) -> String {
        var text = ""
        var last: String?
        for (column, point) in zip(columns, points) where point.label != last {
            last = point.label
            let width = canvas.width(of: point.label)
            let start = max(0, column - (width - 1) / 2)
            let end = canvas.width(of: text)
            guard text.isEmpty || start > end, start + width <= room else { continue }
            text += String(repeating: " ", count: start - end) + point.label
        }
        return text
    }

    /// The most columns; a wider chart shows no more.
    private static let widest = 120

    private enum Cell { case none, exact, interval, value }

    private func text(_ cell: Cell) -> String {
        switch cell {
        case .none: " "
        case .exact: canvas.unicode ? "┄" : "-"
        case .interval: canvas.unicode ? "│" : "|"
        case .value: canvas.unicode ? "●" : "o"
        }
    }

    private func legend(_ points: [Trend.Point], _ left: Int) -> String {
        var parts = ["\(text(.value)) value", "\(text(.interval)) 95 % interval"]
        if points.contains(where: { $0.reading.exact != nil }) { parts.append("\(text(.exact)) exact answer") }
        if left > 0 { parts.append("\(left) more runs not shown") }
        return parts.joined(separator: ", ")
    }
}

/// The columns of points, at distances like those of their values.
private struct Places {
    let columns: [Int]
    /// The columns of a point.
    let step: Int
    let width: Int

    /// The most columns from a point to its nearest neighbour.
    private static let widestStep = 6

    /// `room` is how many columns there are. There is at least one number, and all are finite.
    init(_ numbers: [Double], room: Int) {
        // Halves, because the difference of two huge numbers would be infinite.
        let halves = numbers.map { $0 / 2 }
        let known = Set(halves).sorted()
        let (first, last) = (known.first ?? 0, known.last ?? 0)
        let span = last - first
        let nearest = zip(known, known.dropFirst()).map { $1 - $0 }.min() ?? 1
        let gaps = span / nearest
        let step = max(1, min(Self.widestStep, Int(Double(room) / (gaps + 1))))
        let length = min(Double(room - step), gaps * Double(step))
        columns = halves.map { (span > 0 ? Int((($0 - first) / span * length).rounded()) : 0) + step / 2 }
        self.step = step
        width = Int(length.rounded()) + step
    }
}
