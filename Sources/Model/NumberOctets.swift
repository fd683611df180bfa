/// Numbers as octets, in stores and where they are hashed: eight each, the lowest first, on every machine.
extension Array where Element == UInt64 {
    public var octets: [UInt8] {
        // Of no numbers Swift would write into the one empty array that all threads share.
        isEmpty
            ? []
            : [UInt8](unsafeUninitializedCapacity: 8 * count) { memory, used in
                for (index, number) in enumerated() {
                    UnsafeMutableRawBufferPointer(memory).storeBytes(
                        of: number.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
                }
                used = 8 * count
            }
    }

    /// Nil where the octets are no whole numbers.
    public init?(octets: [UInt8]) {
        guard octets.count % 8 == 0 else { return nil }
        self = octets.withUnsafeBytes { memory in
            (0..<(octets.count / 8)).map {
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
            }
        }
    }
}
