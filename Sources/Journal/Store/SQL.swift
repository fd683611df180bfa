/// A value as SQLite keeps it.
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

/// A statement in parts that stand in our source, with the values that are bound into it. What anybody typed can only be a
/// value: there is no way to make text of it.
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
