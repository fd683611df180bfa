/// Words of a shell's command line.
public enum ShellWord {
    /// Returns the text as one word that a shell takes literally, for users to copy.
    public static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: harmless.contains(octet)
            }
        }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Splits a line that is being typed into words, as a shell does, and expands nothing. The last word is the unfinished
    /// one, which may be empty.
    public static func words(typed line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        for character in line {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if quote == nil, character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word ?? ""]
    }

    private static let harmless = Array("-_.,:+=@%/".utf8)
}
