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

    /// The lines of trial `number`. Its picture is above them, as it is at the end.
    package static func lines(
        _ number: UInt64, _ alone: [Reading], _ log: TrialLog, isDrawn: Bool = true, on canvas: Canvas
    ) -> [StyledLine] {
        var line = StyledLine("trial \(number)  ", .faint)
        line.append(Cells.clean(told(alone), unicode: canvas.unicode))
        let notes = log.notes.flatMap { canvas.wrapped(Cells.clean($0, unicode: canvas.unicode), .faint, indent: 4) }
        return (isDrawn ? picture(log, after: log.frames.count, on: canvas) : []) + [line] + notes
    }

    /// The picture of a trial as it is after some of its frames.
    package static func picture(_ log: TrialLog, after frames: Int, on canvas: Canvas) -> [StyledLine] {
        TrialLog.picture(log.frames.prefix(frames)).map { SketchChart(canvas: canvas).lines($0) } ?? []
    }

    /// An animation takes about this long, in milliseconds. A class does not wait for a longer one.
    private static let length = 3000
    /// A picture of an animation is shown for so many milliseconds: fewer would only flicker, more would be waiting.
    private static let pause = 60...700

    /// How many of the frames are drawn after each pause of an animation, and how long the pauses are.
    package static func animation(of frames: Int) -> (moments: [Int], pause: Duration) {
        guard frames > 0 else { return ([], .zero) }
        let pause = max(Self.pause.lowerBound, min(Self.pause.upperBound, length / frames))
        let count = min(frames, length / pause)
        return ((1...count).map { $0 * frames / count }, .milliseconds(pause))
    }

    /// The readings of all trials, without the exact answers: nobody has had time to guess.
    package static func sum(_ all: [Reading], on canvas: Canvas) -> [StyledLine] {
        ReadingTable(canvas: canvas).lines(all.map(\.withoutExact))
    }
}
