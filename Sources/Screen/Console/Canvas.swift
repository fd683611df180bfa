/// A terminal or a file to draw on: its size, and what it can show.
public struct Canvas: Sendable, Equatable {
    public let columns: Int
    /// Nil if the number of lines is not limited, as in a file.
    public let rows: Int?
    /// Whether it can show more than ASCII.
    public let unicode: Bool
    let colour: Bool

    public init(columns: Int, rows: Int? = nil, unicode: Bool, colour: Bool) {
        self.columns = max(1, columns)
        self.rows = rows
        self.unicode = unicode
        self.colour = colour
    }

    /// The number of columns that a text takes here.
    func width(of text: String) -> Int { Cells.width(of: clean(text)) }

    func clean(_ text: String) -> String { Cells.clean(text, unicode: unicode) }

    /// Marks where text was cut off; one column wide.
    var ellipsis: String { unicode ? "…" : "~" }

    /// Returns the text, cleaned and cut to `width` columns.
    func cut(_ text: String, to width: Int) -> String {
        let text = clean(text)
        if Cells.width(of: text) <= width { return text }
        return width > 0 ? Cells.prefix(of: text, width: width - 1) + ellipsis : ""
    }

    /// Like `cut(_:to:)`, but keeps the last three columns, because similar names often differ there.
    func cut(name: String, to width: Int) -> String {
        let text = clean(name)
        let end = Cells.suffix(of: text, width: 3)
        let room = width - Cells.width(of: end)
        guard Cells.width(of: text) > width, room >= 4 else { return cut(text, to: width) }
        return Cells.prefix(of: text, width: room - 1) + ellipsis + end
    }
}

/// The style of a piece of text. Colour only repeats what the words say.
public enum Ink: Sendable, Equatable {
    case plain, strong, faint, good, warning, bad
    /// White on black, whatever the terminal's own colours are.
    case code

    /// The terminal's code for this style (select graphic rendition); nil for plain text.
    var code: String? {
        switch self {
        case .plain: nil
        case .strong: "1"
        case .faint: "2"
        case .good: "32"
        case .warning: "33"
        case .bad: "31"
        case .code: "97;40"
        }
    }
}

/// A line of text, made of pieces with their styles.
public struct StyledLine: Sendable, Equatable {
    private(set) var pieces: [Piece] = []

    struct Piece: Sendable, Equatable {
        public let text: String
        let ink: Ink
    }

    public init(_ text: String = "", _ ink: Ink = .plain) { append(text, ink) }

    public mutating func append(_ text: String, _ ink: Ink = .plain) {
        if text.isEmpty { return }
        if let last = pieces.last, last.ink == ink {
            pieces[pieces.count - 1] = Piece(text: last.text + text, ink: ink)
        } else {
            pieces.append(Piece(text: text, ink: ink))
        }
    }

    /// The number of columns on that canvas before the line is cut.
    func width(on canvas: Canvas) -> Int { pieces.reduce(0) { $0 + canvas.width(of: $1.text) } }

    /// Returns the text to write, cut to the width of the canvas.
    public func rendered(on canvas: Canvas) -> String {
        let clean = pieces.map { canvas.clean($0.text) }
        let widths = clean.map(Cells.width(of:))
        var left = widths.reduce(0, +) <= canvas.columns ? canvas.columns : canvas.columns - 1
        var text = ""
        for (index, piece) in pieces.enumerated() {
            guard widths[index] <= left else {
                return text + coloured(Cells.prefix(of: clean[index], width: left), piece.ink, on: canvas)
                    + canvas.ellipsis
            }
            text += coloured(clean[index], piece.ink, on: canvas)
            left -= widths[index]
        }
        return text
    }

    private func coloured(_ text: String, _ ink: Ink, on canvas: Canvas) -> String {
        guard canvas.colour, let code = ink.code else { return text }
        return "\u{1b}[\(code)m\(text)\u{1b}[0m"
    }
}

extension Canvas {
    /// Packs pieces into as few indented lines as possible. Breaks a piece only if it is wider than a whole line.
    func flow(_ pieces: [StyledLine.Piece], gap: Int = 3, indent: Int = 2) -> [StyledLine] {
        // On very narrow canvases every column is needed for text.
        let indent = columns < 30 ? min(indent, 1) : indent
        var lines: [StyledLine] = []
        for piece in pieces {
            if let last = lines.last, last.width(on: self) + gap + width(of: piece.text) <= columns {
                lines[lines.count - 1].append(String(repeating: " ", count: gap) + piece.text, piece.ink)
                continue
            }
            for part in broken(clean(piece.text), into: max(1, columns - indent)) {
                var line = StyledLine(String(repeating: " ", count: min(indent, columns - 1)))
                line.append(part, piece.ink)
                lines.append(line)
            }
        }
        return lines
    }

    /// Returns as many of the lines of a wrapped text as fit. An ellipsis says that there are more.
    func cut(_ lines: [StyledLine], to height: Int) -> [StyledLine] {
        guard lines.count > height, height > 0, let last = lines[height - 1].pieces.last else {
            return Array(lines.prefix(height))
        }
        let room = max(0, columns - 1 - width(of: ellipsis))
        return lines.prefix(height - 1) + [
            StyledLine(Cells.prefix(of: clean(last.text), width: room) + " " + ellipsis, last.ink)
        ]
    }

    private func broken(_ text: String, into width: Int) -> [String] {
        var parts: [String] = []
        var rest = text[...]
        while Cells.width(of: String(rest)) > width {
            let part = Cells.prefix(of: String(rest), width: width)
            // A character of two columns does not fit into one.
            guard !part.isEmpty else { break }
            parts.append(part)
            rest = rest.dropFirst(part.count)
        }
        return parts + (rest.isEmpty ? [] : [String(rest)])
    }

    /// Breaks a text into lines between words.
    public func wrapped(_ text: String, _ ink: Ink = .plain, indent: Int = 0) -> [StyledLine] {
        flow(text.split(separator: " ").map { StyledLine.Piece(text: String($0), ink: ink) }, gap: 1, indent: indent)
    }
}

extension Canvas {
    /// The lines as text, each with a line end.
    package func text(_ lines: [StyledLine]) -> String { lines.map { $0.rendered(on: self) + "\n" }.joined() }
}
