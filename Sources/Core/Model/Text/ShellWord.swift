/// Quotes text that users copy into a shell.
public enum ShellWord {
    /// Returns the text as one word that a shell takes literally.
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

    private static let harmless = Array("-_.,:+=@%/".utf8)
}
