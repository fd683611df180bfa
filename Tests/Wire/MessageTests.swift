import PotluckChecks
import PotluckCore
import PotluckKit
import Testing

@Suite struct MessageTests {
    @Test func anEncodedMessageDecodes() throws {
        for message in Samples.messages { #expect(try Message.decode(message.encoded()) == message) }
        var random = RandomStream(seed: 1, block: 0, lane: 0)
        for _ in 0..<500 {
            let message = Samples.random(&random)
            #expect(try Message.decode(message.encoded()) == message)
        }
    }

    /// A message has only one encoding: encoding a decoded message without unknown fields gives the same bytes.
    @Test func aDecodedMessageEncodesTheSame() throws {
        for message in Samples.messages {
            let bytes = message.encoded()
            #expect(try Message.decode(bytes)?.encoded() == bytes)
        }
    }

    @Test func versionsAgreeOnTheHighestOfBoth() {
        #expect(ProtocolVersion.agreed(1...3, 2...5) == 3)
        #expect(ProtocolVersion.agreed(2...5, 1...3) == 3)
        #expect(ProtocolVersion.agreed(1...1, 1...9) == 1)
        #expect(ProtocolVersion.agreed(1...2, 3...4) == nil)
    }

    @Test func sizesAreBounded() {
        func refused(_ message: Message, limit: Int) -> Bool {
            do {
                _ = try Message.decode(message.encoded())
                return false
            } catch { return error == .tooLong(limit: limit) }
        }
        let long = [UInt8](repeating: 65, count: Parcel.maximumContent + 1)
        #expect(refused(.parcel(Parcel(.data(long))), limit: Parcel.maximumContent))
        #expect(!refused(.parcel(Parcel(.data(long.dropLast()))), limit: Parcel.maximumContent))
        let text = String(decoding: long.prefix(Parcel.maximumText + 1), as: UTF8.self)
        #expect(refused(.parcel(Parcel(.text(text))), limit: Parcel.maximumText))
        #expect(!refused(.parcel(Parcel(.text(String(text.dropLast())))), limit: Parcel.maximumText))
        let nodes = [NodeID](repeating: Samples.node(0), count: Parcel.maximumRecipients + 1)
        #expect(refused(.parcel(Parcel(.data([]), recipients: nodes)), limit: 16 * Parcel.maximumRecipients))
        #expect(
            refused(.parcel(Parcel(.data(long + [UInt8](repeating: 0, count: 9000)))), limit: Message.maximumLength))
    }

    /// A length of four billion allocates nothing, because the message ends before.
    @Test func aLengthIsNotBelieved() {
        #expect(throws: WireError.self) { try Message.decode([6, 2, 0xff, 0xff, 0xff, 0xff, 0x0f]) }
        #expect(throws: WireError.self) { try Message.decode([9, 1, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]) }
    }

    @Test func namesThatNoScreenShouldShowAreRefused() {
        var hello = Samples.hello
        for name in ["", "a\u{1b}[2J", "a\nb", "\u{202e}ana", String(repeating: "x", count: 64)] {
            hello.introduction.name = name
            #expect(throws: WireError.self) { try Message.decode(Message.hello(hello).encoded()) }
        }
    }
}
