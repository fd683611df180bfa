/// Writes a message: its kind, then fields in rising order of tag, each with its length. A receiver can skip fields
/// with an unknown tag. Because the order is fixed, a message has only one encoding.
package struct FieldWriter {
    private var writer: ByteWriter
    private var last: UInt64 = 0

    package init(kind: UInt64, reserving capacity: Int = 64) {
        writer = ByteWriter(reserving: capacity)
        writer.varint(kind)
    }

    package init() { writer = ByteWriter() }

    package var bytes: [UInt8] { writer.bytes }

    /// Appends a field of bytes. An empty value is the default of an absent field, so it is not written.
    package mutating func octets(_ tag: UInt64, _ octets: some Collection<UInt8>) {
        guard !octets.isEmpty else { return }
        field(tag, length: octets.count) { $0.raw(octets) }
    }

    /// Appends a field of `length` bytes, at least one, which `write` appends.
    package mutating func field(_ tag: UInt64, length: Int, _ write: (inout ByteWriter) -> Void) {
        assert(tag > last, "fields must be written in rising order")
        last = tag
        writer.varint(tag)
        writer.varint(UInt64(length))
        write(&writer)
    }

    /// Appends the tag and the length of a field whose value follows the message. Without a value it appends nothing.
    package mutating func head(_ tag: UInt64, length: Int) {
        guard length > 0 else { return }
        field(tag, length: length) { _ in }
    }

    package mutating func text(_ tag: UInt64, _ text: String) { octets(tag, Array(text.utf8)) }

    /// Appends a number. Zero is the default, so it is not written.
    package mutating func number(_ tag: UInt64, _ number: UInt64) {
        guard number != 0 else { return }
        field(tag, length: ByteWriter.length(ofVarint: number)) { $0.varint(number) }
    }

    /// Appends a list as one field, with each item preceded by its length.
    package mutating func list(_ tag: UInt64, _ items: [[UInt8]]) {
        guard !items.isEmpty else { return }
        let length = items.reduce(0) { $0 + ByteWriter.length(ofVarint: UInt64($1.count)) + $1.count }
        field(tag, length: length) { for item in items { $0.counted(item) } }
    }
}

/// One field of a message: a tag and bytes that are not decoded yet.
package struct Field {
    package let tag: UInt64
    package let octets: ArraySlice<UInt8>

    package func number() throws(WireError) -> UInt64 {
        var reader = ByteReader(octets)
        let number = try reader.varint()
        guard reader.isAtEnd else { throw .malformed("a number with octets after it") }
        guard number != 0 else { throw .malformed("a zero, which must be left out") }
        return number
    }

    /// Returns a number. Throws if it is greater than `limit`.
    package func number(atMost limit: UInt64) throws(WireError) -> UInt64 {
        let number = try number()
        guard number <= limit else { throw .malformed("a number of \(number), more than \(limit)") }
        return number
    }

    package func bytes(exactly count: Int) throws(WireError) -> [UInt8] {
        guard octets.count == count else { throw .malformed("\(octets.count) octets instead of \(count)") }
        return Array(octets)
    }

    package func bytes(limit: Int) throws(WireError) -> [UInt8] { Array(try slice(limit: limit)) }

    /// Returns the bytes without copying them.
    func slice(limit: Int) throws(WireError) -> ArraySlice<UInt8> {
        try check(limit: limit)
        return octets
    }

    func check(limit: Int) throws(WireError) {
        guard octets.count <= limit else { throw .tooLong(limit: limit) }
        guard !octets.isEmpty else { throw .malformed("an empty field, which must be left out") }
    }

    package func text(limit: Int) throws(WireError) -> String {
        try check(limit: limit)
        guard let text = String(validating: octets, as: UTF8.self) else { throw .malformed("text that is not UTF-8") }
        return text
    }

    package func list(limit: Int, itemLimit: Int) throws(WireError) -> [ArraySlice<UInt8>] {
        try check(limit: .max)
        var reader = ByteReader(octets)
        var items: [ArraySlice<UInt8>] = []
        while !reader.isAtEnd {
            guard items.count < limit else { throw .tooLong(limit: limit) }
            items.append(try reader.counted(limit: itemLimit))
        }
        return items
    }
}

/// Reads the fields that a `FieldWriter` wrote. A field is a slice of the message and is copied only on request.
package struct FieldReader {
    private var reader: ByteReader
    private var last: UInt64 = 0

    package init(_ bytes: ArraySlice<UInt8>) { reader = ByteReader(bytes) }

    package init(_ reader: ByteReader) { self.reader = reader }

    /// Returns the next field, or nil at the end.
    package mutating func next() throws(WireError) -> Field? {
        guard !reader.isAtEnd else { return nil }
        let tag = try reader.varint()
        guard tag > last else { throw .malformed("a field that is repeated or out of order") }
        last = tag
        return Field(tag: tag, octets: try reader.counted(limit: reader.remaining))
    }
}
