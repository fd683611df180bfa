import PotluckChecks
import PotluckCore
import Testing

@testable import PotluckRanks

/// Bytes as version 0.1 wrote them. They never change: nodes of different versions take part in one program.
@Suite struct ItemGoldenTests {
    /// One for each of `RankSamples.items`, in order.
    static let golden: [String] = [
        """
        01 0104 72696e67 0205 8080808001 0310 03000000000000000100000000000000 0402 ac02 0504 022d7600 0601 01 0701 01 \
        0803 000100 0920 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \
        0a10 202122232425262728292a2b2c2d2e2f 0c04 0061736d 0d01 07 0e01 01
        """,
        "02", "03", "04", "05",
        "06 010a 69742063726173686564 0201 03 0303 10ac02",
        // Nodes of before read neither the code nor whether a line is of stderr.
        "06 010a 69742061626f72746564 0401 07", "09 0101 02 0201 65 0301 01",
        "07 010e 00 02020304 0303 04 050702000001 0203 00ac02 0302 0002 0403 000001",
        "08 0101 01 0202 0102",
        "09 0101 01 0202 6869",
        "0a 0122 02020304e807 01c8010304 b817 02 00e807 02d00f 01 00000000 00 00 00 00000000 00 00",
        "0b 0202 6f6b",
        "0c 0101 01 0201 09 030f 010102ac0204 02050006 0303020708",
        "0d 0101 01",
        "0e 0101 01 0201 02 0301 04 0402 ac02 0501 02 0601 01 0702 0908",
        "0f 0101 01 0201 02 0301 04 0402 ac02 0501 02 0701 02",
        "10 0101 01 0202 ac02",
        "11 0101 01 0202 ac02 0301 02 0402 0908",
        "12",
        "13 0101 01 0202 ac02",
        """
        14 0104 72696e67 0203 616e61 0301 02 040a 69742063726173686564 0505 8094ebdc03 0601 02 \
        071b 04e807 01000000 b817 01 02d00f 01 00000000 00 00 00 00000000 00 00 0808 03616e610342c3b6 0903 000100
        """,
    ]

    @Test func theBytesStayTheSame() throws {
        #expect(Self.golden.count == RankSamples.items.count)
        for (text, item) in zip(Self.golden, RankSamples.items) {
            let octets = Samples.octets(text)
            #expect(item.encoded() == octets, "\(item.encoded().hexadecimal)")
            #expect(try RankItem(octets) == item)
        }
    }

    /// An item must not have two encodings.
    @Test func otherEncodingsAreRefused() {
        let wrong = [
            // A zero, an empty field, a field too late, a field too many, octets after the end.
            "0d 0101 00", "09 0200", "0b 0200", "0e 0201 02 0101 01", "02 0101 01", "05 00", "82 00",
            // A number of two octets that needs one, a flag of 2, a standing that none waits in.
            "10 0102 8100", "0e 0601 02", "07 0101 01", "07 0101 06",
            // Waits of a row that are not in order, or named twice.
            "0a 010b 01 00000000 00 02 0201 0101", "0a 010b 01 00000000 00 02 0101 0101",
            // Names of nodes that are unused, repeated, in another order, or missing.
            "14 0707 01000000000000 0804 01610162 0901 00", "14 0707 01000000000000 0802 0161 0901 01",
            "14 070e 0100000000000001000000000000 0804 01610161 0902 0001",
            "14 070e 0100000000000001000000000000 0804 01610162 0902 0100", "14 0707 01000000000000 0901 00",
            // Why a program failed that runs.
            "14 0401 61",
        ]
        for text in wrong {
            #expect(throws: WireError.self, "\(text)") { try RankItem(Samples.octets(text)) }
        }
    }
}
