import PotluckKit

/// The table of `potluck difference`.
package struct DifferenceView {
    /// A setting, with its differences from the first one; the first has none.
    package struct Setting {
        package let name: String
        package let readings: [Reading]
        package let differences: [(place: Int, PairedDifference)]

        package init(name: String, readings: [Reading], differences: [(place: Int, PairedDifference)]) {
            (self.name, self.readings, self.differences) = (name, readings, differences)
        }
    }

    /// A row's texts. A text is empty if the setting has no such number.
    private struct Row {
        let reading: String
        let setting: String
        var value = "–"
        var difference = ""
        var half = ""
        var exact = ""
        var unpaired = ""
        var gain = ""
    }

    private let settings: [Setting]
    /// The places of the readings to show.
    private let places: [Int]

    package init(_ settings: [Setting], places: [Int]) { (self.settings, self.places) = (settings, places) }

    package func lines(_ heading: String, on canvas: Canvas) -> [StyledLine] {
        let rows = places.flatMap { place in settings.map { row($0, place) } }
        let hasExact = rows.contains { !$0.exact.isEmpty }
        let columns =
            [Table.Column(head: "reading"), Table.Column(head: "setting")]
            + (["value", "difference", "±"] + (hasExact ? ["exact"] : []) + ["± unpaired", "variance"]).map {
                Table.Column(head: $0, isNumber: true)
            }
        let cells = rows.map { row in
            Table.Row(
                cells: [row.reading, row.setting, row.value, row.difference, row.half]
                    + (hasExact ? [row.exact] : []) + [row.unpaired, row.gain], ink: .plain)
        }
        return canvas.wrapped(heading, .strong) + [StyledLine()] + Table.lines(columns, rows: cells, on: canvas)
    }

    private func row(_ setting: Setting, _ place: Int) -> Row {
        let reading = setting.readings[place]
        var row = Row(reading: reading.name, setting: setting.name)
        if !reading.isSpoilt, let value = reading.value { row.value = ReadingFigures(reading).text(value) }
        guard let difference = setting.differences.first(where: { $0.place == place })?.1 else { return row }
        let figures = ReadingFigures(difference.reading)
        func text(_ number: Double?) -> String { number.map(figures.text) ?? "" }
        row.difference = difference.reading.value.map(figures.text) ?? "–"
        row.half = text(difference.reading.shownHalfWidth)
        row.exact = text(difference.reading.exact)
        row.unpaired = text(difference.unpairedHalfWidth)
        row.gain = difference.gain.map { "÷ \(Figures.significant($0, 3))" } ?? ""
        return row
    }
}
