import Testing

@testable import Potluck

/// The names that people type.
@Suite struct NamesTests {
    @Test(arguments: [
        ("ana", "ana"), ("  ana \n maria ", "ana maria"), ("", "guest"), ("\u{202e}evil", "evil"), ("a\u{0}b", "a b"),
        ("\u{200d}", "guest"), ("<b>x</b>", "<b>x</b>"), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("日本", "日本"),
        (String(repeating: "x", count: 60), String(repeating: "x", count: 40)),
        ("e" + String(repeating: "\u{301}", count: 30), "guest"),
    ])
    func typedNamesBecomeFitForAScreen(_ typed: String, _ shown: String) {
        #expect(ViewerNames.clean(typed) == shown)
    }

    @Test func everyNameIsUnique() {
        #expect(ViewerNames.unique("ana", among: ["ben"]) == "ana")
        #expect(ViewerNames.unique("ana", among: ["Ana", "ana  2"]) == "ana 3")
    }
}
