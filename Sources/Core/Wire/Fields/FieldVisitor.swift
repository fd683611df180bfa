/// Visits the fields of a message or record in rising order of tag. A writer appends each field, a counter measures it, a
/// reader assigns it, and others make up values or describe them. So the fields of a value are listed once.
///
/// A field is left out while it has its default: zero, no bytes, no items. Where it is absent, the reader assigns that.
package protocol FieldVisitor {
    associatedtype Bytes: ByteVisitor

    /// The number of the case that is visited. Called once by each case of a `WireUnion`, before its fields.
    mutating func kind(_ number: UInt64) throws(WireError)
    /// Visits a case: its number, and then its fields. Without a tag, the number comes before all fields.
    mutating func union<Value: WireUnion>(
        _ tag: UInt64?, _ value: inout Value, of cases: @autoclosure () -> WireCases<Value>
    ) throws(WireError)
    /// A number, which a reader refuses if it is too large.
    mutating func number(_ tag: UInt64, _ value: inout UInt64, atMost limit: UInt64) throws(WireError)
    mutating func flag(_ tag: UInt64, _ value: inout Bool) throws(WireError)
    /// A case. A reader skips the record if it has one of a later version.
    mutating func one<Value: WireNumbered>(_ tag: UInt64, _ value: inout Value) throws(WireError)
    mutating func job(_ tag: UInt64, _ value: inout JobID?) throws(WireError)
    mutating func id<ID: WireID>(_ tag: UInt64, _ value: inout ID?) throws(WireError)
    /// Node IDs, which follow each other.
    mutating func nodes(_ tag: UInt64, _ nodes: inout [NodeID], atMost limit: Int) throws(WireError)
    /// Eight bytes, also for zero.
    mutating func fixed(_ tag: UInt64, _ value: inout UInt64?) throws(WireError)
    mutating func octets(_ tag: UInt64, _ value: inout [UInt8], atMost limit: Int) throws(WireError)
    /// Bytes that a reader does not copy.
    mutating func slice(_ tag: UInt64, _ value: inout ArraySlice<UInt8>, atMost limit: Int) throws(WireError)
    mutating func text(_ tag: UInt64, _ value: inout String, atMost limit: Int) throws(WireError)
    mutating func slots(_ tag: UInt64, _ value: inout [UInt64], atMost limit: Int) throws(WireError)
    /// Values without tags, which are left out if they take no bytes.
    mutating func packed<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Bytes, inout Value) throws(WireError) -> Void
    ) throws(WireError)
    /// Fields within a field. An absent record is one without fields.
    mutating func record<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError)
    mutating func optional<Value: WireRecord>(_ tag: UInt64, _ value: inout Value?) throws(WireError)
    /// Records with their lengths, of which the first `limit` are written. Those of a later version are skipped.
    mutating func list<Item>(
        _ tag: UInt64, _ items: inout [Item], blank: Item, atMost limit: Int, each longest: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) throws(WireError)
    mutating func texts(_ tag: UInt64, _ items: inout [String], atMost limit: Int, each longest: Int) throws(WireError)
    /// Refuses what was read if it breaks a rule. A writer ignores it.
    func check(_ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String) throws(WireError)
    /// What was read is of a later version, if `isKnown` is false: nothing more is read of this record, and it is skipped.
    mutating func skip(unless isKnown: Bool)
}

/// A value that consists of fields.
package protocol WireRecord {
    /// The value with which a reader begins. It visits every field, so it only matters where fields allow no other value.
    static var blank: Self { get }
    mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError)
}

/// A value of several cases, each with a number of its own. Append-only: never reuse a number.
package protocol WireUnion: Sendable {
    static var cases: WireCases<Self> { get }
    /// Visits the number of the case, and then its fields.
    mutating func visitCase<V: FieldVisitor>(_ v: inout V) throws(WireError)
}

extension WireRecord where Self: WireUnion {
    package mutating func visit<V: FieldVisitor>(_ v: inout V) throws(WireError) {
        try v.union(1, &self, of: Self.cases)
    }
}

/// A blank value of each case of a union, by its number.
package struct WireCases<Value: WireUnion>: Sendable {
    private let blanks: [Value?]

    package init(_ blanks: [Value]) {
        let numbers = blanks.map { Int(Self.number(of: $0)) }
        var places = [Value?](repeating: nil, count: (numbers.max() ?? 0) + 1)
        for (number, blank) in zip(numbers, blanks) { places[number] = blank }
        self.blanks = places
    }

    /// Returns the blank value with this number; nil if there is none.
    func blank(_ number: UInt64) -> Value? { number < blanks.count ? blanks[Int(number)] : nil }

    /// The blank values of all cases.
    package var all: [Value] { blanks.compactMap(\.self) }

    /// Returns the number of a value's case.
    package static func number(of value: Value) -> UInt64 {
        value.writtenCase(to: ByteCounter()).kind
    }
}

/// A value of several cases without fields. The numbers are append-only.
package protocol WireNumbered {
    var wireNumber: UInt64 { get }
    init?(wireNumber: UInt64)
}

extension WireNumbered where Self: RawRepresentable, RawValue: FixedWidthInteger {
    package var wireNumber: UInt64 { UInt64(rawValue) }
    package init?(wireNumber: UInt64) {
        guard let rawValue = RawValue(exactly: wireNumber) else { return nil }
        self.init(rawValue: rawValue)
    }
}

/// A value whose cases have the numbers from 1 on, in their order.
package protocol WireListed: WireNumbered, CaseIterable, Equatable where AllCases == [Self] {}

extension WireListed {
    package var wireNumber: UInt64 { UInt64((Self.allCases.firstIndex(of: self) ?? 0) + 1) }
    package init?(wireNumber: UInt64) {
        guard (1...UInt64(Self.allCases.count)).contains(wireNumber) else { return nil }
        self = Self.allCases[Int(wireNumber) - 1]
    }
}

extension WireRecord {
    private func written<Sink: ByteSink>(to sink: Sink) -> Sink {
        var (value, writer) = (self, FieldWriter(sink))
        FieldWriter<Sink>.unrefused { () throws(WireError) in try value.visit(&writer) }
        return writer.sink
    }

    /// The number of bytes of the fields.
    package var fieldsLength: Int { written(to: ByteCounter()).count }

    /// The bytes of the fields.
    package var fields: [UInt8] { written(to: ByteWriter()).bytes }

    /// Returns nil for a record of a later version.
    package static func read(_ octets: ArraySlice<UInt8>, isStrict: Bool = false) throws(WireError) -> Self? {
        var reader = FieldReader(octets, isStrict: isStrict)
        var value = Self.blank
        try value.visit(&reader)
        return try reader.end() ? value : nil
    }
}

extension WireUnion {
    fileprivate func writtenCase<Sink: ByteSink>(to sink: Sink) -> FieldWriter<Sink> {
        var (value, writer) = (self, FieldWriter(sink))
        FieldWriter<Sink>.unrefused { () throws(WireError) in try value.visitCase(&writer) }
        return writer
    }

    /// The number of bytes of the case.
    package var caseLength: Int { writtenCase(to: ByteCounter()).sink.count }

    /// The bytes of the number and the fields.
    package func encodedCase() -> [UInt8] { writtenCase(to: ByteWriter()).sink.bytes }

    /// Returns nil for a case of a later version, by its number or by its fields.
    package static func read(_ octets: ArraySlice<UInt8>, isStrict: Bool = false) throws(WireError) -> Self? {
        var reader = FieldReader(octets, isStrict: isStrict)
        let value: Self? = try reader.union(of: cases)
        return try reader.end() ? value : nil
    }
}
