import PotluckCore
import PotluckKit

/// Shows trials that are played one by one.
package enum TrialView {
    /// Returns what came of a trial, in words: the events that happened, or else the values.
    package static func told(_ readings: [Reading]) -> String {
        let known = readings.filter { $0.kind.isNumber && $0.value != nil }
        let events = known.filter { $0.kind == .proportion || $0.kind == .category }
        let happened = events.filter { $0.value == 1 }.map(\.name)
        let values = known.filter { ![.proportion, .category, .variance].contains($0.kind) }.map {
            "\($0.name) \(short($0.value ?? 0))"
        }
        let words = happened + values
        return (words.isEmpty ? events.map { "no \($0.name)" } : words).joined(separator: ", ")
    }

    /// The value of a trial needs few digits, and no zeros at its end.
    private static func short(_ value: Double) -> String {
        var text = Figures.significant(value, 4)
        guard text.contains("."), !text.contains("e") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// The lines of trial `number`.
    package static func lines(_ number: UInt64, _ alone: [Reading], notes: [String], on canvas: Canvas) -> [StyledLine]
    {
        var line = StyledLine("trial \(number)  ", .faint)
        line.append(Cells.clean(told(alone), unicode: canvas.unicode))
        return [line] + notes.flatMap { canvas.wrapped(Cells.clean($0, unicode: canvas.unicode), .faint, indent: 4) }
    }

    /// The readings of all trials, without the exact answers: nobody has had time to guess.
    package static func sum(_ all: [Reading], on canvas: Canvas) -> [StyledLine] {
        ReadingTable(canvas: canvas).lines(all.map(\.withoutExact))
    }
}
