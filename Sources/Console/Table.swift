/// Cells under one another, each column as wide as its widest cell.
enum Table {
    struct Row {
        let cells: [String]
        let ink: Ink
    }

    static func lines(heads: [String], rows: [Row], on canvas: Canvas) -> [Line] {
        let widths = heads.indices.map { column in
            rows.reduce(canvas.width(of: heads[column])) { max($0, canvas.width(of: $1.cells[column])) }
        }
        func line(_ cells: [String], _ ink: Ink) -> Line {
            var line = Line()
            let last = cells.lastIndex { !$0.isEmpty } ?? 0
            for (index, cell) in cells[...last].enumerated() {
                line.append(cell, ink)
                guard index < last else { break }
                line.append(String(repeating: " ", count: widths[index] - canvas.width(of: cell) + 2))
            }
            return line
        }
        return [line(heads, .faint)] + rows.map { line($0.cells, $0.ink) }
    }
}
