/// Writes or measures a message: its kind, then fields in rising order of tag, each with its length. A receiver can skip
/// fields with an unknown tag. Because the order is fixed, a message has only one encoding.
package struct FieldWriter<Sink: ByteSink>: FieldVisitor {
    package typealias Bytes = Sink

    package private(set) var sink: Sink
    /// The number of the first case; zero before it.
    private(set) var kind: UInt64 = 0
    private var kindTag: UInt64?
    private var last: UInt64 = 0

    package init(_ sink: Sink) { self.sink = sink }

    /// Appends the tag and the length of a field that has bytes. Returns false, and appends nothing, if it has none.
    @inline(__always)
    private mutating func head(_ tag: UInt64, _ length: Int) -> Bool {
        assert(tag > last, "fields must be visited in rising order")
        guard length > 0 else { return false }
        last = tag
        sink.reserve(length)
        sink.varint(tag)
        sink.varint(UInt64(length))
        return true
    }

    /// Appends the tag, the length and the bytes that `write` appends; nothing if it appends none.
    @inline(__always)
    private mutating func field(
        _ tag: UInt64, _ write: (inout Self) throws(WireError) -> Void
    ) throws(WireError) {
        assert(tag > last, "fields must be visited in rising order")
        let mark = sink.count
        sink.varint(tag)
        let start = sink.count
        sink.varint(0 as UInt64)
        try write(&self)
        if sink.count == start + 1 { sink.cut(to: mark) } else { sink.setLength(at: start) }
        last = tag
    }

    /// Writes fields of a record within this one.
    @inline(__always)
    private mutating func inner<Value>(
        _ value: Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        let outer = (last, kindTag)
        (last, kindTag) = (0, nil)
        var value = value
        try visit(&self, &value)
        (last, kindTag) = outer
    }

    /// Calls a closure that visits with a writer. A writer refuses nothing.
    static func unrefused(_ visit: () throws(WireError) -> Void) {
        do { try visit() } catch { preconditionFailure("a writer refused \(error)") }
    }

    private mutating func varint(_ tag: UInt64, _ number: UInt64) {
        if head(tag, ByteWriter.length(ofVarint: number)) { sink.varint(number) }
    }

    package mutating func kind(_ number: UInt64) throws(WireError) {
        if kind == 0 { kind = number }
        if let kindTag { varint(kindTag, number) } else { sink.varint(number) }
    }

    package mutating func union<Value: WireUnion>(
        _ tag: UInt64?, _ value: inout Value, of cases: @autoclosure () -> WireCases<Value>
    ) throws(WireError) {
        kindTag = tag
        try value.visitCase(&self)
    }

    package mutating func number(_ tag: UInt64, _ value: inout UInt64, atMost limit: UInt64) throws(WireError) {
        guard value != 0 else { return }
        varint(tag, value)
    }

    package mutating func fixed(_ tag: UInt64, _ value: inout UInt64?) throws(WireError) {
        guard let value else { return }
        if head(tag, 8) { sink.fixed(value) }
    }

    package mutating func octets(_ tag: UInt64, _ value: inout [UInt8], atMost limit: Int) throws(WireError) {
        if head(tag, value.count) { sink.raw(value) }
    }

    package mutating func slice(_ tag: UInt64, _ value: inout ArraySlice<UInt8>, atMost limit: Int) throws(WireError) {
        if head(tag, value.count) { sink.raw(value) }
    }

    package mutating func text(_ tag: UInt64, _ value: inout String, atMost limit: Int) throws(WireError) {
        if head(tag, value.utf8.count) { sink.raw(value.utf8) }
    }

    package mutating func slots(_ tag: UInt64, _ value: inout [UInt64], atMost limit: Int) throws(WireError) {
        if head(tag, 8 * value.count) { sink.slots(value) }
    }

    @inline(__always)
    package mutating func packed<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Sink, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        var value = value
        try field(tag) { (writer: inout Self) throws(WireError) in try visit(&writer.sink, &value) }
    }

    package mutating func record<Value>(
        _ tag: UInt64, _ value: inout Value, _ visit: (inout Self, inout Value) throws(WireError) -> Void
    ) throws(WireError) {
        let value = value
        try field(tag) { (writer: inout Self) throws(WireError) in try writer.inner(value, visit) }
    }

    package mutating func optional<Value: WireRecord>(_ tag: UInt64, _ value: inout Value?) throws(WireError) {
        if var value { try record(tag, &value) }
    }

    @inline(__always)
    package mutating func list<Item>(
        _ tag: UInt64, _ items: inout [Item], blank: Item, atMost limit: Int, each longest: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) throws(WireError) {
        let items = items.prefix(limit)
        try field(tag) { (writer: inout Self) throws(WireError) in
            for item in items {
                let start = writer.sink.count
                writer.sink.varint(0 as UInt64)
                try writer.inner(item, visit)
                writer.sink.setLength(at: start)
            }
        }
    }

    package mutating func texts(_ tag: UInt64, _ items: inout [String], atMost limit: Int, each longest: Int)
        throws(WireError)
    {
        let items = items
        try field(tag) { (writer: inout Self) throws(WireError) in
            for item in items {
                writer.sink.varint(UInt64(item.utf8.count))
                writer.sink.raw(item.utf8)
            }
        }
    }

    package func check(_ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String) {}
    package mutating func skip(unless isKnown: Bool) {}
}
