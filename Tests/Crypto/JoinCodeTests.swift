import PotluckCore
import Testing

@testable import PotluckSystem

@Suite struct JoinCodeTests {
    @Test func theWordsAreGoodToReadAloudAndType() {
        let words = CodeWords.all
        #expect(words.count == 2048)
        #expect(words == words.sorted())
        #expect(words.allSatisfy { (4...7).contains($0.count) && $0.utf8.allSatisfy { (97...122).contains($0) } })
        // Four letters identify a word, so no word is the beginning or the plural of another.
        #expect(Set(words.map { $0.prefix(4) }).count == words.count)
    }

    /// No word becomes another word by one typing error.
    @Test func noWordIsASlipAwayFromAnother() {
        let words = Set(CodeWords.all.map { Array($0.utf8) })
        for word in words {
            for place in 0...word.count {
                var slips: [[UInt8]] = []
                if place < word.count {
                    slips.append(Array(word[..<place] + word[(place + 1)...]))
                    slips += (97...122).map { Array(word[..<place]) + [UInt8($0)] + word[(place + 1)...] }
                }
                slips += (97...122).map { Array(word[..<place]) + [UInt8($0)] + word[place...] }
                if place + 1 < word.count {
                    slips.append(Array(word[..<place]) + [word[place + 1], word[place]] + word[(place + 2)...])
                }
                for slip in slips where slip != word && words.contains(slip) {
                    Issue.record("\(String(decoding: word, as: UTF8.self)) \(String(decoding: slip, as: UTF8.self))")
                }
            }
        }
    }

    @Test func noTwoWordsSoundAlike() {
        var heard: [String: String] = [:]
        for word in CodeWords.all {
            let sound = Self.sound(word)
            #expect(heard[sound] == nil, "\(word) \(heard[sound] ?? "")")
            heard[sound] = word
        }
        #expect(Self.sound("flour") == Self.sound("flower"))
        #expect(Self.sound("knight") == Self.sound("night"))
        #expect(Self.sound("phase") == Self.sound("faze"))
    }

    /// Returns the consonants roughly as an English reader says them. All vowels count as one.
    static func sound(_ word: String) -> String {
        var rest = Substring(word)
        for (silent, said) in [("kn", "n"), ("wr", "r"), ("gn", "n"), ("ps", "s"), ("wh", "w")] {
            if rest.hasPrefix(silent) { rest = Substring(said + rest.dropFirst(2)) }
        }
        let groups: [(String, String)] = [
            ("ph", "f"), ("tch", "C"), ("ck", "k"), ("qu", "k."), ("sch", "sk"), ("ch", "C"), ("gh", ""), ("ce", "s."),
            ("ci", "s."), ("cy", "s."), ("c", "k"), ("q", "k"), ("x", "ks"), ("z", "s"),
        ]
        var said = ""
        while let first = rest.first {
            if let (written, spoken) = groups.first(where: { rest.hasPrefix($0.0) }) {
                said += spoken
                rest = rest.dropFirst(written.count)
            } else {
                said += "aeiouyw".contains(first) ? "." : String(first)
                rest = rest.dropFirst()
            }
        }
        if word.hasSuffix("e"), said.hasSuffix(".") { said.removeLast() }
        var short = ""
        for letter in said where letter != short.last { short.append(letter) }
        return short
    }

    @Test func aCodeIsReadHoweverItIsTyped() throws {
        let code = try JoinCode(typed: "maple river candle ocean tiger")
        for typed in [
            "Maple-River-Candle-Ocean-Tiger", "  maple, river  candle ocean TIGER ", "mapl rive cand ocea tige",
            "maple.river.candle.ocean.tiger\n", code.spelled,
        ] {
            #expect(try JoinCode(typed: typed) == code)
        }
        #expect(code.spelled == "maple-river-candle-ocean-tiger")
    }

    @Test func everyBeginningOfFourLettersIsEnough() throws {
        for start in stride(from: 0, to: 2045, by: 5) {
            let words = Array(CodeWords.all[start..<start + 5])
            let code = try JoinCode(typed: words.map { String($0.prefix(4)) }.joined(separator: " "))
            #expect(code.spelled == words.joined(separator: "-"))
        }
    }

    @Test func aTypoIsAnsweredWithASuggestion() {
        func explanation(_ typed: String) -> String { failure(typed)?.explanation ?? "read" }
        #expect(
            explanation("maple rivre candle ocean tiger") == "word 2 of the join code is unknown; did you mean river?")
        #expect(explanation("maple river cnadle ocean tiger").contains("did you mean candle, "))
        #expect(explanation("tige oceam maple maple maple").contains("word 2"))
        #expect(explanation("oceam tiger maple maple maple").hasSuffix("did you mean ocean?"))
        #expect(explanation("p tiger maple maple maple").contains(" or "))
        #expect(explanation("xxxxxxxx a a a a").hasSuffix("check the host's screen"))
        #expect(explanation("") == "the join code is empty; type the five words on the host's screen")
        #expect(
            explanation("maple river") == "a join code has five words, not 2; type the five words on the host's screen")
    }

    private func failure(_ typed: String) -> JoinCodeError? {
        do {
            _ = try JoinCode(typed: typed)
            return nil
        } catch { return error }
    }

    @Test func everySlipIsAnsweredWithTheWord() {
        var answered = 0
        for word in CodeWords.all.indices.filter({ $0.isMultiple(of: 31) }).map({ CodeWords.all[$0] }) {
            var typed = Array(word.utf8)
            typed.swapAt(1, 2)
            guard typed != Array(word.utf8) else { continue }
            guard case .unknownWord(_, let meant) = failure(String(decoding: typed, as: UTF8.self)) else { continue }
            #expect(meant.exposed.contains(word), "\(word)")
            answered += 1
        }
        #expect(answered > 50)
    }

    @Test func codesAreDrawnFromAllWords() {
        var bounds: [UInt32] = []
        let code = JoinCode { bound in
            bounds.append(bound)
            return bound - UInt32(bounds.count)
        }
        #expect(bounds == [2048, 2048, 2048, 2048, 2048])
        #expect(code.spelled == CodeWords.all.suffix(5).reversed().joined(separator: "-"))
        #expect(JoinCode.random() != JoinCode.random())
    }

    /// Neither a code nor an error about one shows a word, however it is printed.
    @Test func nothingSecretIsPrinted() throws {
        let code = try JoinCode(typed: "maple river candle ocean tiger")
        var texts = ["\(code)", String(describing: code), String(reflecting: code), "\([code])", "\(code as Any)"]
        var dumped = ""
        dump(code, to: &dumped)
        texts.append(dumped)
        let error = try #require(failure("maple rivre"))
        texts += ["\(error)", String(reflecting: error)]
        dump(error, to: &dumped)
        texts.append(dumped)
        for text in texts { #expect(!text.contains("river") && !text.contains("maple"), "\(text)") }
    }

    /// People who read words from a screen leave out blanks, or begin each word with a capital.
    @Test func capitalsSeparateWords() throws {
        let wanted = try JoinCode(typed: "maple river candle ocean tiger")
        for text in ["MapleRiverCandleOceanTiger", "Maple RiverCandle-oceanTiger", "MAPLE River CANDLE ocean tiger"] {
            #expect(try JoinCode(typed: text) == wanted, "\(text)")
        }
        #expect(throws: JoinCodeError.count(3)) { try JoinCode(typed: "MapleRiverCandle") }
    }
}
