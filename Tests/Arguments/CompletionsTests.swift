import Testing

@testable import PotluckScreen

/// What completions offer, and manual pages: every command and option that the help shows, and nothing else.
@Suite struct CompletionsTests {
    private static let group = OptionGroup("Group")

    private static func option(
        _ name: String, short: Character? = nil, _ placeholder: String, _ help: String, repeats: Bool = false
    ) -> OptionDeclaration {
        Option(name, short: short, placeholder, help, in: group, repeats: repeats) { (text) throws(ValueError) in text }
            .declaration
    }

    private static let program = Program(
        "brew", version: "1", summary: "make coffee",
        commands: [
            Command(
                "pour", "pour it's best: now",
                positionals: [
                    Positional("CUP", "a cup", values: .words(["hot", "cold"])),
                    Positional("THEN", "what else", required: false, values: .after(["cold": .words(["ice"])])),
                ],
                options: [
                    option("sugar", short: "s", "N", "pieces [of] sugar"),
                    option("with", "NAME=VALUE", "more", repeats: true), option("milk", "FILE", "the recipe"),
                    option("room", "SESSION", "where"), option("to", "NAME,…", "for whom"),
                    option("size", short: "z", "small|large", "how much"),
                    Flag("secret", "hidden", in: group, hidden: true).declaration,
                ], details: [".begins with a point"], examples: ["pour big"]),
            Command("hide", "a hidden command", hidden: true),
        ], synonyms: ["fill": ["pour"]])

    private static let completer = Completer(program) { noun, asked in
        switch noun {
        case .session: Offer([.init("Monty", "on ana"), .init("My room"), .init("-x"), .init("My\nroom")])
        case .node: Offer(["ana", "anna"].map { .init($0) })
        default: Offer([.init(asked.typed + "=")])
        }
    }

    private func words(_ line: String) async -> [String] { await Self.completer.offer(line).words.map(\.text) }

    @Test func commandsAndOptionsAreThoseOfTheHelp() async {
        #expect(await words("brew ") == ["pour", "help", "version", "--help", "--version"])
        #expect(await words("brew p") == ["pour"])
        #expect(await words("brew help ") == ["pour"])
        #expect(await words("brew hide ") == ["--help"])
        let options = ["--sugar", "--with", "--milk", "--room", "--to", "--size"]
        #expect(await words("brew pour -") == options + ["--help"])
        #expect(await words("brew pour --s") == ["--sugar", "--size"])
        // An option that was given is offered again only if it may be repeated.
        #expect(await words("brew pour -s 1 --with a --s") == ["--size"])
        #expect(await words("brew pour --with a --w") == ["--with"])
        #expect(await words("brew nothing ") == [])
    }

    @Test func aValueIsCompletedWhereverItIsTyped() async {
        for (line, before) in [("--size ", ""), ("--size=", "--size="), ("-z ", ""), ("-z", "-z")] {
            #expect(await words("brew pour " + line) == [before + "small", before + "large"], "\(line)")
            #expect(await words("brew pour \(line)l") == [before + "large"], "\(line)")
        }
        #expect(await words("brew pour --with s") == ["s="])
        // What begins with a dash, or would break the line, is not offered.
        #expect(await words("brew pour --room ") == ["Monty", "My room"])
        #expect(await words("brew pour --room My\\ r") == ["My room"])
        #expect(await words("brew pour --room 'My r") == ["My room"])
        // Nothing is offered where anything may be typed.
        #expect(await Self.completer.offer("brew pour --sugar ") == Offer())
    }

    @Test func aListNamesNothingTwice() async {
        #expect(await words("brew pour --to ") == ["ana", "anna"])
        #expect(await words("brew pour --to ana,") == ["ana,anna"])
        #expect(await words("brew pour --to=anna,an") == ["--to=anna,ana"])
        #expect(await words("brew pour --to ana,anna,") == [])
    }

    @Test func argumentsAreCompletedByTheirPlaceAndByTheFirst() async {
        #expect(await words("brew pour ") == ["hot", "cold"])
        #expect(await words("brew pour -s 3 cold ") == ["ice"])
        #expect(await words("brew pour hot ") == [])
        #expect(await words("brew pour -- c") == ["cold"])
        // All arguments are there, so that only options are left.
        #expect(await words("brew pour cold ice ").first == "--sugar")
        #expect(await words("brew pour -- cold ice ") == [])
        #expect(await Self.completer.offer("brew pour --milk ") == Offer(files: .ending([])))
    }

    /// A line may begin with variables, another program and a path.
    @Test func theLineBeginsWithTheProgram() async {
        for start in ["brew", "/usr/bin/brew", "A=1 brew", "sudo -E brew"] {
            #expect(await words(start + " p") == ["pour"])
        }
        for line in ["", "brew", "tea "] { #expect(await words(line) == []) }
    }

    @Test func whatIsTypedOnlyNarrowsTheOffer() async {
        for line in ["", "pour ", "pour --", "pour --size ", "pour --to=ana,", "help "] {
            let all = await words("brew " + line)
            for word in all {
                let typed = line.split(separator: " ", omittingEmptySubsequences: false).last.map(String.init) ?? ""
                for end in word.indices where word[..<end].count >= typed.count {
                    let prefix = String(word[..<end])
                    let begun = line.dropLast(typed.count) + prefix.replacing(" ", with: "\\ ")
                    #expect(await words("brew " + begun) == all.filter { $0.hasPrefix(prefix) })
                }
            }
        }
    }

    @Test func theAnswerToAShellHasALineForEachWord() {
        #expect(Offer([.init("a", "b"), .init("c")]).text == "words\na\tb\nc\n")
        #expect(Offer(files: .ending([".py", ".c"])).text == "files .py .c\n")
        #expect(Offer(files: .ending([])).text == "files\n" && Offer(files: .folders).text == "folders\n")
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
