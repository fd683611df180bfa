/// A JSON value to write. Keys keep their order, and numbers keep all their digits.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    /// JSON has no infinity and no NaN. Both are written as null.
    case number(Double)
    case string(String)
    case array([JSON])
    case object([(key: String, value: JSON)])

    public static func == (a: JSON, b: JSON) -> Bool { a.text == b.text }
}

// Conversions from the types that callers have.
extension JSON {
    public init(_ value: Bool) { self = .bool(value) }
    public init(_ value: Int) { self = .integer(Int64(value)) }
    public init(_ value: UInt64) { self = .unsigned(value) }
    public init(_ value: Double?) { self = value.map(JSON.number) ?? .null }
    public init(_ value: String?) { self = value.map(JSON.string) ?? .null }
    public init(_ values: some Sequence<JSON>) { self = .array(Array(values)) }
}

extension JSON: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { (key: $0.0, value: $0.1) })
    }
}

extension JSON {
    /// The value on one line without blanks, so that each of many events is one line.
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .unsigned(let value): text += String(value)
        // Swift's description is the shortest text that reads back as the same number, and it is valid JSON.
        case .number(let value): text += value.isFinite ? value.description : "null"
        case .string(let value): Self.quote(value, into: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.quote(member.key, into: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func quote(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where isEscaped(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    /// JSON requires escapes for the first 32 characters only. But a terminal interprets the other
    /// control characters as commands, and format characters change the direction of text. The two
    /// joiners stay, because emoji and Indic scripts need them.
    private static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: scalar != "\u{200c}" && scalar != "\u{200d}"
        default: false
        }
    }
}
