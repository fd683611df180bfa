/// Reads the fields that a `FieldWriter` wrote. A field is a slice of the message and is copied only on request.
package struct FieldReader: FieldVisitor {
    package typealias Bytes = ByteReader

    private var reader: ByteReader
    private var last: UInt64 = 0
    /// The next field, if it was looked at.
    private var ahead: (tag: UInt64, octets: ArraySlice<UInt8>)?
    /// Whether a field has a value that only a later version knows.
    private var isOfLaterVersion = false
    /// Whether unknown fields are refused, because nothing may be lost.
    private let isStrict: Bool

    package init(_ bytes: ArraySlice<UInt8>, isStrict: Bool = false) {
        reader = ByteReader(bytes)
        self.isStrict = isStrict
    }

    /// Returns the bytes of the field with this tag; nil if it is absent. Skips unknown fields before it.
    private mutating func field(_ tag: UInt64) throws(WireError) -> ArraySlice<UInt8>? {
        guard !isOfLaterVersion else { return nil }
        while true {
            if ahead == nil {
                guard !reader.isAtEnd else { return nil }
                let tag = try reader.varint()
                guard tag > last else { throw .malformed("a field that is repeated or out of order") }
                last = tag
                ahead = (tag, try reader.counted(limit: reader.remaining))
            }
            guard let next = ahead, next.tag <= tag else { return nil }
            ahead = nil
            if next.tag == tag { return next.octets }
            if isStrict { throw .malformed("an unknown field \(next.tag)") }
        }
    }

    /// Returns the bytes of a field, of which there must be some.
    private mutating func bytes(_ tag: UInt64, atMost limit: Int = .max) throws(WireError) -> ArraySlice<UInt8>? {
        guard let octets = try field(tag) else { return nil }
        guard octets.count <= limit else { throw .tooLong(limit: limit) }
        guard !octets.isEmpty else { throw .malformed("an empty field, which must be left out") }
        return octets
    }

    /// Reads up to the end. Returns whether this version knows everything that matters.
    package mutating func end() throws(WireError) -> Bool {
        if try field(.max) != nil && isStrict { throw .malformed("an unknown field \(UInt64.max)") }
        return !isOfLaterVersion
    }

    private func inner(_ octets: ArraySlice<UInt8>) -> FieldReader { FieldReader(octets, isStrict: isStrict) }

    package mutating func kind(_ number: UInt64) {}

    package mutating func union<Value: WireUnion>(
        _ tag: UInt64?, _ value: inout Value, of cases: @autoclosure () -> WireCases<Value>
    ) throws(WireError) {
        var number: UInt64 = 0
        if let tag {
            try self.number(tag, &number, atMost: .max)
            try check(number != 0, "a message without a required field")
        } else {
            number = try reader.varint()
        }
        let blank = cases().blank(number)
        skip(unless: blank != nil)
        guard let blank, !isOfLaterVersion else { return }
        value = blank
        try value.visitCase(&self)
    }

    /// Returns nil for a case of a later version.
    mutating func union<Value: WireUnion>(of cases: WireCases<Value>) throws(WireError) -> Value? {
        guard var value = cases.all.first else { return nil }
        try union(nil, &value, of: cases)
        return value
    }

    package mutating func number(_ tag: UInt64, _ value: inout UInt64, atMost limit: UInt64) throws(WireError) {
        value = 0
        guard let octets = try field(tag) else { return }
        var reader = ByteReader(octets)
        value = try reader.varint()
        guard reader.isAtEnd else { throw .malformed("a number with octets after it") }
        guard value != 0 else { throw .malformed("a zero, which must be left out") }
        guard value <= limit else { throw .malformed("a number of \(value), more than \(limit)") }
    }

    package mutating func fixed(_ tag: UInt64, _ value: inout UInt64?) throws(WireError) {
        value = nil
        guard let octets = try field(tag) else { return }
        guard octets.count == 8 else { throw .malformed("\(octets.count) octets instead of 8") }
        var reader = ByteReader(octets)
        value = try reader.fixed()
    }

    package mutating func octets(_ tag: UInt64, _ value: inout [UInt8], atMost limit: Int) throws(WireError) {
        value = Array(try bytes(tag, atMost: limit) ?? [])
    }

    package mutating func slice(_ tag: UInt64, _ value: inout ArraySlice<UInt8>, atMost limit: Int) throws(WireError) {
        value = try bytes(tag, atMost: limit) ?? []
    }

    package mutating func text(_ tag: UInt64, _ value: inout String, atMost limit: Int) throws(WireError) {
        value = try Self.text(try bytes(tag, atMost: limit) ?? [])
    }

    private static func text(_ octets: ArraySlice<UInt8>) throws(WireError) -> String {
        guard let text = String(validating: octets, as: UTF8.self) else { throw .malformed("text that is not UTF-8") }
        return text
    }

    package mutating func slots(_ tag: UInt64, _ value: inout [UInt64], atMost limit: Int) throws(WireError) {
        value = []
        guard let octets = try bytes(tag, atMost: 8 * limit) else { return }
        guard octets.count.isMultiple(of: 8) else { throw .malformed("an incomplete slot") }
        let count = octets.count / 8
        value = octets.withUnsafeBytes { source in
            [UInt64](unsafeUninitializedCapacity: count) { memory, used in
                UnsafeMutableRawBufferPointer(memory).copyMemory(from: source)
                #if !_endian(little)
                    for index in 0..<count { memory[index] = UInt64(littleEndian: memory[index]) }
                #endif
                used = count
            }
        }
    }

    package mutating func packed<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout ByteReader, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        guard !isOfLaterVersion else { return }
        var reader = ByteReader(try bytes(tag) ?? [])
        try visit(&reader, &value)
        guard reader.isAtEnd else { throw .malformed("values with octets after them") }
    }

    package mutating func record<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        guard !isOfLaterVersion else { return }
        var fields = inner(try bytes(tag) ?? [])
        try visit(&fields, &value)
        skip(unless: try fields.end())
    }

    package mutating func optional<Value: WireRecord>(_ tag: UInt64, _ value: inout Value?) throws(WireError) {
        value = nil
        guard let octets = try bytes(tag) else { return }
        value = try Value.read(octets, isStrict: isStrict)
        skip(unless: value != nil)
    }

    package mutating func list<Item>(
        _ tag: UInt64, _ items: inout [Item], blank: Item, atMost limit: Int, each longest: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) throws(WireError) {
        items = []
        var count = 0
        var reader = ByteReader(try bytes(tag) ?? [])
        while !reader.isAtEnd {
            guard count < limit else { throw .tooLong(limit: limit) }
            count += 1
            var fields = inner(try reader.counted(limit: longest))
            var item = blank
            try visit(&fields, &item)
            if try fields.end() { items.append(item) }
        }
    }

    package mutating func texts(
        _ tag: UInt64, _ items: inout [String], atMost limit: Int, each longest: Int
    ) throws(WireError) {
        items = []
        var reader = ByteReader(try bytes(tag) ?? [])
        while !reader.isAtEnd {
            guard items.count < limit else { throw .tooLong(limit: limit) }
            items.append(try Self.text(try reader.counted(limit: longest)))
        }
    }

    package func check(
        _ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String
    ) throws(WireError) {
        guard isOfLaterVersion || isValid() else { throw .malformed(what()) }
    }

    package mutating func skip(unless isKnown: Bool) { isOfLaterVersion = isOfLaterVersion || !isKnown }
}
