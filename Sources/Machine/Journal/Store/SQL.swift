/// A value in SQLite's types.
enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case octets([UInt8])

    init(_ number: UInt64) { self = .integer(Int64(bitPattern: number)) }
    init(_ number: Int) { self = .integer(Int64(number)) }
    init(_ number: Double?) { self = number.map(SQLValue.real) ?? .null }
    init(_ text: String?) { self = text.map(SQLValue.text) ?? .null }
    init(_ number: UInt64?) { self = number.map { SQLValue($0) } ?? .null }
}

/// A statement made of literals in our source and the values bound to it. Input from users can only become a value,
/// because there is no way to add it to the text.
struct SQL: Sendable, ExpressibleByStringLiteral {
    private(set) var text: String
    private(set) var values: [SQLValue]

    init(stringLiteral text: StaticString) { self.init(text) }

    init(_ text: StaticString, _ values: SQLValue...) {
        self.text = text.description
        self.values = values
    }

    init(_ text: StaticString, all values: [SQLValue]) {
        self.text = text.description
        self.values = values
    }

    static func + (a: SQL, b: SQL) -> SQL {
        var both = a
        both.text += b.text
        both.values += b.values
        return both
    }

    static func += (a: inout SQL, b: SQL) { a = a + b }
}
