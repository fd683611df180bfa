/// The table of `potluck scale`.
package struct ScaleView {
    /// The parameters that take several values.
    private let varied: [String]
    private let scaling: Scaling

    package init(_ scaling: Scaling, varied: [String]) { (self.scaling, self.varied) = (scaling, varied) }

    /// A table with a bar for each speed-up.
    package func lines(_ heading: String, on canvas: Canvas) -> [StyledLine] {
        let most = scaling.rows.compactMap { scaling.speedUp($0)?.value }.max() ?? 1
        let columns =
            varied.map { Table.Column(head: $0, isNumber: true) }
            + [
                Table.Column(head: scaling.unit.plural, isNumber: true), Table.Column(head: "time", isNumber: true),
                Table.Column(head: "±", isNumber: true), Table.Column(head: "speed-up", isNumber: true),
                Table.Column(head: "±", isNumber: true), Table.Column(head: "efficiency", isNumber: true),
                Table.Column(head: ""),
            ] + (scaling.unit == .node ? [Table.Column(head: "work")] : [])
        let rows = scaling.rows.map { row in
            let (time, speedUp) = (scaling.seconds(row), scaling.speedUp(row))
            let efficiency = scaling.efficiency(row).map { "\(Int(($0 * 100).rounded())) %" }
            let length = speedUp.map { Int(($0.value / most * Double(Self.bar)).rounded()) } ?? 0
            return Table.Row(
                cells: row.point.varied + [
                    "\(row.count)", time.map { Self.time($0.value) } ?? "–",
                    time?.halfWidth.map { Self.time($0) } ?? "", speedUp.map { Figures.fixed($0.value, 2) } ?? "–",
                    speedUp?.halfWidth.map { Figures.fixed($0, 2) } ?? "", efficiency ?? "–",
                    String(repeating: canvas.unicode ? "▇" : "#", count: length),
                ] + (scaling.unit == .node ? [Self.work(row)] : []), ink: .plain)
        }
        return [StyledLine(heading, .strong), StyledLine()] + Table.lines(columns, rows: rows, on: canvas)
    }

    /// The part of the trials that each node computed.
    package static func work(_ row: Scaling.Row) -> String {
        row.work.map { "\($0.name) \(Int(($0.part * 100).rounded())) %" }.joined(separator: ", ")
    }

    /// The cells of the longest bar.
    private static let bar = 20

    package static func time(_ seconds: Double) -> String {
        seconds < 1 ? "\(Figures.significant(seconds * 1000, 3)) ms" : "\(Figures.significant(seconds, 3)) s"
    }
}
