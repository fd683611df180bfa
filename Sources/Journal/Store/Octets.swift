/// Numbers as they stand in the store's octets: eight each, the lowest first, on every machine.
extension Array where Element == UInt64 {
    var octets: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 8 * count) { memory, used in
            for (index, number) in enumerated() {
                UnsafeMutableRawBufferPointer(memory).storeBytes(
                    of: number.littleEndian, toByteOffset: 8 * index, as: UInt64.self)
            }
            used = 8 * count
        }
    }

    /// Nil where the octets are no whole numbers.
    init?(octets: [UInt8]) {
        guard octets.count % 8 == 0 else { return nil }
        self = octets.withUnsafeBytes { memory in
            (0..<(octets.count / 8)).map {
                UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self))
            }
        }
    }
}

/// A number that a row's other values come to, kept beside them: a disk that gives back something else than was written is
/// noticed. FNV-1a, against accidents and nobody's malice: whoever can write the file can do anything to it.
struct Seal {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ octets: some Sequence<UInt8>) {
        for octet in octets { value = (value ^ UInt64(octet)) &* 0x100_0000_01b3 }
    }

    mutating func add(_ number: UInt64) {
        // One step a word is enough here, and eight times as fast as one an octet.
        value = (value ^ number) &* 0x100_0000_01b3
        value ^= value >> 29
    }

    static func of(_ numbers: UInt64..., tally: [UInt64] = [], octets: [UInt8] = []) -> UInt64 {
        var seal = Seal()
        for number in numbers { seal.add(number) }
        seal.add(UInt64(tally.count))
        for slot in tally { seal.add(slot) }
        seal.add(UInt64(octets.count))
        seal.add(octets)
        return seal.value
    }
}
