import PotluckConsole

/// A chart of values with their intervals, as SVG.
struct Plot {
    /// A value at a place on the horizontal axis.
    struct Point {
        let x: Double
        let value: Double
        let interval: ClosedRange<Double>?
    }

    /// How the points are shown.
    enum Style {
        /// A line in a band, for one quantity that develops.
        case band
        /// Dots with bars, for independent values.
        case dots
    }

    let title: String
    let points: [Point]
    let exact: Double?
    let style: Style
    /// The ticks of the horizontal axis, in order.
    let ticks: [(x: Double, text: String)]
    let axis: String

    static let width = 640.0
    static let height = 260.0
    private static let (left, right, top, bottom) = (84.0, 16.0, 28.0, 44.0)

    /// Returns nil if there is nothing to draw.
    func svg(at y: Double = 0) -> String? {
        let finite = points.filter { $0.x.isFinite && $0.value.isFinite }
        guard let area = Area(finite, exact) else { return nil }
        var parts = ["<g transform=\"translate(0 \(Markup.number(y)))\">"]
        parts.append(text(title, x: Self.left, y: 18, "class=\"t\""))
        parts.append(
            "<rect class=\"f\" x=\"\(Markup.number(Self.left))\" y=\"\(Markup.number(Self.top))\" width=\"\(Markup.number(Self.width - Self.left - Self.right))\" height=\"\(Markup.number(Self.height - Self.top - Self.bottom))\"/>"
        )
        for share in [0, 0.25, 0.5, 0.75, 1.0] {
            let value = area.low + (area.high - area.low) * share
            let y = self.y(value, area)
            parts.append(line("g", Self.left, y, Self.width - Self.right, y))
            parts.append(
                text(
                    ReportFigures.tick(value, within: area.high - area.low), x: Self.left - 6, y: y + 4,
                    "text-anchor=\"end\""))
        }
        for tick in ticks where tick.x >= area.first && tick.x <= area.last {
            let x = self.x(tick.x, area)
            parts.append(line("g", x, Self.top, x, Self.height - Self.bottom))
            parts.append(text(tick.text, x: x, y: Self.height - Self.bottom + 16, "text-anchor=\"middle\""))
        }
        parts.append(
            text(axis, x: (Self.left + Self.width - Self.right) / 2, y: Self.height - 8, "text-anchor=\"middle\""))
        if let exact, exact.isFinite {
            let y = self.y(exact, area)
            parts.append(line("e", Self.left, y, Self.width - Self.right, y))
        }
        parts += style == .band ? band(finite, area) : dots(finite, area)
        return parts.joined(separator: "\n") + "\n</g>"
    }

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
        return Self.left + 10 + part * (Self.width - Self.left - Self.right - 20)
    }

    private func y(_ value: Double, _ area: Area) -> Double {
        let part = (area.high - value) / (area.high - area.low)
        // An infinite interval ends at the edge.
        let inside = part.isNaN ? 0.5 : max(0, min(1, part))
        return Self.top + inside * (Self.height - Self.top - Self.bottom)
    }

    /// The ranges of the axes.
    private struct Area {
        let first: Double
        let last: Double
        let low: Double
        let high: Double

        init?(_ points: [Point], _ exact: Double?) {
            let values = points.flatMap { [$0.value, $0.interval?.lowerBound, $0.interval?.upperBound] } + [exact]
            let finite = values.compactMap { $0 }.filter(\.isFinite)
            guard let first = points.map(\.x).min(), let last = points.map(\.x).max(), let low = finite.min(),
                let high = finite.max(), (high - low).isFinite
            else { return nil }
            let room = high > low ? (high - low) * 0.06 : max(high.magnitude * 0.01, 1e-9)
            (self.first, self.last, self.low, self.high) = (first, last, low - room, high + room)
        }
    }

    /// The style of all drawings, which also suits printing in black and white.
    static let style = """
        text{font:12px system-ui,sans-serif;fill:#333}text.t{font-weight:600;font-size:14px;fill:#111}
        .f{fill:none;stroke:#999}.g{stroke:#e4e4e4}.e{stroke:#c60;stroke-dasharray:5 4;stroke-width:1.5}
        .b{fill:#2a6fb0;fill-opacity:.18}.l{fill:none;stroke:#2a6fb0;stroke-width:2}.i{stroke:#2a6fb0;stroke-width:1.5}
        .d{fill:#2a6fb0}.h{fill:#2a6fb0}
        """

    /// Wraps drawings into an SVG document, for a file or for a page.
    static func document(_ parts: [String], title: String, height: Double) -> String {
        let size = "\(Markup.number(width)) \(Markup.number(height))"
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" role="img">
            <title>\(Markup.escaped(title))</title>
            <style>\(style)</style>
            \(parts.joined(separator: "\n"))
            </svg>

            """
    }
}
