import PotluckKit
import PotluckModel

/// Draws a reading over many runs: value, interval and, if known, the exact answer of each run.
public struct TrendChart {
    /// The reading of one run. `at` is in milliseconds since 1970.
    public struct Point: Sendable, Equatable {
        public let run: Int64
        public let at: Int64
        public let reading: Reading

        public init(run: Int64, at: Int64, reading: Reading) {
            self.run = run
            self.at = at
            self.reading = reading
        }
    }

    private let canvas: Canvas
    private static let height = 12

    public init(on canvas: Canvas) { self.canvas = canvas }

    /// `all` is in order of time. If there are more points than columns, shows the latest ones.
    public func lines(_ name: String, _ all: [Point], date: (Int64) -> String) -> [Line] {
        let drawn = all.filter { $0.reading.value?.isFinite == true }
        guard let bounds = Self.bounds(drawn.map(\.reading)) else { return [Line("\(name): nothing to plot", .strong)] }
        let labels = [bounds.upperBound, bounds.lowerBound].map { Figures.short($0) }
        let margin = (labels.map { canvas.width(of: $0) }.max() ?? 0) + 1
        let room = max(4, min(canvas.columns, Self.widest) - margin - 2)
        // Leave space between the points if there is room.
        let step = max(1, min(4, room / max(1, drawn.count)))
        let points = Array(drawn.suffix(room / step))
        let left = drawn.count - points.count
        var grid = [[Cell]](repeating: [Cell](repeating: .none, count: points.count * step), count: Self.height)
        func row(_ value: Double) -> Int {
            let part = (bounds.upperBound - value) / (bounds.upperBound - bounds.lowerBound)
            // An infinite end of an interval goes to the edge.
            guard part.isFinite else { return value > 0 ? 0 : Self.height - 1 }
            return Int((max(0, min(1, part)) * Double(Self.height - 1)).rounded())
        }
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
        var lines = [Line("\(name) over \(points.count) \(points.count == 1 ? "run" : "runs")", .strong)]
        for (y, cells) in grid.enumerated() {
            let label = y == 0 ? labels[0] : y == Self.height - 1 ? labels[1] : ""
            var line = Line(String(repeating: " ", count: margin - 1 - canvas.width(of: label)) + label + " ", .faint)
            for cell in cells { line.append(text(cell), cell == .value ? .good : cell == .exact ? .warning : .plain) }
            lines.append(line)
        }
        lines.append(
            Line(
                String(repeating: " ", count: margin) + date(points[0].at) + " … " + date(points[points.count - 1].at),
                .faint))
        lines += canvas.wrapped(legend(points, left), .faint, indent: min(margin, 10))
        return lines
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

    private func legend(_ points: [Point], _ left: Int) -> String {
        var parts = ["\(text(.value)) value", "\(text(.interval)) 95 % interval"]
        if points.contains(where: { $0.reading.exact != nil }) { parts.append("\(text(.exact)) exact answer") }
        if left > 0 { parts.append("\(left) older runs not shown") }
        return parts.joined(separator: ", ")
    }

    /// The range of all values, intervals and exact answers, with a small margin; nil if there is nothing to draw.
    package static func bounds(_ readings: [Reading]) -> ClosedRange<Double>? {
        let values = readings.flatMap { [$0.value, $0.interval?.lowerBound, $0.interval?.upperBound, $0.exact] }
            .compactMap { $0 }.filter(\.isFinite)
        guard let low = values.min(), let high = values.max(), (high - low).isFinite else { return nil }
        let room = high > low ? (high - low) * 0.04 : max(high.magnitude * 0.01, 1e-9)
        return (low - room)...(high + room)
    }
}
