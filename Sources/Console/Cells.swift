/// How many columns of a terminal a text takes, and what of it a terminal may be shown.
///
/// Names come from other people: whatever commands a terminal, reorders a line or breaks it is made visible first.
public enum Cells {
    /// The columns of a cleaned text.
    public static func width(of text: String) -> Int {
        // Nearly all of our own text; the slow way asks Unicode about every letter.
        if isPlain(text) { return text.utf8.count }
        if text.unicodeScalars.allSatisfy(isSimple) { return text.unicodeScalars.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Whether it is ASCII that can be shown. Asked of every cell of every list, so it goes through the octets as they lie.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20...0x7e).contains($0) } }
            ?? text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// What is one sign in one column, whatever stands around it, and harmless: ASCII, Latin letters, and what charts are
    /// drawn with.
    private static func isSimple(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7e, 0xa1...0xac, 0xae...0x2ff, 0x2026, 0x2500...0x259f, 0x2800...0x28ff: true
        default: false
        }
    }

    static func width(of character: Character) -> Int {
        var width = 0
        for scalar in character.unicodeScalars {
            if scalar == "\u{fe0f}" { return 2 }
            width = max(width, self.width(of: scalar))
        }
        return width
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        let value = scalar.value
        if value < 0x300 { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return scalar.properties.isEmojiPresentation || wide.contains { $0.contains(value) } ? 2 : 1
    }

    /// The East Asian scripts whose signs are two columns wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
        0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
        0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1faff, 0x20000...0x3fffd,
    ]

    /// The text as it may be shown: no control characters, and where the terminal knows no Unicode, ASCII only.
    public static func clean(_ text: String, unicode: Bool) -> String {
        if isPlain(text) { return text }
        if unicode, text.unicodeScalars.allSatisfy(isSimple) { return text }
        var clean = ""
        for character in text {
            if isHarmless(character), unicode || character.isASCII {
                clean.append(character)
            } else if !unicode, let plain = plain[character] {
                clean += plain
            } else {
                clean += "?"
            }
        }
        return clean
    }

    private static func isHarmless(_ character: Character) -> Bool {
        // Somebody stacks a hundred accents on a letter; four are enough for any script.
        guard character.unicodeScalars.count <= mostScalars, width(of: character) > 0 else { return false }
        return character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            // Joiners hold emoji and Indic letters together; the other format characters turn text around.
            case .format: scalar == "\u{200d}" || scalar == "\u{200c}"
            default: true
            }
        }
    }

    /// A family of four people, in emoji, has seven.
    private static let mostScalars = 10

    /// What views use beyond ASCII, in ASCII.
    private static let plain: [Character: String] = [
        "…": "...", "±": "+/-", "–": "-", "—": "-", "·": "-", "×": "x", "≤": "<=", "≥": ">=",
    ]

    /// As much of the end of a cleaned text as fits.
    static func suffix(of text: String, width: Int) -> String {
        var left = width
        return String(
            text.reversed().prefix { character in
                left -= self.width(of: character)
                return left >= 0
            }.reversed())
    }

    /// As much of a cleaned text as fits.
    static func prefix(of text: String, width: Int) -> String {
        var left = width
        return String(
            text.prefix { character in
                left -= self.width(of: character)
                return left >= 0
            })
    }
}
