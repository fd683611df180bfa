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
}
