import PotluckKit

/// Draws a histogram in two dimensions as a map of its cells, which are the darker the more they hold.
struct CellMap {
    let canvas: Canvas

    /// `height` is the most lines of the map itself.
    func lines(_ reading: Reading, height: Int) -> [StyledLine] {
        let title = StyledLine(reading.name, .strong)
        guard let cells = reading.cells, cells.most > 0 else {
            let outside = reading.cells.map { remarks($0, nil) } ?? []
            return [title] + canvas.wrapped("nothing counted yet", indent: 2) + outside
        }
        let ends = [Figures.short(cells.y.upperBound), Figures.short(cells.y.lowerBound)]
        let margin = ends.reduce(0) { max($0, canvas.width(of: $1)) }
        // Leave out the ends of y if they would take most of the width.
        let indent = margin * 3 <= canvas.columns ? margin + 2 : 1
        let shades = Shades(
            cells, columns: min(Self.widest, max(1, canvas.columns - indent - 1)), rows: max(1, height),
            signs: canvas.unicode ? ["░", "▒", "▓", "█"] : [".", ":", "+", "#"])
        let rows = shades.rows
        var lines = [title]
        for (row, text) in rows.enumerated() {
            let end = indent == 1 ? "" : row == 0 ? ends[0] : row == rows.count - 1 ? ends[1] : ""
            var line = StyledLine(String(repeating: " ", count: max(0, indent - 1 - end.count)) + end, .faint)
            line.append(canvas.unicode ? "│" : "|", .faint)
            line.append(text, .good)
            lines.append(line)
        }
        let (low, high) = (Figures.short(cells.x.lowerBound), Figures.short(cells.x.upperBound))
        let gap = shades.width - canvas.width(of: low) - canvas.width(of: high)
        let axis = gap > 0 ? low + String(repeating: " ", count: gap) + high : "\(low) … \(high)"
        lines.append(StyledLine(String(repeating: " ", count: indent) + axis, .faint))
        return lines + remarks(cells, shades)
    }

    /// The scale, and what is outside.
    private func remarks(_ cells: CellCounts, _ shades: Shades?) -> [StyledLine] {
        var texts: [String] = []
        if let shades {
            let size = shades.wide * shades.tall == 1 ? "a cell" : "\(shades.wide) × \(shades.tall) cells"
            texts.append("\(shades.signs.joined()) up to \(Figures.grouped(shades.cells.most)) in \(size)")
        }
        if cells.outside > 0 { texts.append("\(Figures.grouped(cells.outside)) outside") }
        return canvas.flow(texts.map { StyledLine.Piece(text: $0, ink: .faint) })
    }

    /// The most columns; a wider map shows no more.
    private static let widest = 100
}

/// The cells as characters: neighbours are joined if they are too many for the room, and each is repeated if they are few.
private struct Shades {
    let cells: CellCounts
    let signs: [String]
    /// How many columns and rows are joined.
    let wide: Int
    let tall: Int
    /// The characters and lines of a cell.
    private let across: Int
    private let down: Int
    /// The mean count of a cell of the histogram in each joined one, because the last ones may join fewer.
    private let means: [Double]

    init(_ all: CellCounts, columns: Int, rows: Int, signs: [String]) {
        let cells = all.joined(columns: columns, rows: rows)
        (self.cells, self.signs) = (cells, signs)
        let wide = (all.columns + cells.columns - 1) / cells.columns
        let tall = (all.rows + cells.rows - 1) / cells.rows
        (self.wide, self.tall) = (wide, tall)
        down = rows / cells.rows
        // A character is about twice as high as it is wide.
        across = max(1, min(columns / cells.columns, 2 * down))
        means = cells.counts.enumerated().map { place, count in
            let (row, column) = place.quotientAndRemainder(dividingBy: cells.columns)
            let size = min(wide, all.columns - column * wide) * min(tall, all.rows - row * tall)
            return Double(count) / Double(size)
        }
    }

    /// The characters of a line.
    var width: Int { cells.columns * across }

    /// The lines from the highest y, without the blanks at their ends.
    var rows: [String] {
        let most = means.max() ?? 0
        return (0..<cells.rows).reversed().flatMap { row -> [String] in
            var line = ""
            var seen = 0
            for column in 0..<cells.columns {
                let sign = sign(means[row * cells.columns + column], of: most)
                line += String(repeating: sign, count: across)
                if sign != " " { seen = (column + 1) * across }
            }
            return [String](repeating: String(line.prefix(seen)), count: down)
        }
    }

    /// A cell that is not empty shows at least the lightest shade, so that rare does not look like never.
    private func sign(_ mean: Double, of most: Double) -> String {
        guard mean > 0, most > 0 else { return " " }
        return signs[max(0, Int((mean / most * Double(signs.count)).rounded()) - 1)]
    }
}
