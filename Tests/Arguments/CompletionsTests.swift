import Testing

@testable import PotluckScreen

/// Completions and manual pages name every command and option that the help shows, and nothing else.
@Suite struct CompletionsTests {
    private static let group = OptionGroup("Group")
    private static let program = Program(
        "brew", version: "1", summary: "make coffee",
        commands: [
            Command(
                "pour", "pour it's best: now", positionals: [Positional("CUP", "a cup")],
                options: [
                    Option("sugar", short: "s", "N", "pieces [of] sugar", in: group) { (text) throws(ValueError) in text
                    }
                    .declaration,
                    Flag("secret", "hidden", in: group, hidden: true).declaration,
                ], details: [".begins with a point"], examples: ["pour big"]),
            Command("hide", "a hidden command", hidden: true),
        ], synonyms: ["fill": ["pour"]])

    @Test(arguments: Completions.allCases)
    func everyShellCompletesTheWordsOfTheHelp(_ shell: Completions) {
        let script = shell.script(for: Self.program)
        for word in ["pour", "sugar", "help", "version"] { #expect(script.contains(word), "\(word)") }
        #expect(!script.contains("secret") && !script.contains("hide"))
    }

    @Test func manualPagesAreOfTheSameDeclarations() throws {
        let pages = ManualPage.all(of: Self.program)
        #expect(pages.map(\.name) == ["brew.1", "brew-pour.1"])
        let page = try #require(pages.last?.text)
        for text in [
            "brew\\-pour \\- pour it's best: now", "\\fB\\-\\-sugar\\fR \\fIN\\fR", "\\&.begins", "brew pour big",
        ] {
            #expect(page.contains(text), "\(text)")
        }
        #expect(!page.contains("secret"))
    }

    @Test func wordsOfOtherProgramsAreUnderstood() {
        #expect(throws: UsageError("unknown command 'fill'; did you mean 'brew pour'?")) {
            try Self.program.parse(["fill"])
        }
        for words in [["-V"], ["version"], ["--version"], ["pour", "-V"]] {
            guard case .version? = try? Self.program.parse(words) else {
                Issue.record("\(words) is not the version")
                continue
            }
        }
    }
}
