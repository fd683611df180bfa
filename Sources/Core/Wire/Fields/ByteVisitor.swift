/// Visits values that follow each other without tags. A sink appends them, a reader assigns them, so one description
/// serves both.
package protocol ByteVisitor {
    var isReading: Bool { get }
    mutating func varint(_ value: inout UInt64) throws(WireError)
    /// A varint, which a reader refuses if it is too large.
    mutating func number(_ value: inout Int, atMost limit: Int) throws(WireError)
    mutating func fixed<T: FixedWidthInteger>(_ value: inout T) throws(WireError)
    mutating func raw(_ octets: inout [UInt8], count: Int) throws(WireError)
    mutating func counted(_ octets: inout [UInt8], atMost limit: Int) throws(WireError)
    /// Visits items up to the end of the bytes.
    mutating func rest<Item>(
        _ items: inout [Item], blank: Item, atMost limit: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) throws(WireError)
    /// Refuses bytes that were read if they break a rule. A sink ignores it.
    func check(_ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String) throws(WireError)
}

/// Takes the bytes of values: a writer keeps them, a counter measures them.
package protocol ByteSink: ByteVisitor {
    var count: Int { get }
    mutating func varint(_ value: UInt64)
    mutating func fixed<T: FixedWidthInteger>(_ value: T)
    mutating func slots(_ slots: [UInt64])
    mutating func raw(_ octets: some Collection<UInt8>)
    /// Makes room for a long value, so that the buffer does not grow again.
    mutating func reserve(_ count: Int)
    /// Replaces the one byte at `index`, where a value begins, by the length of that value, which has just ended.
    mutating func setLength(at index: Int)
    /// Removes everything after the first `count` bytes.
    mutating func cut(to count: Int)
}

extension ByteSink {
    package var isReading: Bool { false }

    package mutating func varint(_ value: inout UInt64) { varint(value) }
    package mutating func fixed<T: FixedWidthInteger>(_ value: inout T) { fixed(value) }
    package mutating func raw(_ octets: inout [UInt8], count: Int) { raw(octets) }

    package mutating func counted(_ octets: inout [UInt8], atMost limit: Int) {
        varint(UInt64(octets.count))
        raw(octets)
    }

    @inline(__always)
    package mutating func rest<Item>(
        _ items: inout [Item], blank: Item, atMost limit: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) throws(WireError) {
        for item in items {
            var item = item
            try visit(&self, &item)
        }
    }

    package func check(_ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String) {}
}

extension ByteWriter: ByteSink {
    package var count: Int { bytes.count }
}

/// Measures bytes that are not written.
package struct ByteCounter: ByteSink {
    package private(set) var count = 0

    package mutating func varint(_ value: UInt64) { count += ByteWriter.length(ofVarint: value) }
    package mutating func fixed<T: FixedWidthInteger>(_ value: T) { count += MemoryLayout<T>.size }
    package mutating func slots(_ slots: [UInt64]) { count += 8 * slots.count }
    package mutating func raw(_ octets: some Collection<UInt8>) { count += octets.count }
    package mutating func setLength(at index: Int) {
        count += ByteWriter.length(ofVarint: UInt64(count - index - 1)) - 1
    }
    package mutating func cut(to count: Int) { self.count = count }
    package mutating func reserve(_ count: Int) {}
}

extension ByteReader: ByteVisitor {
    package var isReading: Bool { true }

    package mutating func varint(_ value: inout UInt64) throws(WireError) { value = try varint() }
    package mutating func fixed<T: FixedWidthInteger>(_ value: inout T) throws(WireError) { value = try fixed() }
    package mutating func raw(_ octets: inout [UInt8], count: Int) throws(WireError) { octets = Array(try raw(count)) }

    package mutating func counted(_ octets: inout [UInt8], atMost limit: Int) throws(WireError) {
        octets = Array(try counted(limit: limit))
    }

    @inline(__always)
    package mutating func rest<Item>(
        _ items: inout [Item], blank: Item, atMost limit: Int,
        _ visit: (inout Self, inout Item) throws(WireError) -> Void
    ) throws(WireError) {
        items = []
        while !isAtEnd {
            guard items.count < limit else { throw .tooLong(limit: limit) }
            var item = blank
            try visit(&self, &item)
            items.append(item)
        }
    }

    package func check(
        _ isValid: @autoclosure () -> Bool, _ what: @autoclosure () -> String
    ) throws(WireError) {
        guard isValid() else { throw .malformed(what()) }
    }
}

extension ByteVisitor {
    /// Visits a number as its difference from an expected value, as a zigzag varint: a small difference takes one byte.
    package mutating func difference(_ value: inout UInt64, from expected: UInt64) throws(WireError) {
        let difference = Int64(bitPattern: value &- expected)
        var folded = UInt64(bitPattern: difference << 1 ^ difference >> 63)
        try varint(&folded)
        value = expected &+ (folded >> 1 ^ (0 &- (folded & 1)))
    }

    package mutating func number(_ value: inout Int, atMost limit: Int) throws(WireError) {
        var number = UInt64(clamping: value)
        try varint(&number)
        try check(number <= UInt64(limit), "a number of \(number), more than \(limit)")
        value = Int(truncatingIfNeeded: number)
    }

    package mutating func flag(_ value: inout Bool) throws(WireError) {
        var number = value ? 1 : 0
        try self.number(&number, atMost: 1)
        value = number == 1
    }
}
