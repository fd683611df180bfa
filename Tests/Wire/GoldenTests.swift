import PotluckChecks
import PotluckCore
import Testing

/// Bytes as version 0.1 wrote them. They never change: a program that decodes them
/// differently cannot talk to older nodes.
@Suite struct GoldenTests {
    static let golden: [(bytes: String, message: Message)] = [
        (
            """
            01 0101 01 0201 01 \
            0320 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f \
            0440 404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f\
            606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f \
            0508 a0a1a2a3a4a5a6a7 0601 01 0703 616e61 0801 08 0908 0102030405060708 0a01 03
            """, .hello(Samples.hello)
        ),
        ("02 0101 01 0201 02 0301 01", .welcome(Welcome(version: 1, role: .submits, row: 1))),
        (
            "02 0101 01 0201 03 0301 02 0401 01 0502 ac02",
            .welcome(Welcome(version: 1, role: .hosts, row: 2, receivedRow: 1, received: 300))
        ),
        ("03 0101 02", .decline(.session)),
        ("03 0101 06", .decline(.duplicate)),
        ("04 0101 01", .hold(.consent)),
        ("05 0101 01", .goodbye(.leaving)),
        ("05 0101 02", .goodbye(.removed)),
        ("06 0101 07 0203 010203", .parcel(Parcel(.data([1, 2, 3]), number: 7))),
        ("06", .parcel(Parcel(.data([])))),
        ("06 0101 07 0203 010203 0501 01", .parcel(Parcel(.data([1, 2, 3], as: .value), number: 7))),
        (
            """
            07 0101 01 0207 4772c3bc657a69 0310 000102030405060708090a0b0c0d0e0f 0410 101112131415161718191a1b1c1d1e1f
            """,
            .parcel(
                Parcel(.text("Grüezi"), number: 1, origin: Samples.node(0), recipients: [Samples.node(16)]))
        ),
        ("08 0102 8101", .received(129)),
        (
            """
            09 013c \
            20 0110 000102030405060708090a0b0c0d0e0f 0201 01 0303 616e61 0401 08 0501 01 \
            1a 0110 101112131415161718191a1b1c1d1e1f 0201 02 0303 42c3b6
            """, .roster(Samples.roster)
        ),
        ("0a 0101 01", .role(.watches)),
    ]

    @Test func theBytesStayTheSame() throws {
        for (text, message) in Self.golden {
            let bytes = Samples.octets(text)
            #expect(message.encoded() == bytes, "\(message.encoded().hexadecimal)")
            #expect(try Message.decode(bytes) == message)
        }
    }

    /// The first nodes sent no more than this in a hello. Later fields are optional.
    @Test func anOlderNodeIsUnderstood() throws {
        let older = """
            01 0101 01 0201 01 \
            0320 202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f \
            0440 404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f\
            606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f \
            0508 a0a1a2a3a4a5a6a7 0601 02 0703 616e61
            """
        guard case .hello(let hello) = try Message.decode(Samples.octets(older)) else {
            Issue.record("not a hello")
            return
        }
        #expect(hello.introduction == Introduction(session: Samples.session, mode: .client, name: "ana", cores: 0))
    }

    /// A later version has kinds, fields, reasons, roles and modes that this version
    /// does not know. Everything else is understood.
    @Test func aNewerNodeIsUnderstood() throws {
        let newer: [(String, Message?)] = [
            ("8f4e 0101 01 0220 00", nil),
            ("7f", nil),
            ("02 0101 01 0201 09 0301 05 0b03 616263", .welcome(Welcome(version: 1, role: .watches, row: 5))),
            ("03 0101 63 0204 61626364", .decline(DeclineReason(rawValue: 99))),
            ("06 0101 07 0203 010203 0602 0000 f00100", .parcel(Parcel(.data([1, 2, 3]), number: 7))),
            (
                "09 011c 1b 0110 000102030405060708090a0b0c0d0e0f 0201 02 0301 62 0601 01",
                .roster([
                    RosterEntry(
                        node: Samples.node(0), mode: .client, name: "b", cores: 0, isConnected: false, isBrowser: true)
                ])
            ),
            // The second entry is a node with a mode that this version does not know.
            (
                """
                09 0138 1e 0110 000102030405060708090a0b0c0d0e0f 0201 01 0303 616e61 0902 0000 \
                18 0110 101112131415161718191a1b1c1d1e1f 0201 04 0301 62
                """,
                .roster([RosterEntry(node: Samples.node(0), mode: .server, name: "ana", cores: 0, isConnected: false)])
            ),
        ]
        for (text, message) in newer { #expect(try Message.decode(Samples.octets(text)) == message, "\(text)") }
    }

    /// A message must not have two encodings.
    @Test func otherEncodingsAreRefused() {
        let wrong = [
            "", "03 0102 8200", "03 0101 02 0101 02", "06 0203 010203 0101 07", "03 0101 00", "03 0101", "03 0102 02",
            "02 0201 01", "04 0102 0101", "06 0310 0011", "06 0200", "09 0100", "80",
        ]
        for text in wrong {
            #expect(throws: WireError.self, "\(text)") { try Message.decode(Samples.octets(text)) }
        }
    }
}
