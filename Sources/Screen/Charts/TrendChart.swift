import PotluckCore
import PotluckKit

/// Draws a reading over many runs: value, interval and, if known, the exact answer of each run.
public struct TrendChart {
    private let canvas: Canvas
    private static let height = 12

    public init(on canvas: Canvas) { self.canvas = canvas }

    /// If there are more points than columns, shows the last ones.
    public func lines(_ trend: Trend, date: (Int64) -> String) -> [StyledLine] {
        let drawn = trend.points.filter { $0.reading.value?.isFinite == true }
        guard let axis = Axis.around(drawn.map(\.reading), margin: 0.04) else {
            return [StyledLine("\(trend.name): nothing to plot", .strong)]
        }
        let labels = [axis.high, axis.low].map { Figures.short($0) }
        let margin = (labels.map { canvas.width(of: $0) }.max() ?? 0) + 1
        let room = max(4, min(canvas.columns, Self.widest) - margin - 2)
        // Leave space between the points if there is room.
        let step = max(1, min(6, room / max(1, drawn.count)))
        let shown = Trend(
            name: trend.name, parameter: trend.parameter, points: Array(drawn.suffix(room / step)))
        let by = trend.parameter.map { " by \($0)" } ?? ""
        let count = shown.points.count
        var lines = [StyledLine("\(trend.name)\(by), \(count) \(count == 1 ? "run" : "runs")", .strong)]
        for (y, cells) in grid(shown.points, axis, step).enumerated() {
            let label = y == 0 ? labels[0] : y == Self.height - 1 ? labels[1] : ""
            var line = StyledLine(
                String(repeating: " ", count: margin - 1 - canvas.width(of: label)) + label + " ", .faint)
            for cell in cells { line.append(text(cell), cell == .value ? .good : cell == .exact ? .warning : .plain) }
            lines.append(line)
        }
        lines.append(StyledLine(String(repeating: " ", count: margin) + ticks(shown.points, step, room), .faint))
        let indent = min(margin, 10)
        lines += canvas.wrapped(shown.axis(date), .faint, indent: indent)
        lines += canvas.wrapped(legend(shown.points, drawn.count - count), .faint, indent: indent)
        return lines
    }

    private func grid(_ points: [Trend.Point], _ axis: Axis, _ step: Int) -> [[Cell]] {
        var grid = [[Cell]](repeating: [Cell](repeating: .none, count: points.count * step), count: Self.height)
        func row(_ value: Double) -> Int { Int((axis.nearest(value) * Double(Self.height - 1)).rounded()) }
        for (index, point) in points.enumerated() {
            if let exact = point.reading.exact {
                for column in (index * step)..<((index + 1) * step) { grid[row(exact)][column] = .exact }
            }
            let column = index * step + step / 2
            if let interval = point.reading.interval {
                for y in row(interval.upperBound)...row(interval.lowerBound) { grid[y][column] = .interval }
            }
            if let value = point.reading.value { grid[row(value)][column] = .value }
        }
        return grid
    }

    /// The labels below the points, each once, as many as fit beside each other.
    private func ticks(_ points: [Trend.Point], _ step: Int, _ room: Int) -> String {
        var text = ""
        var last: String?
        for (index, point) in points.enumerated() where point.label != last {
            last = point.label
            let width = canvas.width(of: point.label)
            let start = max(0, index * step + step / 2 - (width - 1) / 2)
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
