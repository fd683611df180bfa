/// A word of a condition.
struct ConditionWord: Equatable {
    enum Kind: Equatable {
        case name(String)
        /// The value after an operator, without its quotation marks.
        case value(String)
        case comparison(Comparison)
        case and, or, not, open, close
    }

    let kind: Kind
    /// The position of the word's first character, counted from 1.
    let column: Int
}

/// A comparison operator.
enum Comparison: String, CaseIterable, Sendable {
    case equal = "="
    case unequal = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    /// Whether the text contains the value.
    case contains = "~"

    /// Every accepted spelling. Longer ones come first, because the first match counts.
    static let spellings: [(text: String, comparison: Comparison)] = [
        ("==", .equal), ("!=", .unequal), ("<>", .unequal), ("<=", .atMost), (">=", .atLeast), ("=", .equal),
        ("<", .less), (">", .greater), ("~", .contains),
    ]
}

/// Splits a condition into words. Everything after an operator up to a blank or a parenthesis is a value, so dates and
/// times need no quotation marks.
struct ConditionLexer {
    private let letters: [Character]
    private var at = 0

    init(_ text: String) { letters = Array(text) }

    private var rest: ArraySlice<Character> { letters[at...] }

    mutating func words() throws(ConditionError) -> [ConditionWord] {
        var words: [ConditionWord] = []
        while let letter = rest.first {
            if letter.isWhitespace {
                at += 1
                continue
            }
            let column = at + 1
            if case .comparison = words.last?.kind {
                words.append(ConditionWord(kind: .value(try value(letter)), column: column))
            } else {
                words.append(ConditionWord(kind: try word(letter), column: column))
            }
        }
        return words
    }

    private mutating func word(_ letter: Character) throws(ConditionError) -> ConditionWord.Kind {
        if letter == "(" || letter == ")" {
            at += 1
            return letter == "(" ? .open : .close
        }
        for (text, comparison) in Comparison.spellings where rest.starts(with: text) {
            at += text.count
            return .comparison(comparison)
        }
        guard letter.isLetter || letter == "_" else {
            throw ConditionError(column: at + 1, reason: "expected a field, found '\(letter)'")
        }
        var name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." })
        at += name.count
        // The name of a node may have blanks: share.'blue laptop'.
        if name.hasSuffix("."), let mark = rest.first, mark == "'" || mark == "\"" { name += try value(mark) }
        switch name.lowercased() {
        case "and": return .and
        case "or": return .or
        case "not": return .not
        default: return .name(name)
        }
    }

    private mutating func value(_ letter: Character) throws(ConditionError) -> String {
        guard letter == "'" || letter == "\"" else {
            let text = String(rest.prefix { !$0.isWhitespace && $0 != "(" && $0 != ")" })
            guard !text.isEmpty else { throw ConditionError(column: at + 1, reason: "expected a value") }
            if let (sign, _) = Comparison.spellings.first(where: { text.hasPrefix($0.text) }) {
                throw ConditionError(column: at + 1, reason: "expected a value, found '\(sign)'")
            }
            at += text.count
            return text
        }
        let start = at + 1
        guard let end = letters[start...].firstIndex(of: letter) else {
            throw ConditionError(column: at + 1, reason: "missing closing quotation mark")
        }
        at = end + 1
        return String(letters[start..<end])
    }
}

/// What is wrong with a condition, and where.
public struct ConditionError: Error, Hashable, CustomStringConvertible {
    /// Counted from 1.
    let column: Int
    public let reason: String

    public var description: String { "column \(column): \(reason)" }
}
