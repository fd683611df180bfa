/// A checksum of a row's values, stored beside them to notice a disk that returns something else than was written. It
/// is FNV-1a and protects against accidents only: an attacker who can write to the file can change anything.
struct Seal {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ octets: some Sequence<UInt8>) {
        for octet in octets { value = (value ^ UInt64(octet)) &* 0x100_0000_01b3 }
    }

    mutating func add(_ number: UInt64) {
        // One step for a word is sufficient here, and eight times as fast as one for each byte.
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
