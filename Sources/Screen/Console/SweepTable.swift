import PotluckCore
import PotluckKit

/// The texts of a sweep's table.
package struct SweepTable {
    /// A reading of a point. A text is empty if the point has no such number.
    package struct Cell {
        package var value = "–"
        package var half = ""
        package var exact = ""
    }

    package struct Reading {
        package let name: String
        package let hasHalf: Bool
        package let hasExact: Bool
        /// One for each row.
        package let cells: [Cell]
    }

    package let readings: [Reading]
    /// The word for the work: trials, units or, for a search, another one.
    package let trialsHead: String
    package let trials: [String]
    /// The nodes of a search's tree that each point looked at; nil if none is known.
    package let expanded: [String]?
    package let digests: [String]

    package init(_ runs: [RunRecord]) {
        let first = runs.first?.readings ?? []
        readings = first.indices.filter { first[$0].kind.isNumber }.map { place in
            let cells = runs.map { run in
                place < run.readings.count ? Self.cell(run.readings[place]) : Cell()
            }
            return Reading(
                name: first[place].name, hasHalf: cells.contains { !$0.half.isEmpty },
                hasExact: cells.contains { !$0.exact.isEmpty }, cells: cells)
        }
        let unit = runs.first?.unit ?? .trial
        let isSearch = unit == .point
        trialsHead = isSearch ? "searched" : unit.plural
        trials = runs.map { isSearch ? Figures.percent(ofSpace: $0.trials) : Figures.grouped($0.trials) }
        expanded =
            runs.contains { $0.effort != .none }
            ? runs.map { $0.effort == .none ? "–" : Figures.grouped($0.effort.expanded) } : nil
        digests = runs.map { String($0.digest.prefix(8)) }
    }

    private static func cell(_ reading: PotluckKit.Reading) -> Cell {
        let figures = ReadingFigures(reading)
        func text(_ value: Double?) -> String { value.map { figures.text($0) } ?? "" }
        let value = reading.isSpoilt ? nil : reading.value
        return Cell(
            value: value == nil ? "–" : text(value), half: text(reading.shownHalfWidth), exact: text(reading.exact))
    }
}
