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
                Table.Column(head: "±", isNumber: true),
            ] + (scaling.unit == .task ? [] : [Table.Column(head: "efficiency", isNumber: true)])
            + (scaling.isSearch ? ["expanded", "in vain", "computation"] : []).map {
                Table.Column(head: $0, isNumber: true)
            } + [Table.Column(head: "")] + (scaling.unit == .node ? [Table.Column(head: "work")] : [])
        let rows = scaling.rows.map { row in
            let (time, speedUp) = (scaling.seconds(row), scaling.speedUp(row))
            let efficiency = scaling.efficiency(row).map { "\(Int(($0 * 100).rounded())) %" }
            let length = speedUp.map { Int(($0.value / most * Double(Self.bar)).rounded()) } ?? 0
            return Table.Row(
                cells: row.point.varied + [
                    "\(row.count)", time.map { Self.time($0.value) } ?? "–",
                    time?.halfWidth.map { Self.time($0) } ?? "", speedUp.map { Figures.fixed($0.value, 2) } ?? "–",
                    speedUp?.halfWidth.map { Figures.fixed($0, 2) } ?? "",
                ] + (scaling.unit == .task ? [] : [efficiency ?? "–"]) + (scaling.isSearch ? tree(row) : [])
                    + [String(repeating: canvas.unicode ? "▇" : "#", count: length)]
                    + (scaling.unit == .node ? [Self.work(row)] : []), ink: .plain)
        }
        return [StyledLine(heading, .strong), StyledLine()] + Table.lines(columns, rows: rows, on: canvas)
    }

    /// What a search looked at: nodes of its tree, the part in vain, and how that compares with the first row.
    private func tree(_ row: Scaling.Row) -> [String] {
        [
            row.expanded.map(Self.count) ?? "–", row.inVain.map { "\(Figures.fixed($0 * 100, 1)) %" } ?? "–",
            scaling.computation(row).map { "\(Figures.fixed($0 * 100, 1)) %" } ?? "–",
        ]
    }

    /// The part of the work that each node did and, for a search, the nodes of its tree that it looked at and how many of
    /// them in vain.
    package static func work(_ row: Scaling.Row) -> String {
        row.work.map { node in
            let inVain = node.inVain.map { ", \(Figures.fixed($0 * 100, 1)) % in vain" } ?? ""
            let expanded = node.expanded.map { " (\(count($0))\(inVain))" } ?? ""
            return "\(node.name) \(Int((node.part * 100).rounded())) %\(expanded)"
        }.joined(separator: ", ")
    }

    /// A mean of counts.
    private static func count(_ mean: Double) -> String { Figures.grouped(UInt64(mean.rounded())) }

    /// The cells of the longest bar.
    private static let bar = 20

    package static func time(_ seconds: Double) -> String {
        seconds < 1 ? "\(Figures.significant(seconds * 1000, 3)) ms" : "\(Figures.significant(seconds, 3)) s"
    }
}
