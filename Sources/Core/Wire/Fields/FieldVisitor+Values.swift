/// The encoding of values that several messages contain, made of the fields that each visitor knows.
extension FieldVisitor {
    package mutating func record<Value: WireRecord>(_ tag: UInt64, _ value: inout Value) throws(WireError) {
        try record(tag, &value) { (v: inout Self, value: inout Value) throws(WireError) in try value.visit(&v) }
    }

    package mutating func list<Item: WireRecord>(
        _ tag: UInt64, _ items: inout [Item], atMost limit: Int, each longest: Int = .max
    ) throws(WireError) {
        try list(tag, &items, blank: Item.blank, atMost: limit, each: longest) {
            (v: inout Self, item: inout Item) throws(WireError) in try item.visit(&v)
        }
    }

    /// Visits items without tags, which follow each other.
    @inline(__always)
    package mutating func packed<Item>(
        _ tag: UInt64, _ items: inout [Item], blank: Item, atMost limit: Int,
        _ visit: (inout Bytes, inout Item) throws(WireError) -> Void
    ) throws(WireError) {
        try packed(tag, &items) { (bytes: inout Bytes, items: inout [Item]) throws(WireError) in
            try bytes.rest(&items, blank: blank, atMost: limit, visit)
        }
    }

    /// Visits an item without tags, or nil.
    package mutating func packed<Item>(
        _ tag: UInt64, _ item: inout Item?, blank: Item, _ visit: (inout Bytes, inout Item) throws(WireError) -> Void
    ) throws(WireError) {
        var items = item.map { [$0] } ?? []
        try packed(tag, &items, blank: blank, atMost: 1, visit)
        item = items.first
    }

    package mutating func union<Value: WireUnion>(_ tag: UInt64, _ value: inout Value) throws(WireError) {
        try union(tag, &value, of: Value.cases)
    }

    /// Visits a field that has no default.
    private mutating func require<Value>(
        _ value: inout Value, _ visit: (inout Self, inout Value?) throws(WireError) -> Void
    ) throws(WireError) {
        var optional: Value? = value
        try visit(&self, &optional)
        try check(optional != nil, "a message without a required field")
        value = optional ?? value
    }

    // MARK: Numbers

    package mutating func number(_ tag: UInt64, _ value: inout UInt64) throws(WireError) {
        try number(tag, &value, atMost: .max)
    }

    package mutating func number<Value: FixedWidthInteger>(
        _ tag: UInt64, _ value: inout Value, atMost limit: Value = .max
    ) throws(WireError) {
        var number = UInt64(clamping: value)
        try self.number(tag, &number, atMost: UInt64(limit))
        value = Value(truncatingIfNeeded: number)
    }

    /// Visits a number that is limited to 0...limit before it is written.
    package mutating func clamped(_ tag: UInt64, _ value: inout Int, atMost limit: Int) throws(WireError) {
        value = min(max(value, 0), limit)
        try number(tag, &value, atMost: limit)
    }

    /// Visits a number that is never zero, or nil.
    package mutating func number(
        _ tag: UInt64, _ value: inout UInt64?, atMost limit: UInt64 = .max
    ) throws(WireError) {
        var number = value ?? 0
        try self.number(tag, &number, atMost: limit)
        value = number == 0 ? nil : number
    }

    package mutating func flag(_ tag: UInt64, _ value: inout Bool) throws(WireError) {
        var number: UInt64 = value ? 1 : 0
        try self.number(tag, &number)
        value = number != 0
    }

    /// Visits a flag that is set where the value is false.
    package mutating func unless(_ tag: UInt64, _ value: inout Bool) throws(WireError) {
        value.toggle()
        try flag(tag, &value)
        value.toggle()
    }

    package mutating func one<Value: WireNumbered>(_ tag: UInt64, _ value: inout Value) throws(WireError) {
        var number = value.wireNumber
        try self.number(tag, &number)
        try check(number != 0, "a message without a required field")
        let known = Value(wireNumber: number)
        skip(unless: known != nil)
        value = known ?? value
    }

    /// Visits the first block and the one after the last, under two tags.
    package mutating func blocks(_ tag: UInt64, _ value: inout Range<UInt64>, mayBeEmpty: Bool = false)
        throws(WireError)
    {
        var (first, end) = (value.lowerBound, value.upperBound)
        try number(tag, &first, atMost: JobMessage.mostBlocks)
        try number(tag + 1, &end, atMost: JobMessage.mostBlocks)
        try check(mayBeEmpty ? first <= end : first < end, "a piece without blocks")
        value = min(first, end)..<end
    }

    // MARK: Eight bytes

    /// Visits a number, of which nil and NaN are not written.
    package mutating func real(_ tag: UInt64, _ value: inout Double?) throws(WireError) {
        var bits = value.flatMap { $0.isNaN ? nil : $0.bitPattern }
        try fixed(tag, &bits)
        value = bits.map { Double(bitPattern: $0) }
        try check(!(value?.isNaN ?? false), "a number that is NaN")
    }

    /// Visits trials per second; nil if they are unknown or no rate.
    package mutating func rate(_ tag: UInt64, _ value: inout Double?) throws(WireError) {
        func isRate(_ rate: Double) -> Bool { rate.isFinite && rate >= 0 }
        value = value.flatMap { isRate($0) ? $0 : nil }
        try real(tag, &value)
        try check(value.map(isRate) ?? true, "an invalid rate")
    }

