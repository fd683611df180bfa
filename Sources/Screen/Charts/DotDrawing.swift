/// A drawing in braille: each character has two by four dots, an ink, and maybe a letter in place of the dots.
struct DotDrawing {
    /// A dot, counted from the left and from the top.
    struct Dot {
        let x: Int
        let y: Int

        init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
    }

    private struct Cell {
        var dots: UInt8 = 0
        var letter: Character?
        var ink = Ink.plain
    }

    private let columns: Int
    private let rows: Int
    private var cells: [Cell]

    init(columns: Int, rows: Int) {
        (self.columns, self.rows) = (columns, rows)
        cells = [Cell](repeating: Cell(), count: columns * rows)
    }

    var width: Int { 2 * columns }
    var height: Int { 4 * rows }

    /// Sets a dot. What lies outside is not drawn.
    mutating func dot(_ x: Int, _ y: Int, _ ink: Ink) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        let cell = y / 4 * columns + x / 2
        cells[cell].dots |= Braille.bit(x % 2, y % 4)
        cells[cell].ink = ink
    }

    mutating func line(_ from: Dot, _ to: Dot, _ ink: Ink) {
        let steps = max((to.x - from.x).magnitude, (to.y - from.y).magnitude, 1)
        for step in 0...steps {
            let part = Double(step) / Double(steps)
            dot(
                from.x + Int((Double(to.x - from.x) * part).rounded()),
                from.y + Int((Double(to.y - from.y) * part).rounded()), ink)
        }
    }

    /// Writes a text of letters that are one column wide, with its middle at a dot.
    mutating func text(_ text: String, _ middle: Dot, _ ink: Ink) {
        guard (0..<height).contains(middle.y) else { return }
        let start = (middle.x - text.count) / 2
        for (place, letter) in text.enumerated() where (0..<columns).contains(start + place) {
            let cell = middle.y / 4 * columns + start + place
            cells[cell].letter = letter
            cells[cell].ink = ink
        }
    }

    /// The lines, without blanks at their ends. Without `unicode`, a cell with dots is one sign.
    func lines(indent: Int, unicode: Bool) -> [StyledLine] {
        (0..<rows).map { row in
            let cells = cells[row * columns..<(row + 1) * columns]
            let end = cells.lastIndex { $0.dots != 0 || $0.letter != nil }
            var line = StyledLine(String(repeating: " ", count: indent))
            guard let end else { return line }
            for cell in cells[...end] {
                let sign = unicode ? Braille.sign(cell.dots) : cell.dots == 0 ? " " : "#"
                line.append(String(cell.letter ?? sign), cell.ink)
            }
            return line
        }
    }
}
