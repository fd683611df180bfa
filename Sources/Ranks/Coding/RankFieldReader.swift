import PotluckModel
import PotluckWire

/// Reads the fields of an item in their order. Nothing in an item is skipped: a stream must not lose what a later version
/// says, and all nodes of a program must do the same.
struct RankFieldReader {
    private var fields: FieldReader
    /// The next field; nil at the end.
    private var ahead: Field?

    init(_ reader: ByteReader) throws(WireError) {
        fields = FieldReader(reader)
        ahead = try fields.next()
    }

    /// Returns the field with this tag; nil if it is absent.
    mutating func field(_ tag: UInt64) throws(WireError) -> Field? {
        guard let field = ahead, field.tag == tag else { return nil }
        ahead = try fields.next()
        return field
    }

    /// Call it after the last known field. Throws if there is another one.
    func end() throws(WireError) {
        if let ahead { throw .malformed("an unknown field \(ahead.tag)") }
    }

    mutating func number(_ tag: UInt64, atMost limit: Int) throws(WireError) -> Int {
        guard let field = try field(tag) else { return 0 }
        return Int(try field.number(atMost: UInt64(limit)))
    }

    mutating func flag(_ tag: UInt64) throws(WireError) -> Bool { try number(tag, atMost: 1) == 1 }

    mutating func rank(_ tag: UInt64) throws(WireError) -> Int { try number(tag, atMost: RankLimits.ranks - 1) }

    mutating func octets(_ tag: UInt64, limit: Int) throws(WireError) -> [UInt8] {
        guard let field = try field(tag) else { return [] }
        return try field.bytes(limit: limit)
    }

    mutating func line(_ tag: UInt64, limit: Int) throws(WireError) -> String {
        guard let field = try field(tag) else { return "" }
        return try field.line(limit: limit)
    }

    /// Returns at most `limit` packed values.
    mutating func packed<Value>(
        _ tag: UInt64, limit: Int, _ read: (inout ByteReader) throws(WireError) -> Value
    ) throws(WireError) -> [Value] {
        guard let field = try field(tag) else { return [] }
        guard !field.octets.isEmpty else { throw .malformed("an empty field, which must be left out") }
        var reader = ByteReader(field.octets)
        var values: [Value] = []
        while !reader.isAtEnd {
            guard values.count < limit else { throw .tooLong(limit: limit) }
            values.append(try read(&reader))
        }
        return values
    }
}

extension FieldWriter {
    init(_ kind: RankItem.Kind, reserving capacity: Int = 64) {
        self.init(kind: kind.rawValue, reserving: capacity)
    }

    mutating func number(_ tag: UInt64, _ value: Int) { number(tag, UInt64(clamping: value)) }

    mutating func flag(_ tag: UInt64, _ value: Bool) { number(tag, value ? 1 : 0 as UInt64) }

    /// Appends values without tags.
    mutating func packed<Value>(_ tag: UInt64, _ values: [Value], _ write: (inout ByteWriter, Value) -> Void) {
        var writer = ByteWriter()
        for value in values { write(&writer, value) }
        octets(tag, writer.bytes)
    }
}

// MARK: packed values

extension ByteWriter {
    mutating func number(_ value: Int) { varint(UInt64(clamping: value)) }

    /// Appends 0 for nil, and one more than any other number.
    mutating func optional(_ value: Int?) { varint(value.map { UInt64(clamping: $0) + 1 } ?? 0) }

    mutating func duration(_ value: Duration) { varint(value.onWire) }

    /// Appends a moment of a program, as the time since it began.
    mutating func moment(_ value: Instant) { duration(value - .start) }
}

extension ByteReader {
    mutating func number(atMost limit: Int) throws(WireError) -> Int {
        let number = try varint()
        guard number <= UInt64(limit) else { throw .malformed("a number of \(number), more than \(limit)") }
        return Int(number)
    }

    mutating func optional(atMost limit: Int) throws(WireError) -> Int? {
        let number = try number(atMost: limit + 1)
        return number == 0 ? nil : number - 1
    }

    mutating func rank() throws(WireError) -> Int { try number(atMost: RankLimits.ranks - 1) }

    mutating func duration() throws(WireError) -> Duration {
        .nanoseconds(Int64(try number(atMost: Int(Duration.longestOnWire.nanoseconds))))
    }

    mutating func moment() throws(WireError) -> Instant { .start + (try duration()) }
}
