/// Lays out cells in columns, each as wide as its widest cell.
enum Table {
    /// The columns between two cells.
    private static let gap = 2

    /// Returns the first of these choices of columns that fits the canvas, or else the last one. `width` returns the width
    /// of a column.
    static func fitting<Choice: Hashable>(
        _ choices: [[Choice]], on canvas: Canvas, width: (Choice) -> Int
    ) -> [Choice] {
        // Each column is measured once, though several choices have it.
        var widths: [Choice: Int] = [:]
        for column in Set(choices.joined()) { widths[column] = width(column) }
        let fits = choices.first { columns in
            columns.reduce(gap * (columns.count - 1)) { $0 + (widths[$1] ?? 0) } <= canvas.columns
        }
        return fits ?? choices[choices.count - 1]
    }

    struct Row {
        let cells: [String]
        let ink: Ink
    }

    /// The layout of a column.
    struct Column {
        let head: String
        /// Whether the cells are aligned to the right.
        var isNumber = false
        /// The least width. Used where contents change between frames, so that the columns after it do not move.
        var least = 0
    }

    static func lines(heads: [String], rows: [Row], on canvas: Canvas) -> [StyledLine] {
        lines(heads.map { Column(head: $0) }, rows: rows, on: canvas)
    }

    static func lines(_ columns: [Column], rows: [Row], on canvas: Canvas) -> [StyledLine] {
        // Measure each cell once, because a long list has a hundred thousand.
        let sizes = rows.map { $0.cells.map(canvas.width(of:)) }
        let widths = columns.indices.map { column in
            sizes.reduce(max(columns[column].least, canvas.width(of: columns[column].head))) { max($0, $1[column]) }
        }
        func line(_ cells: [String], _ sizes: [Int], _ ink: Ink) -> StyledLine {
            var text = ""
            let last = cells.lastIndex { !$0.isEmpty } ?? 0
            for (index, cell) in cells.prefix(last + 1).enumerated() {
                let rest = widths[index] - sizes[index]
                if columns[index].isNumber { text += String(repeating: " ", count: rest) }
                text += cell
                guard index < last else { break }
                text += String(repeating: " ", count: columns[index].isNumber ? gap : rest + gap)
            }
            return StyledLine(text, ink)
        }
        let heads = columns.map(\.head)
        return [line(heads, heads.map(canvas.width(of:)), .faint)]
            + zip(rows, sizes).map { line($0.cells, $1, $0.ink) }
    }
}
