/// The parts of several ranks in one message: a size for each part, and their bytes one after the other.
struct Parcel {
    /// The sizes of the parts in bytes.
    private(set) var sizes: [Int]
    private(set) var bytes: [UInt8]

    init() { (sizes, bytes) = ([], []) }

    init(_ part: [UInt8]) { (sizes, bytes) = ([part.count], part) }

    init(sizes: [Int], bytes: [UInt8]) { (self.sizes, self.bytes) = (sizes, bytes) }

    /// The number of bytes of a size in a message.
    private static var header: Int { 4 }

    /// The message: the sizes, least significant byte first, and the bytes.
    var message: [UInt8] {
        var message: [UInt8] = []
        message.reserveCapacity(sizes.count * Self.header + bytes.count)
        for size in sizes {
            for shift in 0..<Self.header { message.append(UInt8(truncatingIfNeeded: size >> (8 * shift))) }
        }
        message.append(contentsOf: bytes)
        return message
    }

    /// Reads a message of `count` parts.
    init(_ message: [UInt8], count: Int) {
        sizes = (0..<count).map { part in
            (0..<Self.header).reduce(0) { $0 | Int(message[part * Self.header + $1]) << (8 * $1) }
        }
        bytes = Array(message[(count * Self.header)...])
    }

    mutating func append(_ other: Parcel) {
        sizes.append(contentsOf: other.sizes)
        bytes.append(contentsOf: other.bytes)
    }

    /// Returns some of the parts.
    func parts(_ range: Range<Int>) -> Parcel {
        let start = sizes[..<range.lowerBound].reduce(0, +)
        let end = sizes[range].reduce(start, +)
        return Parcel(sizes: Array(sizes[range]), bytes: Array(bytes[start..<end]))
    }

    /// Returns the parts with the one at `first` in front, and those before it at the end.
    func rotated(to first: Int) -> Parcel {
        var result = parts(first..<sizes.count)
        result.append(parts(0..<first))
        return result
    }

    /// Returns the bytes of each part.
    var split: [[UInt8]] {
        var start = 0
        return sizes.map { size in
            defer { start += size }
            return Array(bytes[start..<start + size])
        }
    }

    /// Returns the values that bytes are.
    static func values<Value: BitwiseCopyable>(_ bytes: [UInt8]) -> [Value] {
        array(Value.self, count: bytes.count / MemoryLayout<Value>.stride) { place in
            bytes.withUnsafeBytes { place.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<place.count])) }
        }
    }

    /// Returns the bytes of values.
    static func bytes<Value: BitwiseCopyable>(_ values: [Value]) -> [UInt8] {
        values.withUnsafeBytes { Array($0) }
    }
}
