/// The tables of `potluck sensitivity`: the indices of each reading, with bars.
package struct SensitivityView {
    private let parameters: [String]
    private let readings: [(name: String, indices: SobolIndices?)]

    /// A reading without indices does not vary.
    package init(_ parameters: [String], _ readings: [(name: String, indices: SobolIndices?)]) {
        (self.parameters, self.readings) = (parameters, readings)
    }

    /// The cells of a bar for an index of 1.
    private static let bar = 20

    package func lines(_ heading: String, on canvas: Canvas) -> [StyledLine] {
        canvas.wrapped(heading, .strong) + readings.flatMap { [StyledLine()] + lines($0.name, $0.indices, on: canvas) }
    }

    private func lines(_ name: String, _ indices: SobolIndices?, on canvas: Canvas) -> [StyledLine] {
        guard let indices else { return [StyledLine("\(name) is the same everywhere")] }
        let columns =
            [Table.Column(head: name)]
            + ["first", "±", "total", "±"].map { Table.Column(head: $0, isNumber: true) } + [Table.Column(head: "")]
        let rows = parameters.indices.map { place in
            let (first, total) = (indices.first[place], indices.total[place])
            return Table.Row(
                cells: [parameters[place]] + cells(first) + cells(total) + [bar(first.value, total.value, on: canvas)],
                ink: .plain)
        }
        return Table.lines(columns, rows: rows, on: canvas)
    }

    private func cells(_ index: SobolIndices.Index) -> [String] {
        [Figures.fixed(index.value, 4), index.halfWidth.map { Figures.fixed($0, 4) } ?? ""]
    }

    /// The first-order part, and after it what the total has more.
    private func bar(_ first: Double, _ total: Double, on canvas: Canvas) -> String {
        func length(_ part: Double) -> Int { Int((max(0, min(1, part)) * Double(Self.bar)).rounded()) }
        let (inner, outer) = (length(first), max(length(first), length(total)))
        return String(repeating: canvas.unicode ? "▇" : "#", count: inner)
            + String(repeating: canvas.unicode ? "░" : "-", count: outer - inner)
    }
}
