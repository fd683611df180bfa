import PotluckCore
import Testing

@testable import PotluckSystem

@Suite struct KeyTests {
    private func session(_ name: String) throws -> SessionID { try #require(SessionID(name)) }

    @Test func codesAreTheSameHoweverTheyAreTyped() throws {
        let monty = try session("Monty")
        let typed = [
            "maple river candle ocean tiger", "Maple-River-Candle-Ocean-Tiger", "  maple, river  candle ocean TIGER ",
        ]
        let tags = try typed.map {
            try SessionRoot(code: JoinCode(typed: $0), session: monty).beacon.tag(of: [1, 2, 3])
        }
        #expect(Set(tags).count == 1)
    }

    @Test func keysDependOnCodeSessionAndKind() throws {
        let message: [UInt8] = [7]
        let (a, b) = (try JoinCode(typed: "zoo zoo zoo zoo zeb"), try JoinCode(typed: "zoo zoo zoo zeb zoo"))
        let tags = try [
            SessionRoot(code: a, session: session("Monty")), SessionRoot(code: b, session: session("Monty")),
            SessionRoot(code: a, session: session("Pi")), SessionRoot(openTo: session("Monty")),
            SessionRoot(openTo: session("Pi")),
        ].map { $0.beacon.tag(of: message) }
        #expect(Set(tags).count == tags.count)
    }

    /// All builds must derive the same keys.
    @Test func goldenValues() throws {
        let monty = try session("Monty")
        #expect(monty.hash.description == "3331b52c8a1696ea")
        let code = try SessionRoot(code: JoinCode(typed: "maple river candle ocean tiger"), session: monty)
        #expect(code.beacon.tag(of: []).hexadecimal == "a8975c9d0efd6d56e21f14faf694b54c")
        #expect(SessionRoot(openTo: monty).beacon.tag(of: []).hexadecimal == "1a7c1a7293fa275afc14a48d34323f4e")
        #expect(Identity.node(of: [UInt8](repeating: 0, count: 32)).description == "ff0f22492f44bac4c4b30ae58d0e8daa")
    }

    @Test func tagsAreCheckedWhole() throws {
        let key = SessionRoot(openTo: try session("Monty")).beacon
        let tag = key.tag(of: [1])
        #expect(key.isTag(tag, of: [1]))
        #expect(!key.isTag(tag, of: [2]))
        #expect(!key.isTag(tag.dropLast(), of: [1]))
        for (datagram, isRight) in [([1] + tag, true), ([2] + tag, false), (tag, false), ([], false)] {
            let isTag = key.isTag(endOf: datagram.span)
            #expect(isTag == isRight)
        }
        for index in tag.indices {
            var other = tag
            other[index] ^= 1
            #expect(!key.isTag(other, of: [1]))
        }
    }

    @Test func onlyTheNodeItselfSigns() {
        let ana = Identity()
        let bob = Identity()
        let message: [UInt8] = [1, 2, 3]
        let signature = ana.signature(of: message)
        #expect(Identity.isSignature(signature, of: message, by: ana.publicKey))
        #expect(!Identity.isSignature(signature, of: message, by: bob.publicKey))
        #expect(!Identity.isSignature(signature, of: [1, 2], by: ana.publicKey))
        #expect(!Identity.isSignature(signature, of: message, by: []))
        for index in signature.indices {
            var other = signature
            other[index] ^= 1
            #expect(!Identity.isSignature(other, of: message, by: ana.publicKey))
        }
        #expect(!Identity.isSignature(signature.dropLast(), of: message, by: ana.publicKey))
    }

    /// A dump shows no more than a print.
    @Test func keysOfLinksAreNotPrinted() throws {
        let key = SessionRoot(openTo: try session("Monty")).link
        var text = ""
        dump(key, to: &text)
        #expect("\(key)" == "LinkKey" && !text.contains("0x") && text.contains("(secret)"))
        #expect(key.octets.exposed.count == 32)
    }

    @Test func everyStartIsAnotherNode() {
        #expect(Identity().node != Identity().node)
    }

    @Test func secretsAreNotPrinted() throws {
        let root = SessionRoot(openTo: try session("Monty"))
        #expect("\(root) \(root.beacon)" == "SessionRoot BeaconKey")
    }
}
