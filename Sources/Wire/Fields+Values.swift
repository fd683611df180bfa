import PotluckModel

/// What several messages have in their fields beside numbers and texts.
extension FieldWriter {
    /// A field that holds fields. One in which nothing is, is not written.
    mutating func record(_ tag: UInt64, _ write: (inout FieldWriter) -> Void) {
        octets(tag, Self.record(write))
    }

    /// Fields without a message around them: an item of a list.
    static func record(_ write: (inout FieldWriter) -> Void) -> [UInt8] {
        var writer = FieldWriter()
        write(&writer)
        return writer.bytes
    }

    mutating func slots(_ tag: UInt64, _ slots: [UInt64]) {
        guard !slots.isEmpty else { return }
        field(tag, length: 8 * slots.count) { $0.slots(slots) }
    }

    /// Eight octets, also where it is zero: nothing says that there is none.
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

    /// Nanoseconds. What is shorter than nothing or longer than any message says becomes the nearest that can be said.
    mutating func duration(_ tag: UInt64, _ duration: Duration) { number(tag, duration.onWire) }

    /// Eight octets, also where it is zero.
    mutating func optionalDuration(_ tag: UInt64, _ duration: Duration?) {
        guard let duration else { return }
        field(tag, length: 8) { $0.fixed(duration.onWire) }
    }

    /// A line for people, made fit for their screens where it is not.
    mutating func line(_ tag: UInt64, _ text: String, limit: Int) { self.text(tag, text.line(limit: limit)) }

    mutating func id(_ tag: UInt64, _ job: JobID) { field(tag, length: 8) { $0.fixed(job.number) } }
}

extension Field {
    /// The fields it holds.
    func record() throws(WireError) -> ArraySlice<UInt8> {
        guard !octets.isEmpty else { throw .malformed("nothing, and it is written") }
        return octets
    }

    /// At most so many, eight octets each.
    func slots(limit: Int) throws(WireError) -> [UInt64] {
        guard octets.count.isMultiple(of: 8) else { throw .malformed("a part of a slot") }
        guard octets.count <= 8 * limit else { throw .tooLong(limit: 8 * limit) }
        guard !octets.isEmpty else { throw .malformed("nothing, and it is written") }
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

    func duration(atMost limit: Duration = Duration.longestOnWire) throws(WireError) -> Duration {
        .nanoseconds(Int64(try number(atMost: limit.onWire)))
    }

    func optionalDuration() throws(WireError) -> Duration {
        var reader = try ByteReader(exactly(8))
        let nanoseconds: UInt64 = try reader.fixed()
        guard nanoseconds <= Duration.longestOnWire.onWire else { throw .malformed("a duration of many years") }
        return .nanoseconds(Int64(nanoseconds))
    }

    /// One line that any screen may show.
    func line(limit: Int) throws(WireError) -> String {
        let text = try text(limit: limit)
        guard text.isFitForScreen else { throw .malformed("a text no screen should show") }
        return text
    }

    func job() throws(WireError) -> JobID {
        var reader = try ByteReader(exactly(8))
        let number: UInt64 = try reader.fixed()
        guard number != 0 else { throw .malformed("a job without a name") }
        return JobID(number)
    }

    private static func real(_ reader: inout ByteReader) throws(WireError) -> Double {
        let value = Double(bitPattern: try reader.fixed())
        guard !value.isNaN else { throw .malformed("what is not a number") }
        return value
    }

    private func exactly(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard octets.count == count else { throw .malformed("\(octets.count) octets where there must be \(count)") }
        return octets
    }
}

extension Duration {
    /// Ten years: nothing here lasts longer, and sums of many stay far from what 64 bits of nanoseconds hold.
    static let longestOnWire = Duration.seconds(10 * 365 * 86_400)

    var onWire: UInt64 { UInt64(min(max(self, .zero), Self.longestOnWire).nanoseconds) }
}

extension String {
    /// As much of it as fits, with a blank for all that no screen should show.
    func line(limit: Int) -> String {
        if utf8.count <= limit && isFitForScreen { return self }
        var line = ""
        var length = 0
        for scalar in unicodeScalars {
            let shown: Unicode.Scalar = String(scalar).isFitForScreen ? scalar : " "
            length += String(shown).utf8.count
            if length > limit { break }
            line.unicodeScalars.append(shown)
        }
        return line
    }
}

/// Numbers of which each is near the one expected after the last: the difference goes, small ones either way in one octet.
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
