/// Cells under one another, each column as wide as its widest cell.
enum Table {
    struct Row {
        let cells: [String]
        let ink: Ink
    }

    /// How a column stands.
    struct Column {
        let head: String
        /// Numbers stand with their ends under one another.
        var isNumber = false
        /// Where what it holds changes its length from picture to picture, and the columns after it shall stand still.
        var least = 0
    }

    static func lines(heads: [String], rows: [Row], on canvas: Canvas) -> [Line] {
        lines(heads.map { Column(head: $0) }, rows: rows, on: canvas)
    }

    static func lines(_ columns: [Column], rows: [Row], on canvas: Canvas) -> [Line] {
        let widths = columns.indices.map { column in
            rows.reduce(max(columns[column].least, canvas.width(of: columns[column].head))) {
                max($0, canvas.width(of: $1.cells[column]))
            }
        }
        func line(_ cells: [String], _ ink: Ink) -> Line {
            var line = Line()
            let last = cells.lastIndex { !$0.isEmpty } ?? 0
            for (index, cell) in cells[...last].enumerated() {
                let gap = String(repeating: " ", count: widths[index] - canvas.width(of: cell))
                if columns[index].isNumber { line.append(gap) }
                line.append(cell, ink)
                guard index < last else { break }
                line.append(columns[index].isNumber ? "  " : gap + "  ")
            }
            return line
        }
        return [line(columns.map(\.head), .faint)] + rows.map { line($0.cells, $0.ink) }
    }
}
