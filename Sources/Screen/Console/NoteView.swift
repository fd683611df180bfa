/// A finding: a mark with the text beside it and the advice below.
public enum NoteView {
    /// The width of the longest mark, with a gap.
    private static let margin = "PROBLEM".utf8.count + 2

    public static func lines(mark: String, _ ink: Ink, text: String, advice: String?, on canvas: Canvas) -> [StyledLine]
    {
        guard canvas.columns >= margin + 30 else {
            return [StyledLine(mark, ink)] + canvas.wrapped(text, indent: 2)
                + (advice.map { canvas.wrapped($0, .strong, indent: 2) } ?? [])
        }
        let beside = Canvas(columns: canvas.columns - margin, unicode: canvas.unicode, colour: canvas.colour)
        let found = beside.wrapped(text) + (advice.map { beside.wrapped($0, .strong) } ?? [])
        return found.enumerated().map { index, words in
            var line = StyledLine(index == 0 ? mark : "", ink)
            line.append(String(repeating: " ", count: margin - (index == 0 ? canvas.width(of: mark) : 0)))
            for piece in words.pieces { line.append(piece.text, piece.ink) }
            return line
        }
    }
}
