import PotluckCore
import Testing

@Suite struct HexadecimalTests {
    @Test func hexadecimalTextReadsBack() {
        for count in 0...33 {
            let octets = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect([UInt8](hexadecimal: octets.hexadecimal) == octets)
            #expect([UInt8](hexadecimal: octets.hexadecimal.uppercased()) == octets)
        }
    }

    @Test(arguments: ["0", "0g", "g0", " 00", "+1", "００", "0\u{301}0"])
    func anythingElseIsNothing(_ text: String) { #expect([UInt8](hexadecimal: text) == nil) }

    @Test(arguments: ["", " ", "a", " a b\t", "\u{a0}x\n"]) func onlyTheEndsAreTrimmed(_ text: String) {
        let trimmed = text.trimmed
        #expect(trimmed.first?.isWhitespace != true && trimmed.last?.isWhitespace != true)
        #expect(text.contains(trimmed) && trimmed.filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }
}
