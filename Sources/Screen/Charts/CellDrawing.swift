import PotluckKit

extension Drawings {
    /// Returns the picture of a histogram in two dimensions: its cells are the darker the more they hold. Returns nil if
    /// it has no entries.
    static func cells(_ reading: Reading) -> Picture? {
        guard let cells = reading.cells, cells.most > 0 else { return nil }
        let size = Plot.Size(width: Plot.Size.page.width, height: 320)
        let (left, top) = (64.0, 8.0)
        let (width, height) = (size.width - left - 12, 264.0)
        let bottom = top + height
        func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
            "<text x=\"\(Markup.number(x))\" y=\"\(Markup.number(y))\" text-anchor=\"\(anchor)\">\(Markup.escaped(text))</text>"
        }
        let scale = "\(Markup.number(width / Double(cells.columns))) \(Markup.number(height / Double(cells.rows)))"
        // Whole pixels, because cells that touch would otherwise have seams.
        let opening =
            "<g transform=\"translate(\(Markup.number(left)) \(Markup.number(top))) scale(\(scale))\" shape-rendering=\"crispEdges\">"
        let outside = cells.outside > 0 ? "; \(Figures.grouped(cells.outside)) outside" : ""
        let labels = [
            text(Figures.short(cells.y.upperBound), left - 6, top + 10, "end"),
            text(Figures.short(cells.y.lowerBound), left - 6, bottom, "end"),
            text(Figures.short(cells.x.lowerBound), left, bottom + 16, "start"),
            text(Figures.short(cells.x.upperBound), left + width, bottom + 16, "end"),
            text(
                "darkest: \(Figures.grouped(cells.most)) in a cell\(outside)", left + width / 2, bottom + 34, "middle"),
        ]
        let frame =
            "<rect class=\"f\" x=\"\(Markup.number(left))\" y=\"\(Markup.number(top))\" width=\"\(Markup.number(width))\" height=\"\(Markup.number(height))\"/>"
        let parts = [opening] + shades(cells) + ["</g>", frame] + labels
        return Picture(title: reading.name, size: size, parts: parts)
    }

    /// The shades that a reader tells apart; each is one path.
    private static let shades = 16

    /// A path for each shade: its cells, in columns and rows from the highest y. Neighbours in a row are joined.
    private static func shades(_ cells: CellCounts) -> [String] {
        let most = Double(cells.most)
        var paths = [String](repeating: "", count: shades + 1)
        for row in 0..<cells.rows {
            let levels = (0..<cells.columns).map { column -> Int in
                let share = Double(cells[column, row]) / most
                return share > 0 ? max(1, Int((share * Double(shades)).rounded())) : 0
            }
            var start = 0
            for column in 1...cells.columns where column == cells.columns || levels[column] != levels[start] {
                paths[levels[start]] += "M\(start) \(cells.rows - 1 - row)h\(column - start)v1h-\(column - start)z"
                start = column
            }
        }
        return (1...shades).filter { !paths[$0].isEmpty }.map { level in
            // The lightest one must still be seen.
            let opacity = Markup.number(0.1 + 0.9 * Double(level) / Double(shades))
            return "<path class=\"h\" fill-opacity=\"\(opacity)\" d=\"\(paths[level])\"/>"
        }
    }
}
