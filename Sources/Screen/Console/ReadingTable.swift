import PotluckKit

/// Shows the readings as numbers: in a table if there is room, else stacked.
struct ReadingTable {
    let canvas: Canvas
    /// Whether to use short layouts, so that all readings fit into a low window.
    var isCompact = false
    /// The text in place of a missing value.
    var missing = Self.notYet

    /// The text of a result in place of a missing value. A search has a value as soon as it has found a solution.
    static func missing(isSearch: Bool, points: UInt64) -> String {
        isSearch ? points < SearchSpace.points ? "no solution yet" : "no solution" : "no value"
    }

    /// The text in place of a missing value while a run continues.
    static let notYet = "no value yet"

    /// As a part of the screen, which keeps at least the first readings.
    func part(_ readings: [Reading]) -> Part {
        let lines = lines(readings)
        return Part(weight: 9, least: 4, most: lines.count, isApart: true) { height in
            height >= lines.count
                ? lines : lines.prefix(height - 1) + [StyledLine("  and more; enlarge the window to show all", .faint)]
        }
    }

    func lines(_ readings: [Reading]) -> [StyledLine] {
        let rows = readings.filter { $0.kind.isNumber }.map { Row($0, missing) }
        if rows.isEmpty { return [] }
        for columns in isCompact ? layouts + Self.compact : layouts {
            let shown = columns.filter { column in column.isVital || rows.contains { column.text($0) != "" } }
            let table = table(rows, shown)
            if table.allSatisfy({ $0.width(on: canvas) <= canvas.columns }) { return table }
        }
        return rows.flatMap(stacked)
    }

    /// The texts of one reading.
    struct Row {
        let name: String
        let value: String
        let low: String
        let high: String
        let exact: String
        /// Half the width of the interval.
        let half: String
        /// The distance between value and exact answer, in standard errors; nil if unknown.
        let distance: Distance?
        let isSpoilt: Bool
        /// The part of all, of a category.
        let part: Double?

        init(_ reading: Reading, _ missing: String = ReadingTable.notYet) {
            let figures = ReadingFigures(reading)
            name = reading.name
            isSpoilt = reading.isSpoilt
            part = reading.kind == .category ? reading.value : nil
            value = reading.isSpoilt ? "invalid" : reading.value.map(figures.text) ?? missing
            low = reading.shownInterval.map { figures.text($0.lowerBound) } ?? ""
            high = reading.shownInterval.map { figures.text($0.upperBound) } ?? ""
            exact = reading.exact.map(figures.text) ?? ""
            half = reading.shownHalfWidth.map(figures.text) ?? ""
            distance = Distance(reading)
        }

        func off(_ unit: String) -> String { distance?.text(unit) ?? "" }

        var ink: Ink { isSpoilt ? .bad : distance?.ink ?? .plain }
    }

    private struct Column {
        let head: String
        /// Whether it is shown even if no reading has it.
        var isVital = false
        let text: (Row) -> String
    }

    /// The layouts to try, the most detailed first.
    private var layouts: [[Column]] {
        let name = Column(head: "", isVital: true) { $0.name }
        let value = Column(head: "value", isVital: true) { $0.value }
        let interval = Column(head: "95 % interval") { $0.low.isEmpty ? "" : "\($0.low) … \($0.high)" }
        let exact = Column(head: "exact") { $0.exact }
        let long = Column(head: "off by") { $0.off("std. errors") }
        let short = Column(head: "off by") { $0.off("s.e.") }
        let bar = Column(head: "") { row in row.part.map { Bar(canvas: canvas).part($0, width: Self.bar) } ?? "" }
        return [
            [name, value, bar, interval, exact, long], [name, value, interval, exact, long],
            [name, value, interval, exact, short],
        ]
    }

    /// The columns of the bar of a category that is all.
    private static let bar = 20

    private static var compact: [[Column]] {
        let name = Column(head: "", isVital: true) { $0.name }
        let value = Column(head: "value", isVital: true) { row in
            // Mark a suspicious value, because this layout may not show the distance.
            (row.half.isEmpty ? row.value : "\(row.value) ± \(row.half)")
                + (row.ink == .plain || row.isSpoilt ? "" : " !")
        }
        let exact = Column(head: "exact") { $0.exact }
        let off = Column(head: "off by") { $0.off("s.e.") }
        return [[name, value, exact, off], [name, value, exact], [name, value]]
    }

    private func table(_ rows: [Row], _ columns: [Column]) -> [StyledLine] {
        let widths = columns.map { column in
            rows.reduce(canvas.width(of: column.head)) { max($0, canvas.width(of: column.text($1))) }
        }
        func line(_ cells: [(text: String, ink: Ink)]) -> StyledLine {
            var line = StyledLine("  ")
            for (index, cell) in cells.enumerated() {
                line.append(cell.text, cell.ink)
                guard cells[(index + 1)...].contains(where: { !$0.text.isEmpty }) else { break }
                line.append(String(repeating: " ", count: widths[index] + 3 - canvas.width(of: cell.text)))
            }
            return line
        }
        return [line(columns.map { ($0.head, .faint) })]
            + rows.map { row in
                line(
                    columns.enumerated().map { index, column in
                        (
                            column.text(row),
                            index == 0 ? .strong : index == columns.count - 1 || row.isSpoilt ? row.ink : .plain
                        )
                    })
            }
    }

    private func stacked(_ row: Row) -> [StyledLine] {
        var pieces = [StyledLine.Piece(text: row.value, ink: row.isSpoilt ? .bad : .plain)]
        if !row.low.isEmpty {
            pieces.append(StyledLine.Piece(text: "from \(row.low)", ink: .plain))
            pieces.append(StyledLine.Piece(text: "to \(row.high)", ink: .plain))
        }
        if !row.exact.isEmpty { pieces.append(StyledLine.Piece(text: "exact \(row.exact)", ink: .plain)) }
        if row.distance != nil { pieces.append(StyledLine.Piece(text: "off by \(row.off("s.e."))", ink: row.ink)) }
        return [StyledLine(row.name, .strong)] + canvas.flow(pieces, gap: 2)
    }
}
