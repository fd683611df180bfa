import PotluckCore
import PotluckSystem
import Testing

@Suite struct SHA256Tests {
    /// Published SHA-256 test vectors (FIPS 180-4).
    @Test func itGivesThePublishedHashes() {
        let examples = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ]
        for (text, hash) in examples { #expect(SHA256.hash(Array(text.utf8)).hexadecimal == hash) }
    }

    @Test func hashingPiecesGivesTheHashOfTheWhole() {
        let octets = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        for length in [1, 63, 64, 65, 999, 1000] {
            let sum = SHA256.Sum()
            for start in stride(from: 0, to: octets.count, by: length) {
                sum.add(Array(octets[start..<min(start + length, octets.count)]))
            }
            #expect(sum.hash() == SHA256.hash(octets))
        }
        #expect(SHA256.Sum().hash() == SHA256.hash([]))
    }
}
