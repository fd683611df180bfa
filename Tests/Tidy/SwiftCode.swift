/// The code of a Swift file, with the same line ends as the file.
///
/// The rules need this because, for example, a comment about `print` is not a use of it. Code in an interpolation is
/// blanked with its string.
struct SwiftCode {
    /// With blanked comments and strings.
    let text: String
    /// With blanked comments only.
    let withStrings: String

    init(_ source: String) {
        var blanks = Blanks(bytes: Array(source.utf8))
        blanks.find()
        text = String(decoding: blanks.text, as: UTF8.self)
        withStrings = String(decoding: blanks.withStrings, as: UTF8.self)
    }
}

/// Blanks what is no code.
private struct Blanks {
    private let bytes: [UInt8]
    private(set) var text: [UInt8]
    private(set) var withStrings: [UInt8]
    private var index = 0

    private enum Part {
        case comment, string
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
        text = bytes
        withStrings = bytes
    }

    mutating func find() {
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "/") where sees("//"):
                while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { blank(1, .comment) }
            case UInt8(ascii: "/") where sees("/*"):
                blankComment()
            case UInt8(ascii: "\""):
                let hashes = bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "#") }.count
                blankString(hashes: hashes)
            default:
                index += 1
            }
        }
    }

    private func sees(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] { return false }
        return true
    }

    private mutating func blank(_ count: Int, _ part: Part) {
        let end = min(index + count, bytes.count)
        while index < end {
            if bytes[index] != UInt8(ascii: "\n") {
                text[index] = UInt8(ascii: " ")
                if part == .comment { withStrings[index] = UInt8(ascii: " ") }
            }
            index += 1
        }
    }

    private mutating func blankComment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                blank(2, .comment)
            } else if sees("*/") {
                depth -= 1
                blank(2, .comment)
            } else {
                blank(1, .comment)
            }
        } while depth > 0 && index < bytes.count
    }

    /// Blanks a string literal. `hashes` is the number of `#` before its first quote. A backslash is an escape only if
    /// it is 0.
    private mutating func blankString(hashes: Int) {
        let quotes = sees("\"\"\"") ? 3 : 1
        func ends() -> Bool {
            guard index + quotes + hashes <= bytes.count else { return false }
            for offset in 0..<quotes where bytes[index + offset] != UInt8(ascii: "\"") { return false }
            for offset in 0..<hashes where bytes[index + quotes + offset] != UInt8(ascii: "#") { return false }
            return true
        }
        blank(quotes, .string)
        while index < bytes.count, !ends() {
            if quotes == 1, bytes[index] == UInt8(ascii: "\n") { return }
            blank(hashes == 0 && bytes[index] == UInt8(ascii: "\\") ? 2 : 1, .string)
        }
        blank(quotes + hashes, .string)
    }
}

/// Returns the modules that a Swift file imports, with their lines.
func imports(of file: TextFile) -> [(module: String, line: Int)] {
    let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    return file.code.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
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
