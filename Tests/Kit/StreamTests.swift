import PotluckKit
import Testing

@Suite struct StreamTests {
    /// The known answers published with Random123.
    @Test func philoxGivesThePublishedWords() {
        #expect(
            Philox.words(key: 0, counter: .zero) == SIMD4(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8))
        #expect(
            Philox.words(key: .max, counter: SIMD4(repeating: .max))
                == SIMD4(0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd))
        #expect(
            Philox.words(
                key: 0x299f_31d0_a409_3822, counter: SIMD4(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344))
                == SIMD4(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1))
    }

    /// Words 1 to 4 and 1000 of some streams, computed by another program. A change here changes every result.
    @Test(arguments: [
        ([0, 0, 0], [0x65e1_e20e, 0x8f89_42ad, 0xa13b_ceba, 0xa73d_e9e0, 0x8a35_93e3]),
        ([1, 0, 0], [0xec36_3dd1, 0xc447_02aa, 0xa2e1_ba98, 0xcdbc_6a77, 0x36d3_8f2c]),
        ([1, 0, 1], [0x92ae_a849, 0xb79f_d016, 0x12a1_0f23, 0xa6c8_b97c, 0x2c64_34b7]),
        ([1, 1, 0], [0x602d_6664, 0x6156_a7ba, 0x7c3f_65ca, 0x0e3c_4609, 0xe3f2_5b39]),
        ([.max, .max, 15], [0xc195_3654, 0x954d_9b79, 0x3830_bff0, 0xd815_6c68, 0xd137_6a7b]),
        ([0x0123_4567_89ab_cdef, 1 << 32, 7], [0x5a36_b1f9, 0x1b28_ec31, 0x8d35_f9ae, 0xc497_8af4, 0xbc5e_f640]),
        ([42, 65536, 3], [0x47b0_b514, 0x37f9_887f, 0xf26b_9597, 0xd58a_1e68, 0x3d3f_dea9]),
    ])
    func theStreamsAreTheseWords(place: [UInt64], words: [UInt32]) {
        var random = RandomStream(seed: place[0], block: place[1], lane: Int(place[2]))
        for word in words[..<4] { #expect(random.next() == word) }
        var again = RandomStream(seed: place[0], block: place[1], lane: Int(place[2]))
        for _ in 0..<999 { _ = again.next() }
        #expect(again.next() == words[4])
    }

    @Test func theStateFromWhichNothingComesIsMended() {
        var random = RandomStream(.zero)
        #expect([random.next(), random.next(), random.next()] == [0xb9f4_5688, 0xb9f4_5688, 0xe6e6_78dd])
    }

    @Test func aStreamIsItsState() {
        var random = stream(5)
        for _ in 0..<10 { _ = random.normal() }
        var copy = RandomStream(random.state)
        for _ in 0..<10 { #expect(random.next64() == copy.next64()) }
    }

    @Test func wideWordsHaveTheFirstWordOnTop() {
        var (narrow, wide) = (stream(6), stream(6))
        for _ in 0..<10 {
            let high = UInt64(narrow.next())
            #expect(wide.next64() == high << 32 | UInt64(narrow.next()))
        }
    }
}
