/// Returns a Swift file with blanked comments and strings, and with the same line ends.
///
/// The rules need this because, for example, a comment about `print` is not a use of it. Code in an interpolation is
/// blanked with its string.
func code(of text: String, keepingStrings: Bool = false) -> String {
    let bytes = Array(text.utf8)
    var result = bytes
    var index = 0
    func sees(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        return (0..<count).allSatisfy { bytes[index + $0] == word.utf8Start[$0] }
    }
    func blank(_ count: Int, keeping: Bool = false) {
        for _ in 0..<count where index < bytes.count {
            if !keeping, bytes[index] != UInt8(ascii: "\n") { result[index] = UInt8(ascii: " ") }
            index += 1
        }
    }
    func blankComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                blank(2)
            } else if sees("*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && index < bytes.count
    }
    /// Blanks a string literal. `hashes` is the number of `#` before its first quote. A backslash is an escape only if
    /// it is 0.
    func blankString(hashes: Int) {
        let quotes = sees("\"\"\"") ? 3 : 1
        let end =
            [UInt8](repeating: UInt8(ascii: "\""), count: quotes) + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
        blank(quotes, keeping: keepingStrings)
        while index < bytes.count, !bytes[index...].starts(with: end) {
            if quotes == 1, sees("\n") { return }
            blank(hashes == 0 && sees("\\") ? 2 : 1, keeping: keepingStrings)
        }
        blank(end.count, keeping: keepingStrings)
    }
    while index < bytes.count {
        if sees("//") {
            while index < bytes.count, !sees("\n") { blank(1) }
        } else if sees("/*") {
            blankComment()
        } else if sees("\"") {
            let hashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "#") }.count
            blankString(hashes: hashes)
        } else {
            index += 1
        }
    }
    return String(decoding: result, as: UTF8.self)
}

/// Returns the modules that a Swift file imports, with their lines.
func imports(of file: TextFile) -> [(module: String, line: Int)] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    return code(of: file.text).split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
        number, line in
        var words = line.split(separator: " ")[...]
        // Skip attributes and modifiers, as in `@testable import` and `internal import`.
        while let word = words.first,
            word.hasPrefix("@") || ["public", "internal", "package", "private"].contains(word)
        {
            words = words.dropFirst()
        }
        guard words.first == "import" else { return nil }
        words = words.dropFirst()
        if let kind = words.first, kinds.contains(kind) { words = words.dropFirst() }
        guard let name = words.first?.split(separator: ".").first else { return nil }
        return (String(name), number + 1)
    }
}
