/// A chart of values with their intervals, as SVG.
struct Plot {
    /// A value at a place on the horizontal axis.
    struct Point {
        let x: Double
        let value: Double
        let interval: ClosedRange<Double>?
        let exact: Double?
    }

    /// How the points are shown.
    enum Style {
        /// A line in a band, for one quantity that develops.
        case band
        /// Dots with bars, for runs in order of time.
        case runs
        /// Dots with bars, for runs at the values of a parameter.
        case values
    }

    let title: String
    let points: [Point]
    let style: Style
    /// Whether the values are proportions, which are at most 1.
    let isProportion: Bool
    /// The ticks of the horizontal axis, in order.
    let ticks: [(x: Double, text: String)]
    let axis: String
    let size: Size

    struct Size {
        let width: Double
        let height: Double

        /// A file of its own, which is shown large.
        static let file = Size(width: 640, height: 260)
        /// A figure on a page, whose text stays legible on a phone.
        static let page = Size(width: 400, height: 220)
    }

    private static let (left, right, top, bottom) = (72.0, 16.0, 28.0, 44.0)
    private var right: Double { size.width - Self.right }
    private var bottom: Double { size.height - Self.bottom }

    /// Whether there is nothing to draw.
    var isEmpty: Bool { area == nil }

    private var finite: [Point] { points.filter { $0.x.isFinite && $0.value.isFinite } }
    private var area: Area? { Area(finite, isProportion) }

    /// Returns nil if there is nothing to draw.
    func svg(at y: Double = 0) -> String? {
        guard let area else { return nil }
        let finite = finite
        var parts = ["<g transform=\"translate(0 \(Markup.number(y)))\">"]
        parts.append(text(title, x: Self.left, y: 18, "class=\"t\""))
        parts.append(
            "<rect class=\"f\" x=\"\(Markup.number(Self.left))\" y=\"\(Markup.number(Self.top))\" width=\"\(Markup.number(right - Self.left))\" height=\"\(Markup.number(bottom - Self.top))\"/>"
        )
        for tick in area.axis.ticks {
            let y = self.y(tick.value, area)
            parts.append(line("g", Self.left, y, right, y))
            parts.append(text(tick.text, x: Self.left - 6, y: y + 4, "text-anchor=\"end\""))
        }
        for tick in ticks where tick.x >= area.first && tick.x <= area.last {
            let x = self.x(tick.x, area)
            parts.append(line("g", x, Self.top, x, bottom))
            parts.append(text(tick.text, x: x, y: bottom + 16, "text-anchor=\"middle\""))
        }
        parts.append(
            text(axis, x: (Self.left + right) / 2, y: size.height - 8, "text-anchor=\"middle\""))
        parts += exact(finite, area)
        parts += style == .band ? band(finite, area) : dots(finite, area)
        return parts.joined(separator: "\n") + "\n</g>"
    }

    /// The exact answers. A quantity that develops has one, from edge to edge. Runs of equal answers that follow each
    /// other share a line, and another answer begins a new one. Between the values of a parameter nothing is known.
    private func exact(_ points: [Point], _ area: Area) -> [String] {
        var levels: [(value: Double, first: Double, last: Double)] = []
        for point in points {
            guard let exact = point.exact, exact.isFinite else { continue }
            let x = self.x(point.x, area)
            if let level = levels.last, level.value == exact, style != .values || level.last == x {
                levels[levels.count - 1].last = x
            } else {
                levels.append((exact, x, x))
            }
        }
        return levels.map { level in
            let y = self.y(level.value, area)
            let isWhole = style == .band
            return line(
                "e", isWhole ? Self.left : level.first - Self.reach, y,
                isWhole ? right : level.last + Self.reach, y)
        }
    }

    /// How far the line of an exact answer reaches beyond its runs. The outermost points are as far from the edge.
    private static let reach = 10.0

