/// Numbers as bytes, for stores and for hashes: eight bytes each, lowest first, on every machine.
extension Array where Element == UInt64 {
    public var octets: [UInt8] {
        [UInt8](writing: 8 * count) { memory, used in
            for (index, number) in enumerated() {
                UnsafeMutableRawBufferPointer(memory).storeBytes(
                    of: number.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
            }
            used = 8 * count
        }
    }

    /// Returns nil unless the number of bytes is a multiple of eight.
    public init?(octets: [UInt8]) {
        guard octets.count % 8 == 0 else { return nil }
        self = octets.withUnsafeBytes { memory in
            (0..<(octets.count / 8)).map {
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
            }
        }
    }
}
