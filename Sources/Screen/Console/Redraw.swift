/// Draws a block of lines repeatedly in the same place on a terminal. It uses only the lines of the block, never hides
/// the cursor, and leaves it on the line below, so the terminal is in order however the program ends. Lines that did
/// not change are not written again, which avoids flicker and saves a slow link.
public struct Redraw: Sendable {
    /// A line as it is on the screen.
    private struct Drawn: Sendable {
        let text: String
        let width: Int
    }

    /// The lines on the screen, from the top.
    private var drawn: [Drawn] = []
    /// The canvas they were drawn on; nil if all must be written again.
    private var canvas: Canvas?

    public init() {}

    /// Returns what to write so that the screen shows these lines; empty if it shows them already.
    public mutating func frame(_ lines: [StyledLine], on canvas: Canvas) -> String {
        let new = lines.map { Drawn(text: $0.rendered(on: canvas), width: min(canvas.columns, $0.width(on: canvas))) }
        defer { (drawn, self.canvas) = (new, canvas) }
        // After the size changed, the terminal may have wrapped or moved lines. Then write everything from the block's
        // first line.
        guard self.canvas == canvas, Self.isWhole(drawn, on: canvas), Self.isWhole(new, on: canvas) else {
            return start(on: canvas) + new.map(Self.written).joined() + "\u{1b}[J"
        }
        let text = changes(to: new)
        return text.isEmpty ? "" : Self.atOnce + text + Self.shown
    }

    /// Returns what to write to remove the block from the screen.
    public mutating func erase(on canvas: Canvas) -> String {
        guard !drawn.isEmpty else { return "" }
        defer { forget() }
        return start(on: canvas) + "\u{1b}[J"
    }

    /// Call it after another program has written to the terminal. The next frame begins at the cursor.
    public mutating func forget() { (drawn, canvas) = ([], nil) }

    /// Call it if the block may be damaged. The next frame is written as a whole in the same place.
    mutating func refresh() { canvas = nil }

    // Terminals that know these sequences show the text between them at once; others ignore them.
    private static let atOnce = "\u{1b}[?2026h"
    private static let shown = "\u{1b}[?2026l"

    /// Clear the line first: after a text as wide as the screen, the cursor is still on its last character.
    private static func written(_ line: Drawn) -> String { "\u{1b}[2K" + line.text + "\n" }

    /// Whether the whole block fits on the screen, with the cursor below it.
    private static func isWhole(_ lines: [Drawn], on canvas: Canvas) -> Bool {
        canvas.rows.map { lines.count < $0 } ?? true
    }

    private func changes(to new: [Drawn]) -> String {
        let common = min(drawn.count, new.count)
        let changed = (0..<common).filter { drawn[$0].text != new[$0].text }
        var text = ""
        // The line that the cursor is on, at its beginning.
        var at = drawn.count
        func move(to line: Int) {
            if line < at { text += "\u{1b}[\(at - line)A" }
            if line > at { text += "\u{1b}[\(line - at)B" }
            at = line
        }
        for line in changed {
            move(to: line)
            text += Self.written(new[line])
            at += 1
        }
        if new.count < drawn.count {
            move(to: new.count)
            text += "\u{1b}[J"
        }
        if text.isEmpty, new.count == drawn.count { return "" }
        move(to: drawn.count > new.count ? new.count : drawn.count)
        // New lines are written with line ends, which scroll at the bottom of the screen.
        for line in new[common...] { text += Self.written(line) }
        return "\r" + text
    }

    /// Moves to the first character of the block. Counts how many rows each line takes if the terminal became narrower
    /// and wrapped it.
    private func start(on canvas: Canvas) -> String {
        var rows = drawn.reduce(0) { $0 + max(1, ($1.width + canvas.columns - 1) / canvas.columns) }
        if let most = canvas.rows { rows = min(rows, most - 1) }
        return rows > 0 ? "\r\u{1b}[\(rows)A" : "\r"
    }
}