    private func band(_ points: [Point], _ area: Area) -> [String] {
        func path(_ values: [(Double, Double)]) -> String {
            values.map { "\(Markup.number(x($0.0, area))),\(Markup.number(y($0.1, area)))" }.joined(separator: " ")
        }
        let sure = points.filter { $0.interval != nil }
        let edge =
            sure.map { ($0.x, $0.interval?.upperBound ?? $0.value) }
            + sure.reversed().map { ($0.x, $0.interval?.lowerBound ?? $0.value) }
        var parts: [String] = []
        if edge.count >= 4 { parts.append("<polygon class=\"b\" points=\"\(path(edge))\"/>") }
        parts.append("<polyline class=\"l\" points=\"\(path(points.map { ($0.x, $0.value) }))\"/>")
        if let last = points.last { parts.append(dot(last, area)) }
        return parts
    }

    private func dots(_ points: [Point], _ area: Area) -> [String] {
        points.flatMap { point -> [String] in
            let x = self.x(point.x, area)
            let bar = point.interval.map { line("i", x, y($0.upperBound, area), x, y($0.lowerBound, area)) }
            return (bar.map { [$0] } ?? []) + [dot(point, area)]
        }
    }

    private func dot(_ point: Point, _ area: Area) -> String {
        "<circle class=\"d\" cx=\"\(Markup.number(x(point.x, area)))\" cy=\"\(Markup.number(y(point.value, area)))\" r=\"3\"/>"
    }

    private func line(_ name: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        "<line class=\"\(name)\" x1=\"\(Markup.number(x1))\" y1=\"\(Markup.number(y1))\" x2=\"\(Markup.number(x2))\" y2=\"\(Markup.number(y2))\"/>"
    }

    private func text(_ text: String, x: Double, y: Double, _ attributes: String) -> String {
        "<text x=\"\(Markup.number(x))\" y=\"\(Markup.number(y))\" \(attributes)>\(Markup.escaped(text))</text>"
    }

    private func x(_ value: Double, _ area: Area) -> Double {
        let part = area.last > area.first ? (value - area.first) / (area.last - area.first) : 0.5
        return Self.left + Self.reach + part * (right - Self.left - 2 * Self.reach)
    }

    private func y(_ value: Double, _ area: Area) -> Double {
        Self.top + area.axis.nearest(value) * (bottom - Self.top)
    }

    /// The ranges of the axes.
    private struct Area {
        let first: Double
        let last: Double
        let axis: Axis

        init?(_ points: [Point], _ isProportion: Bool) {
            let values = points.flatMap { [$0.value, $0.interval?.lowerBound, $0.interval?.upperBound, $0.exact] }
            guard let first = points.map(\.x).min(), let last = points.map(\.x).max(),
                let axis = Axis.around(values.compactMap { $0 }, isProportion: isProportion, margin: 0.06)
            else { return nil }
            (self.first, self.last, self.axis) = (first, last, axis)
        }
    }

    /// The style of a file, which also suits printing in black and white.
    static let style = """
        text{font:12px system-ui,sans-serif;fill:#333}text.t{font-weight:600;font-size:14px;fill:#111}
        .f{fill:none;stroke:#999}.g{stroke:#e4e4e4}.e{stroke:#c60;stroke-dasharray:5 4;stroke-width:1.5}
        .b{fill:#2a6fb0;fill-opacity:.18}.l{fill:none;stroke:#2a6fb0;stroke-width:2}.i{stroke:#2a6fb0;stroke-width:1.5}
        .d{fill:#2a6fb0}.h{fill:#2a6fb0}
        """

    /// Wraps drawings into an SVG document: with its style for a file, without for a page, whose style also covers dark
    /// screens.
    static func document(_ parts: [String], title: String, _ size: Size, isStyled: Bool) -> String {
        let box = "\(Markup.number(size.width)) \(Markup.number(size.height))"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(box)" role="img">
            <title>\(Markup.escaped(title))</title>
            \(isStyled ? "<style>\(style)</style>\n" : "")\(parts.joined(separator: "\n"))
            </svg>

            """
    }
}
