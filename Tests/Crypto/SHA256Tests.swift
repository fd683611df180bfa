import PotluckCrypto
import PotluckModel
import Testing

@Suite struct SHA256Tests {
    /// The examples of FIPS 180-4.
    @Test func itGivesThePublishedHashes() {
        let examples = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ]
        for (text, hash) in examples { #expect(SHA256.hash(Array(text.utf8)).hexadecimal == hash) }
    }
}
