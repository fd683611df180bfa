/// Appends values to a buffer: integers in little-endian order or as varints, and bytes preceded by their number.
public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8]

    public init(reserving capacity: Int = 64) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    public mutating func fixed<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a varint: seven bits to a byte, least significant first. The top bit is set on all bytes but the last.
    public mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Returns the number of bytes of a varint.
    public static func length(ofVarint value: UInt64) -> Int { value < 0x80 ? 1 : (70 - value.leadingZeroBitCount) / 7 }

    /// Appends eight bytes for each slot, least significant first.
    public mutating func slots(_ slots: [UInt64]) {
        #if _endian(little)
            slots.withUnsafeBytes { bytes.append(contentsOf: $0) }
        #else
            for slot in slots { fixed(slot) }
        #endif
    }

    public mutating func raw(_ octets: some Collection<UInt8>) { bytes.append(contentsOf: octets) }

    /// Appends the number of bytes as a varint, then the bytes.
    public mutating func counted(_ octets: some Collection<UInt8>) {
        varint(UInt64(octets.count))
        bytes.append(contentsOf: octets)
    }

    public mutating func text(_ string: String) { counted(Array(string.utf8)) }

    package mutating func setLength(at index: Int) {
        let length = bytes.count - index - 1
        if length < 0x80 {
            bytes[index] = UInt8(length)
        } else {
            var written = ByteWriter(reserving: 10)
            written.varint(UInt64(length))
            bytes.replaceSubrange(index...index, with: written.bytes)
        }
    }

    /// Few values are longer than a kilobyte. A buffer that grows by them one by one would be copied for each.
    package mutating func reserve(_ count: Int) {
        if count > 1 << 10 && bytes.capacity < bytes.count + count {
            bytes.reserveCapacity(max(2 * bytes.count, 64) + count)
        }
    }

    package mutating func cut(to count: Int) { bytes.removeLast(bytes.count - count) }
}

/// Why bytes could not be decoded.
public enum WireError: Error, Equatable, Sendable, CustomStringConvertible {
    case truncated
    case tooLong(limit: Int)
    case malformed(String)

    /// The reason as a part of a sentence, for users.
    public var description: String {
        switch self {
        case .truncated: "incomplete data"
        case .tooLong(let limit): "more data than the limit of \(limit)"
        case .malformed(let what): what
        }
    }
}

/// Reads values from untrusted bytes. Every read is bounded, and no length in the bytes makes it allocate memory.
public struct ByteReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    public init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    public var remaining: Int { bytes.endIndex - position }
    public var isAtEnd: Bool { remaining == 0 }

    public mutating func fixed<T: FixedWidthInteger>(_: T.Type = T.self) throws(WireError) -> T {
        let size = MemoryLayout<T>.size
        guard remaining >= size else { throw .truncated }
        var value: T = 0
        for index in 0..<size { value |= T(truncatingIfNeeded: bytes[position + index]) << T(8 * index) }
        position += size
        return value
    }

    /// Reads a varint. Throws if it is longer than necessary, so that a value has only one encoding.
    public mutating func varint() throws(WireError) -> UInt64 {
        // Nearly all varints have one byte.
        if position < bytes.endIndex, bytes[position] < 0x80 {
            defer { position += 1 }
            return UInt64(bytes[position])
        }
        var value: UInt64 = 0
        for shift in stride(from: 0, through: 63, by: 7) {
            let octet: UInt8 = try fixed()
            if shift == 63 && octet > 1 { throw .malformed("a number of more than 64 bits") }
            value |= UInt64(octet & 0x7f) << UInt64(shift)
            if octet < 0x80 {
                if octet == 0 && shift > 0 { throw .malformed("a number with an unnecessary octet") }
                return value
            }
        }
        throw .malformed("a number of more than 64 bits")
    }

    public mutating func raw(_ count: Int) throws(WireError) -> ArraySlice<UInt8> {
        guard count >= 0, remaining >= count else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    public mutating func counted(limit: Int) throws(WireError) -> ArraySlice<UInt8> {
        let count = try varint()
        guard count <= UInt64(limit) else { throw .tooLong(limit: limit) }
        return try raw(Int(count))
    }

    public mutating func text(limit: Int) throws(WireError) -> String {
        let octets = try counted(limit: limit)
        guard let string = String(validating: octets, as: UTF8.self) else { throw .malformed("text that is not UTF-8") }
        return string
    }
}
