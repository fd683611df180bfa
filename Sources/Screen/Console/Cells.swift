/// Measures text in terminal columns, and makes it safe to show.
///
/// Names come from other people. Characters that could control the terminal, reorder a line or break it are replaced.
enum Cells {
    /// The number of columns of a cleaned text.
    static func width(of text: String) -> Int {
        // Nearly all text takes one of these two fast paths. The slow one asks Unicode about each character.
        if isPlain(text) { return text.utf8.count }
        if text.unicodeScalars.allSatisfy(isSimple) { return text.unicodeScalars.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// Whether all of it is printable ASCII. Called for every cell of every list, so it reads the bytes in place.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { (0x20...0x7e).contains($0) } }
            ?? text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }

    /// Whether the scalar is harmless and always one character in one column: ASCII, Latin letters, and the characters
    /// of charts.
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

    /// The East Asian scripts and emoji whose characters are two columns wide.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff, 0xa000...0xa4cf,
        0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6,
        0x1f300...0x1f64f, 0x1f680...0x1f6ff, 0x1f900...0x1faff, 0x20000...0x3fffd,
    ]

    /// Replaces control characters and the like with question marks. Without `unicode`, replaces everything that is not
    /// ASCII.
    static func clean(_ text: String, unicode: Bool) -> String {
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
        // Someone may stack a hundred accents on one letter. No script needs more than four.
        guard character.unicodeScalars.count <= mostScalars, width(of: character) > 0 else { return false }
        return character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            // Joiners hold emoji and Indic letters together. Other format characters can reverse the text.
            case .format: scalar == "\u{200d}" || scalar == "\u{200c}"
            default: true
            }
        }
    }

    /// The most scalars in a character. An emoji of a family of four has seven.
    private static let mostScalars = 10

    /// ASCII replacements for the other characters that views use.
    private static let plain: [Character: String] = [
        "…": "...", "±": "+/-", "–": "-", "—": "-", "·": "-", "×": "x", "≤": "<=", "≥": ">=",
    ]

    /// Returns as much of the end of a cleaned text as fits.
    static func suffix(of text: String, width: Int) -> String {
        var left = width
        return String(
            text.reversed().prefix { character in
                left -= self.width(of: character)
                return left >= 0
            }.reversed())
    }

    /// Returns as much of the beginning of a cleaned text as fits.
    static func prefix(of text: String, width: Int) -> String {
        var left = width
        return String(
            text.prefix { character in
                left -= self.width(of: character)
                return left >= 0
            })
    }
}
