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
