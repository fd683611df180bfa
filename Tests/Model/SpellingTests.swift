import PotluckCore
import Testing

@Suite struct SpellingTests {
    @Test(arguments: [
        ("trails", "trials", "two letters swapped"), ("trial", "trials", "one missing"),
        ("trialss", "trials", "one too many"),
        ("monty-hal", "monty-hall", "one missing"), ("monty", "monty-hall", "the beginning"),
        ("montyhall", "monty-hall", "no hyphen"), ("Monty_Hall", "monty-hall", "capitals and the other dash"),
        ("p", "pi", "half of a short one"), ("x", nil, "nothing of a short one"), ("ip", "pi", "swapped"),
        ("", nil, "nothing"),
        ("zebra", nil, "nothing like it"), ("seeds", "seed", "one too many"),
    ])
    func nearest(_ word: String, _ meant: String?, _ reason: String) {
        let found = Spelling.nearest(to: word, among: ["trials", "monty-hall", "pi", "seed"])
        #expect(found == meant, Comment(rawValue: reason))
    }

    @Test func typedTextIsShownInOneHarmlessLine() {
        #expect(Spelling.quoted("plain") == "'plain'")
        #expect(Spelling.quoted("") == "''")
        #expect(Spelling.path("a/b") == "a/b")
        #expect(Spelling.path("two words") == "'two words'")
        #expect(Spelling.quoted("a\n\u{1b}[2J\u{202e}") == "'a\\u{a}\\u{1b}[2J\\u{202e}'")
        #expect(Spelling.quoted(String(repeating: "x", count: 1000)).count == 63)
    }
}
