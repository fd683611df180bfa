/// A fingerprint of events. Unlike Swift's hashing, it is the same in every process. It finds differences between two
/// runs, but it does not protect against deliberate collisions.
public struct TraceHash: Hashable, Sendable {
    public private(set) var value: UInt64 = 0x6a09_e667_f3bc_c908

    public init() {}

    public mutating func mix(_ word: UInt64) {
        let product = (value ^ word) &* 0x9e37_79b9_7f4a_7c15
        value = product ^ (product >> 29)
    }

    /// Mixes the number of bytes, then the bytes, so that "ab" and "a" followed by "b" differ.
    public mutating func mix(_ octets: [UInt8]) {
        mix(UInt64(octets.count))
        octets.withUnsafeBytes { memory in
            var at = 0
            while at + 8 <= memory.count {
                mix(UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
                at += 8
            }
            var rest: UInt64 = 0
            while at < memory.count {
                rest = rest << 8 | UInt64(memory[at])
                at += 1
            }
            mix(rest)
        }
    }

    public mutating func mix(_ text: String) { mix(Array(text.utf8)) }
}