    package mutating func range(_ tag: UInt64, _ value: inout ClosedRange<Double>?) throws(WireError) {
        var bits = value.map { [$0.lowerBound.bitPattern, $0.upperBound.bitPattern] } ?? []
        try slots(tag, &bits, atMost: 2)
        let ends = bits.map { Double(bitPattern: $0) }
        try check(ends.isEmpty || ends.count == 2, "a range without an end")
        try check(ends.isEmpty || ends[0] <= ends[1], "a range that ends before it begins")
        value = ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
    }

    /// Visits a number of nanoseconds, limited to 0...limit before it is written.
    package mutating func duration(
        _ tag: UInt64, _ value: inout Duration, atMost limit: Duration = .longestOnWire
    ) throws(WireError) {
        var number = min(value, limit).onWire
        try self.number(tag, &number, atMost: limit.onWire)
        value = .nanoseconds(Int64(truncatingIfNeeded: number))
    }

    package mutating func duration(_ tag: UInt64, _ value: inout Duration?) throws(WireError) {
        var number = value?.onWire
        try fixed(tag, &number)
        try check((number ?? 0) <= Duration.longestOnWire.onWire, "a duration over ten years")
        value = number.map { .nanoseconds(Int64(truncatingIfNeeded: $0)) }
    }

    package mutating func job(_ tag: UInt64, _ value: inout JobID?) throws(WireError) {
        var number = value?.number
        try fixed(tag, &number)
        try check(number != 0, "a job with the ID 0")
        value = number.map { JobID($0) }
    }

    package mutating func job(_ tag: UInt64, _ value: inout JobID) throws(WireError) {
        try require(&value) { (v: inout Self, value: inout JobID?) throws(WireError) in try v.job(tag, &value) }
    }

    // MARK: Bytes and texts

    package mutating func exact(_ tag: UInt64, _ value: inout [UInt8], count: Int) throws(WireError) {
        try octets(tag, &value, atMost: .max)
        try check(value.isEmpty || value.count == count, "\(value.count) octets instead of \(count)")
    }

    package mutating func id<ID: WireID>(_ tag: UInt64, _ value: inout ID?) throws(WireError) {
        var octets = value?.octets ?? []
        try exact(tag, &octets, count: ID.length)
        value = ID(octets)
    }

    package mutating func id<ID: WireID>(_ tag: UInt64, _ value: inout ID) throws(WireError) {
        try require(&value) { (v: inout Self, value: inout ID?) throws(WireError) in try v.id(tag, &value) }
    }

    package mutating func nodes(_ tag: UInt64, _ nodes: inout [NodeID], atMost limit: Int) throws(WireError) {
        var octets = nodes.flatMap(\.octets)
        try self.octets(tag, &octets, atMost: limit * NodeID.length)
        try check(octets.count.isMultiple(of: NodeID.length), "an incomplete node ID")
        nodes = stride(from: 0, to: octets.count, by: NodeID.length).compactMap {
            NodeID(octets[$0...].prefix(NodeID.length))
        }
    }

    /// Visits a line of text for users, which is made fit for a screen before it is written.
    package mutating func line(_ tag: UInt64, _ value: inout String, atMost limit: Int) throws(WireError) {
        value = value.line(limit: limit)
        try text(tag, &value, atMost: limit)
        try check(value.isFitForScreen, "a text with unprintable characters")
    }

    package mutating func lines(
        _ tag: UInt64, _ items: inout [String], atMost limit: Int, each longest: Int
    ) throws(WireError) {
        items = items.prefix(limit).map { $0.line(limit: longest) }
        try texts(tag, &items, atMost: limit, each: longest)
        try check(items.allSatisfy(\.isFitForScreen), "a text with unprintable characters")
    }
}

/// A value of a fixed number of bytes.
package protocol WireID {
    static var length: Int { get }
    var octets: [UInt8] { get }
    init?(_ octets: some Collection<UInt8>)
}

extension WireID {
    /// The value of zeros.
    package static var blank: Self {
        guard let blank = Self([UInt8](repeating: 0, count: length)) else {
            preconditionFailure("an ID of that length")
        }
        return blank
    }
}

extension NodeID: WireID {}
extension SessionHash: WireID {}
extension Founding: WireID {}
extension BlobHash: WireID {}
extension JobTicket: WireID {}

extension Duration {
    /// Ten years: no duration in this protocol is longer, and sums of many durations
    /// do not overflow 64 bits of nanoseconds.
    package static let longestOnWire = Duration.seconds(10 * 365 * 86_400)

    package var onWire: UInt64 { UInt64(min(max(self, .zero), Self.longestOnWire).nanoseconds) }
}

extension String {
    /// Returns as much of the text as fits in `limit` bytes, with blanks for characters that are not fit for a screen.
    package func line(limit: Int) -> String {
        if utf8.count <= limit && isFitForScreen { return self }
        var line = ""
        var length = 0
        for scalar in unicodeScalars {
            let shown = scalar.isFitForScreen ? scalar : " "
            length += UTF8.width(shown)
            if length > limit { break }
            line.unicodeScalars.append(shown)
        }
        return line
    }
}
