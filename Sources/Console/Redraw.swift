/// Draws a block of lines in the same place again and again, as text for a terminal. It takes no more of the screen than
/// the block and leaves the cursor, which it never hides, on the line below: whatever ends the program, the terminal is as
/// it was. A line that has not changed is not written again, so that nothing flickers and a slow link is not filled.
public struct Redraw: Sendable {
    /// A line as it stands on the screen.
    private struct Drawn: Sendable {
        let text: String
        let width: Int
    }

    /// From the top.
    private var drawn: [Drawn] = []
    /// What they were drawn for. Nil where they must all be written again.
    private var canvas: Canvas?

    public init() {}

    /// What to write so that these lines are there; nothing where they are.
    public mutating func frame(_ lines: [Line], on canvas: Canvas) -> String {
        let new = lines.map { Drawn(text: $0.rendered(on: canvas), width: min(canvas.columns, $0.width(on: canvas))) }
        defer { (drawn, self.canvas) = (new, canvas) }
        // A terminal of another size may have broken or moved lines: there only the first letter's place is known.
        guard self.canvas == canvas, Self.isWhole(drawn, on: canvas), Self.isWhole(new, on: canvas) else {
            return start(on: canvas) + new.map(Self.written).joined() + "\u{1b}[J"
        }
        let text = changes(to: new)
        return text.isEmpty ? "" : Self.atOnce + text + Self.shown
    }

    /// Takes the block off the screen.
    public mutating func erase(on canvas: Canvas) -> String {
        guard !drawn.isEmpty else { return "" }
        defer { forget() }
        return start(on: canvas) + "\u{1b}[J"
    }

    /// Somebody else has written to the terminal: what is there is theirs now.
    public mutating func forget() { (drawn, canvas) = ([], nil) }

    /// The next frame is written whole: somebody may have written into this one.
    public mutating func refresh() { canvas = nil }

    // A terminal that knows these shows what comes between them in one go; others make nothing of them.
    private static let atOnce = "\u{1b}[?2026h"
    private static let shown = "\u{1b}[?2026l"

    /// Cleared before it is written: after a line as wide as the screen the cursor still stands on its last letter.
    private static func written(_ line: Drawn) -> String { "\u{1b}[2K" + line.text + "\n" }

    /// Whether all of the block is on the screen, with the cursor below it.
    private static func isWhole(_ lines: [Drawn], on canvas: Canvas) -> Bool {
        canvas.rows.map { lines.count < $0 } ?? true
    }

    private func changes(to new: [Drawn]) -> String {
        let common = min(drawn.count, new.count)
        let changed = (0..<common).filter { drawn[$0].text != new[$0].text }
        var text = ""
        // The cursor stands at the beginning of this line.
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
        // These are made by going on, which scrolls where the screen ends.
        for line in new[common...] { text += Self.written(line) }
        return "\r" + text
    }

    /// To the first letter of the block. A terminal that became narrower has broken the lines that no longer fit.
    private func start(on canvas: Canvas) -> String {
        var rows = drawn.reduce(0) { $0 + max(1, ($1.width + canvas.columns - 1) / canvas.columns) }
        if let most = canvas.rows { rows = min(rows, most - 1) }
        return rows > 0 ? "\r\u{1b}[\(rows)A" : "\r"
    }
}
