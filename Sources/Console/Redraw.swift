/// Draws a block of lines in the same place again and again, as text for a terminal. It takes no more of the screen than
/// the block and leaves the cursor, which it never hides, on the line below: whatever ends the program, the terminal is as
/// it was.
public struct Redraw: Sendable {
    /// How wide each line on the screen is, from the top.
    private var drawn: [Int] = []

    public init() {}

    public mutating func frame(_ lines: [Line], on canvas: Canvas) -> String {
        var text = start(on: canvas)
        for line in lines {
            // Cleared before it is written: after a line as wide as the screen the cursor still stands on its last letter.
            text += "\u{1b}[2K" + line.rendered(on: canvas) + "\n"
        }
        drawn = lines.map { min(canvas.columns, $0.width(on: canvas)) }
        return text + "\u{1b}[J"
    }

    /// Takes the block off the screen.
    public mutating func erase(on canvas: Canvas) -> String {
        guard !drawn.isEmpty else { return "" }
        defer { drawn = [] }
        return start(on: canvas) + "\u{1b}[J"
    }

    /// Somebody else has written to the terminal: what is there is theirs now.
    public mutating func forget() { drawn = [] }

    /// To the first letter of the block. A terminal that became narrower has broken the lines that no longer fit.
    private func start(on canvas: Canvas) -> String {
        var rows = drawn.reduce(0) { $0 + max(1, ($1 + canvas.columns - 1) / canvas.columns) }
        if let most = canvas.rows { rows = min(rows, most - 1) }
        return rows > 0 ? "\r\u{1b}[\(rows)A" : "\r"
    }
}
