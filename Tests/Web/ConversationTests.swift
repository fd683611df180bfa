import Testing

@testable import PotluckCore
@testable import PotluckNet
@testable import PotluckSystem

/// Tickets, and the messages that they protect.
@Suite struct ConversationTests {
    private static let ticket = PageTicket([UInt8](0..<15))!
    private static let page = [UInt8](repeating: 1, count: 16)
    private static let gateway = [UInt8](repeating: 2, count: 16)

    private func conversation(
        _ ticket: PageTicket = ticket, page: [UInt8] = page, _ direction: Conversation.Direction = .toGateway
    ) -> Conversation {
        Conversation(ticket, page: page, gateway: Self.gateway, direction)
    }

    /// Pages of later versions compute the same bytes, as another program did for this test (Python's hmac).
    @Test func theBytesStayAsTheyAre() {
        #expect(Self.ticket.text == "000g-40r4-0m30-e209-185g-r38e")
        #expect(Self.ticket.id.hexadecimal == "d9ca31b96a515592")
        var toGateway = conversation()
        let json = Array(#"{"do":"pong"}"#.utf8)
        #expect(String(decoding: toGateway.seal(json), as: UTF8.self) == "2e31d1c30b0057b1365d97d12e70615d")
        #expect(String(decoding: toGateway.seal(json), as: UTF8.self) == "3f901940512294dfd18cfeb54ad1127e")
        var toPage = conversation(Self.ticket, .toPage)
        #expect(String(decoding: toPage.seal(json), as: UTF8.self) == "3235dd1191fd3e6d1a55a76600d534ea")
    }

    @Test func aMessageIsAcceptedOnceAndInItsOrder() {
        var (sender, receiver) = (conversation(), conversation())
        let texts = ["a", "", "b"].map { Array($0.utf8) }
        let sealed = texts.map { sender.seal($0) + $0 }
        for (text, message) in zip(texts, sealed) { #expect(receiver.open(message) == text) }
        var again = conversation()
        #expect(again.open(sealed[0]) != nil && again.open(sealed[0]) == nil)
        var skipping = conversation()
        #expect(skipping.open(sealed[1]) == nil)
    }

    @Test func everyChangeIsNoticed() {
        let json = Array(#"{"do":"results"}"#.utf8)
        var sender = conversation()
        let message = sender.seal(json) + json
        for place in message.indices {
            var receiver = conversation()
            var changed = message
            changed[place] ^= 1
            #expect(receiver.open(changed) == nil)
        }
        for count in 0..<Conversation.macLength {
            var receiver = conversation()
            #expect(receiver.open(Array(message.prefix(count))) == nil)
        }
    }

    @Test func anotherTicketNonceOrDirectionIsNoticed() {
        let json: [UInt8] = Array("{}".utf8)
        var sender = conversation()
        let message = sender.seal(json) + json
        var others = [
            conversation(.random()), conversation(Self.ticket, page: Self.gateway), conversation(Self.ticket, .toPage),
        ]
        for index in others.indices { #expect(others[index].open(message) == nil) }
    }

    @Test func aHelloNamesItsTicketOnly() throws {
        let hello = PageHello(Self.ticket, nonce: Self.page)
        let read = try PageHello(Array(hello.json.text.utf8))
        #expect(read == hello && read.names(Self.ticket) && !read.names(.random()))
        for wrong in [
            "{}", #"{"potluck":2,"ticket":"0011223344556677","nonce":"00112233445566778899aabbccddeeff"}"#,
            #"{"potluck":1,"ticket":"001122334455667","nonce":"00112233445566778899aabbccddeeff"}"#,
            #"{"potluck":1,"ticket":"001122334455667A","nonce":"00112233445566778899aabbccddeeff"}"#,
        ] {
            #expect(throws: PageError.self) { try PageHello(Array(wrong.utf8)) }
        }
    }

    @Test func aTicketHasOneText() throws {
        let ticket = PageTicket.random()
        #expect(
            PageTicket(text: ticket.text) == ticket
                && ticket.text.split(separator: "-").map(\.count) == [4, 4, 4, 4, 4, 4])
        #expect("\(ticket)" == "PageTicket")
        for wrong in [
            "", ticket.text + "0", String(ticket.text.dropLast()), String(ticket.text.dropLast()) + "u",
            String(ticket.text.dropLast()) + "é",
        ] {
            #expect(PageTicket(text: wrong) == nil, "\(wrong)")
        }
    }

    /// In capitals, without hyphens, and with symbols that look like others.
    @Test func aTicketIsReadAsPeopleTypeIt() {
        for _ in 0..<100 {
            let ticket = PageTicket.random()
            for typed in [
                ticket.text.uppercased(), ticket.text.replacing("-", with: ""), ticket.text.replacing("-", with: " "),
                ticket.text.replacing("0", with: "O").replacing("1", with: "l"), ticket.text.replacing("1", with: "I"),
            ] {
                #expect(PageTicket(text: typed) == ticket, "\(typed)")
            }
        }
    }

    @Test func base64GoesThereAndBack() {
        var generator = SeededGenerator(seed: 1)
        for length in 0..<100 {
            let octets = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            #expect(Base64.octets(Base64.text(octets)) == octets)
        }
        #expect(Base64.text(Array("foobar".utf8)) == "Zm9vYmFy" && Base64.text(Array("fooba".utf8)) == "Zm9vYmE=")
        for wrong in ["Zg", "Zg=", "Zh==", "Z===", "Zm9vYmE", "Zm 9", "Zm9=Zm9="] {
            #expect(Base64.octets(wrong) == nil)
        }
    }
}
