import PotluckModel

/// The encoding of values that several messages contain, besides numbers and texts.
extension FieldWriter {
    /// Appends a field that contains fields. It is not written if it is empty.
    mutating func record(_ tag: UInt64, _ write: (inout FieldWriter) -> Void) {
        octets(tag, Self.record(write))
    }

    /// Encodes fields without a surrounding message, as an item of a list.
    static func record(_ write: (inout FieldWriter) -> Void) -> [UInt8] {
        var writer = FieldWriter()
        write(&writer)
        return writer.bytes
    }

    package mutating func slots(_ tag: UInt64, _ slots: [UInt64]) {
        guard !slots.isEmpty else { return }
        field(tag, length: 8 * slots.count) { $0.slots(slots) }
    }

    /// Appends eight bytes, also for zero. Nil and NaN are not written.
    mutating func real(_ tag: UInt64, _ value: Double?) {
        guard let value, !value.isNaN else { return }
        field(tag, length: 8) { $0.fixed(value.bitPattern) }
    }

    mutating func range(_ tag: UInt64, _ range: ClosedRange<Double>?) {
        guard let range else { return }
        field(tag, length: 16) {
            $0.fixed(range.lowerBound.bitPattern)
            $0.fixed(range.upperBound.bitPattern)
        }
    }

    /// Appends a number of nanoseconds, limited to the range 0...longestOnWire.
    package mutating func duration(_ tag: UInt64, _ duration: Duration) { number(tag, duration.onWire) }

    /// Appends eight bytes, also for zero. Nil is not written.
    mutating func optionalDuration(_ tag: UInt64, _ duration: Duration?) {
        guard let duration else { return }
        field(tag, length: 8) { $0.fixed(duration.onWire) }
    }

    /// Appends a line of text for users, made fit for a screen.
    package mutating func line(_ tag: UInt64, _ text: String, limit: Int) { self.text(tag, text.line(limit: limit)) }

    package mutating func nodes(_ tag: UInt64, _ nodes: [NodeID]) { octets(tag, nodes.flatMap(\.octets)) }

    mutating func id(_ tag: UInt64, _ job: JobID) { field(tag, length: 8) { $0.fixed(job.number) } }
}

extension Field {
    /// Returns the encoded fields inside this field.
    func record() throws(WireError) -> ArraySlice<UInt8> {
        guard !octets.isEmpty else { throw .malformed("an empty field, which must be left out") }
        return octets
    }

    /// Returns at most `limit` slots of eight bytes each.
    package func slots(limit: Int) throws(WireError) -> [UInt64] {
        guard octets.count.isMultiple(of: 8) else { throw .malformed("an incomplete slot") }
        guard octets.count <= 8 * limit else { throw .tooLong(limit: 8 * limit) }
        guard !octets.isEmpty else { throw .malformed("an empty field, which must be left out") }
        let count = octets.count / 8
        return octets.withUnsafeBytes { source in
            [UInt64](unsafeUninitializedCapacity: count) { memory, used in
                UnsafeMutableRawBufferPointer(memory).copyMemory(from: source)
                #if !_endian(little)
                    for index in 0..<count { memory[index] = UInt64(littleEndian: memory[index]) }
                #endif
                used = count
            }
        }
    }

    func real() throws(WireError) -> Double {
        var reader = try ByteReader(exactly(8))
        return try Self.real(&reader)
    }

    func range() throws(WireError) -> ClosedRange<Double> {
        var reader = try ByteReader(exactly(16))
        let low = try Self.real(&reader)
        let high = try Self.real(&reader)
        guard low <= high else { throw .malformed("a range that ends before it begins") }
        return low...high
    }

    package func duration(atMost limit: Duration = Duration.longestOnWire) throws(WireError) -> Duration {
        .nanoseconds(Int64(try number(atMost: limit.onWire)))
    }

    func optionalDuration() throws(WireError) -> Duration {
        var reader = try ByteReader(exactly(8))
        let nanoseconds: UInt64 = try reader.fixed()
        guard nanoseconds <= Duration.longestOnWire.onWire else { throw .malformed("a duration over ten years") }
        return .nanoseconds(Int64(nanoseconds))
    }

    /// Returns a line of text. Throws if it is not fit for a screen.
    package func line(limit: Int) throws(WireError) -> String {
        let text = try text(limit: limit)
        guard text.isFitForScreen else { throw .malformed("a text with unprintable characters") }
        return text
    }

    /// Returns at most `limit` node IDs, which follow each other.
    package func nodes(limit: Int) throws(WireError) -> [NodeID] {
        try check(limit: limit * NodeID.length)
        guard octets.count.isMultiple(of: NodeID.length) else { throw .malformed("an incomplete node ID") }
        return stride(from: octets.startIndex, to: octets.endIndex, by: NodeID.length).compactMap {
            NodeID(octets[$0..<$0 + NodeID.length])
        }
    }

    func job() throws(WireError) -> JobID {
        var reader = try ByteReader(exactly(8))
        let number: UInt64 = try reader.fixed()
        guard number != 0 else { throw .malformed("a job with the ID 0") }
        return JobID(number)
    }

    private static func real(_ reader: inout ByteReader) throws(WireError) -> Double {
        let value = Double(bitPattern: try reader.fixed())
        guard !value.isNaN else { throw .malformed("a number that is NaN") }
        return value
    }

    func exactly(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard octets.count == count else { throw .malformed("\(octets.count) octets instead of \(count)") }
        return octets
    }
}

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

/// Encodes a number as its difference from an expected value, as a zigzag varint: a small difference takes one byte.
extension ByteWriter {
    mutating func difference(_ value: UInt64, from expected: UInt64) {
        let difference = Int64(bitPattern: value &- expected)
        varint(UInt64(bitPattern: difference << 1 ^ difference >> 63))
    }
}

extension ByteReader {
    mutating func difference(from expected: UInt64) throws(WireError) -> UInt64 {
        let folded = try varint()
        return expected &+ (folded >> 1 ^ (0 &- (folded & 1)))
    }
}
