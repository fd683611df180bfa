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

    /// A narrow window shows the columns that matter most.
    package func lines(_ heading: String, on canvas: Canvas) -> [StyledLine] {
        let rows = places.flatMap { place in settings.map { row($0, place) } }
        let columns = [
            TableColumn<Row>("reading", text: \.reading), TableColumn("setting", text: \.setting),
            TableColumn("value", isNumber: true, text: \.value),
            TableColumn("difference", isNumber: true, text: \.difference),
            TableColumn("± 95 %", isNumber: true, text: \.half), TableColumn("exact", isNumber: true, text: \.exact),
            TableColumn("± unpaired", isNumber: true, text: \.unpaired),
            TableColumn("variance", isNumber: true, text: \.gain),
        ]
        let known = columns.indices.filter { columns[$0].layout.head != "exact" || columns[$0].hasText(rows) }
        let choices = [[], ["variance"], ["variance", "± unpaired"], ["variance", "± unpaired", "exact"]].map { less in
            known.filter { !less.contains(columns[$0].layout.head) }
        }
        let narrow = known.filter { ["setting", "difference", "± 95 %"].contains(columns[$0].layout.head) }
        let least = places.count > 1 ? [0] + narrow : narrow
        let shown = Table.fitting(choices + [least], on: canvas) { columns[$0].width(rows, on: canvas) }
        return canvas.wrapped(heading, .strong) + [StyledLine()]
            + Table.lines(shown.map { columns[$0] }, rows, on: canvas) { _ in .plain }
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
