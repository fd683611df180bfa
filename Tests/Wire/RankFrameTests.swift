import PotluckChecks
import PotluckKit
import Testing

@testable import PotluckCore

@Suite struct RankFrameTests {
    private static let head = "27 0108 0807060504030201"

    /// One for each of `RankSamples.frames`, in order. Bytes as version 0.1 wrote them, which never change.
    static let golden: [String] = [
        "\(head) 0401 01 0603 010203",
        "\(head) 0310 101112131415161718191a1b1c1d1e1f 0401 01 0501 01 0601 04",
        "\(head) 0210 000102030405060708090a0b0c0d0e0f 0401 02 0502 ac02",
        "\(head) 0401 02",
        "\(head) 0401 03 0620 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        "\(head) 0401 04",
        "27 0108 0000000000000000 0401 05 060f 697420686173206e6f20636f726573",
        "\(head) 0210 000102030405060708090a0b0c0d0e0f 0401 06 0602 0506",
    ]

    @Test func theBytesStayTheSame() throws {
        #expect(Self.golden.count == RankSamples.frames.count)
        for (text, frame) in zip(Self.golden, RankSamples.frames) {
            let octets = Samples.octets(text)
            #expect(Message.ranks(frame).encoded() == octets, "\(Message.ranks(frame).encoded().hexadecimal)")
            #expect(try Message.decode(octets) == .ranks(frame))
        }
    }

    @Test(arguments: 0..<8) func anEncodedFrameDecodes(seed: UInt64) throws {
        var any = AnyRankItem(random: RandomStream(seed: seed, block: 8, lane: 0))
        for _ in 0..<400 {
            let message = Message.ranks(any.frame())
            let octets = message.encoded()
            #expect(try Message.decode(octets) == message)
            #expect(try Message.decode(octets)?.encoded() == octets)
        }
    }

    /// A later version has contents and fields that this version does not know.
    @Test func aNewerNodeIsUnderstood() throws {
        let frames = RankSamples.frames
        let newer: [(String, Message?)] = [
            ("\(Self.head) 0401 07", nil), ("\(Self.head) 0402 ac02 0502 0000 0600 0703 010203", nil),
            ("\(Self.head) 0401 04 0703 010203", .ranks(frames[5])),
            ("\(Self.head) 0401 01 0603 010203 0f00", .ranks(frames[0])),
        ]
        for (text, message) in newer { #expect(try Message.decode(Samples.octets(text)) == message, "\(text)") }
    }

    @Test func otherEncodingsAreRefused() {
        let wrong = [
            "27", "27 0107 01020304050607 0401 04", "27 0401 04", Self.head, "\(Self.head) 0400",
            "\(Self.head) 0401 00",
            "\(Self.head) 020f 000102030405060708090a0b0c0d0e 0401 04",
            // Parts and shows have octets, and reasons are fit for a screen.
            "\(Self.head) 0401 01", "\(Self.head) 0401 01 0600", "\(Self.head) 0401 06",
            "\(Self.head) 0401 03 060f 000102030405060708090a0b0c0d0e", "\(Self.head) 0401 05 0601 1b",
            "\(Self.head) 0401 05 0601 ff",
        ]
        for text in wrong {
            #expect(throws: WireError.self, "\(text)") { try Message.decode(Samples.octets(text)) }
        }
    }

    @Test func sizesAreBounded() throws {
        func frame(_ content: RankFrame.Content) -> Message {
            .ranks(RankFrame(launch: .max, origin: Samples.node(0), target: Samples.node(1), content: content))
        }
        func part(_ count: Int) -> Message { frame(.part([UInt8](repeating: 1, count: count)[...], isLast: true)) }
        func show(_ count: Int) -> Message { frame(.show([UInt8](repeating: 1, count: count))) }
        func open(_ count: Int) -> Message { frame(.open(Array(repeating: Samples.node(2), count: count))) }
        let good = [
            part(RankFrame.longestPart), show(RankFrame.longestShow), open(RankFrame.mostNodes), frame(.received(.max)),
            frame(.closed(String(repeating: "x", count: RankFrame.longestReason))),
        ]
        for message in good { #expect(try Message.decode(message.encoded()) == message) }
        let bad = [part(RankFrame.longestPart + 1), show(RankFrame.longestShow + 1), open(RankFrame.mostNodes + 1)]
        for message in bad { #expect(throws: WireError.self) { try Message.decode(message.encoded()) } }
        // A reason is shortened and cleaned before it is sent.
        let long = frame(.closed(String(repeating: "x\n", count: RankFrame.longestReason)))
        #expect(
            try Message.decode(long.encoded())
                == frame(.closed(String(repeating: "x ", count: RankFrame.longestReason / 2))))
    }

    /// What was received overtakes parts. All other frames keep their order.
    @Test func onlyAcknowledgementsOvertake() {
        for content: RankFrame.Content in [
            .open([Samples.node(2)]), .opened, .closed("over"), .part([1], isLast: true), .show([1]),
        ] {
            #expect(RankFrame(launch: 1, content: content).prefersBulk)
        }
        #expect(!RankFrame(launch: 1, content: .received(.max)).prefersBulk)
    }
}
