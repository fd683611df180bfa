import Foundation
import Testing

@testable import PotluckCommand
@testable import PotluckCore

@Suite struct JSONTests {
    @Test func valuesAreWrittenOnOneLineInTheOrderGiven() {
        let value: JSON = [
            "name": .string("stay"), "count": JSON(UInt64.max), "deep": .array([.null, .bool(true), .integer(-1)]),
            "empty": .object([]), "none": .array([]),
        ]
        #expect(
            value.text
                == #"{"name":"stay","count":18446744073709551615,"deep":[null,true,-1],"empty":{},"none":[]}"#)
    }

    @Test func nonFiniteNumbersAreNull() {
        for value in [Double.nan, .infinity, -.infinity] { #expect(JSON.number(value).text == "null") }
    }

    @Test func everyNumberReadsBackAsTheSame() throws {
        var generator = SplitMix(state: 1)
        for _ in 0..<2000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            #expect(Double(JSON.number(value).text) == value)
            let parsed = try JSONSerialization.jsonObject(with: Data("[\(JSON.number(value).text)]".utf8)) as? [Double]
            // Foundation's parser may be off by some ulps. The test checks only that it accepts the form.
            let read = try #require(parsed?.first)
            #expect(abs(read - value) <= 16 * max(value.ulp, read.ulp))
        }
    }

    /// JSON does not require this, but a terminal treats more characters as commands or reverses text because of them.
    @Test func charactersThatCommandATerminalAreEscaped() throws {
        for scalar in [
            "\u{1b}", "\u{7}", "\u{7f}", "\u{9b}", "\u{ad}", "\u{202e}", "\u{2066}", "\u{2028}", "\u{feff}",
            "\u{e0001}",
        ] {
            let text = JSON.string("a\(scalar)b").text
            #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "\(text.debugDescription)")
            let read = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [String]
            #expect(read == ["a\(scalar)b"])
        }
        #expect(JSON.string("Zoë \u{1f468}\u{200d}\u{1f469}").text == "\"Zoë \u{1f468}\u{200d}\u{1f469}\"")
    }

    @Test func everyStringReadsBackAsTheSame() throws {
        var generator = SplitMix(state: 2)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<20 {
                // Half of the characters are among the first ones, because most of the awkward ones are there.
                let value = UInt32(generator.next() % (generator.next() % 2 == 0 ? 0xa0 : 0x11_0000))
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            let written: JSON = ["\(text)": .string(text)]
            let parsed = try JSONSerialization.jsonObject(with: Data(written.text.utf8)) as? [String: String]
            let entry = try #require(parsed?.first)
            #expect(Array(entry.value.unicodeScalars) == Array(text.unicodeScalars))
            #expect(Array(entry.key.unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test func noStringCanCommandATerminal() {
        let text = JSON.string("\u{1b}[31m\u{9b}31m\u{7f}").text
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
