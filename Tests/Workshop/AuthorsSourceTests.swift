import Foundation
import Testing

@testable import PotluckMachine

/// Tests of what is read from an author's file before it is compiled.
@Suite struct AuthorsSourceTests {
    @Test(arguments: [
        ("struct Pi: Simulation {", "Pi"), ("public struct Pi : Simulation{", "Pi"),
        ("struct Pi\n    : Sendable, Simulation\n{", "Pi"),
        ("// struct No: Simulation {\nstruct Yes: Simulation {", "Yes"),
        ("/* struct No: Simulation { */ struct Yes: Simulation {", "Yes"),
        ("let s = \"struct No: Simulation {\"; struct Yes: Simulation {", "Yes"),
        ("let s = \"\"\"\nstruct No: Simulation {\n\"\"\"\nstruct Yes: Simulation {", "Yes"),
        ("let s = \"a\\\"struct No: Simulation {\"\nstruct Yes: Simulation {", "Yes"),
        ("struct Tally: SimulationTally {}\nstruct Yes: Simulation {", "Yes"),
        ("struct Yes {}\nextension Yes: Simulation {", "Yes"),
    ])
    func theSimulationIsFound(_ text: String, _ type: String) throws {
        #expect(try AuthorsSource("import PotluckKit\n" + text, label: "x.swift").type == type)
    }

    @Test(arguments: [
        ("struct A: LaneSimulation {}", true), ("struct A: Simulation {}\nextension A: LaneSimulation {}", true),
        ("extension A: LaneSimulation {}\nstruct A: Simulation {}", true), ("struct A: Simulation {}", false),
        ("struct A: Gathering {}", false), ("struct A: Simulation {} // LaneSimulation", false),
        ("struct A: Simulation {}\nlet s = \"extension A: LaneSimulation {\"", false),
    ])
    func lanesAreSeen(_ text: String, _ hasLanes: Bool) throws {
        let author = try AuthorsSource("import PotluckKit\n" + text, label: "x.swift")
        #expect(author.hasLanes == hasLanes && author.type == "A" && author.kind == .simulation)
    }

    @Test(arguments: [
        ("", "x.swift declares no simulation"), ("struct Pi: Simulaton {", "declares no simulation"),
        (
            "struct A: Simulation {}\nstruct B: Simulation {}",
            "declares A and B, but a file must declare one simulation"
        ),
        ("struct A: Simulation {}\n// import PotluckKit", "does not import PotluckKit"),
        ("struct A: LaneSimulation {}\nstruct B: LaneSimulation {}", "declares A and B"),
        ("private struct A: Simulation {}", "A must not be private"), ("struct", "declares no simulation"),
        ("\"struct A: Simulation {", "declares no simulation"), ("/* struct A: Simulation {", "declares no simulation"),
    ])
    func aWrongSourceIsOneLine(_ text: String, _ why: String) throws {
        let error = try #require(throws: WorkshopError.self) { try AuthorsSource(text, label: "x.swift") }
        #expect(error.message.contains(why))
        #expect(!error.message.contains("\n"))
    }
}

/// Tests of compiler messages as the author sees them.
@Suite struct DiagnosticsTests {
    private let diagnostics = Diagnostics(file: "Author.swift", label: "my/own.swift")

    @Test func theAuthorsFileHasTheNameTheyTyped() {
        let said = """
            Author.swift:6:9: error: value of type 'RandomStream' has no member 'belw'
                    random.belw(2)
                    ~~~~~~ ^~~~
            Entry.swift:5:1: note: in something of ours
            whatever
            PotluckKit.Simulation.trial:2:6: note: requires this
            Author.swift:9:1: warning: so so
            """
        let shown = diagnostics.compiler(said)
        #expect(shown.hasPrefix("my/own.swift:6:9: error: value of type"))
        #expect(shown.hasSuffix("my/own.swift:9:1: warning: so so"))
        for ours in ["Entry", "Author", "whatever", "PotluckKit."] { #expect(!shown.contains(ours)) }
    }

    /// The quoted file may come from a stranger.
    @Test func quotedDiagnosticsCommandNoTerminal() {
        let hostile = "\u{1b}[31m\u{7}\u{9b}2J\r\u{202e}"
        let said = "Author.swift:6:9: error: cannot find '\(hostile)'\n\t\(hostile)\n    ^"
        let shown = diagnostics.compiler(said)
        #expect(shown.split(separator: "\n").count == 3 && shown.contains("\n\t\\u{1b}"))
        for text in [
            shown, diagnostics.compiler("error: \(hostile)"), diagnostics.linker("undefined symbol: \(hostile)"),
            diagnostics.linker("wasm-ld: \(hostile)"),
        ] {
            #expect(text.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 9 || $0 == 10 })
        }
    }

    @Test func errorsInOtherFilesAreStillShown() {
        #expect(
            diagnostics.compiler("Entry.swift:3:4: error: 'X' does not conform\n x\n")
                == "my/own.swift: 'X' does not conform")
        #expect(diagnostics.compiler("error: no such target") == "my/own.swift: no such target")
        #expect(diagnostics.compiler("") == "")
    }

    /// The kit marks as deprecated what a plugin must not use; the author need not know that.
    @Test func useOfForbiddenFunctionsIsASentence() {
        let said = """
            Author.swift:1:2: error: 'random(in:)' is deprecated: gives nothing [#DeprecatedDeclaration]
            Author.swift:2:2: error: 'appendInterpolation' is deprecated: this value has no text [#DeprecatedDeclaration]
            Author.swift:3:2: error: 'f()' is deprecated: other
            """
        #expect(
            diagnostics.compiler(said) == """
                my/own.swift:1:2: error: 'random(in:)' gives nothing
                my/own.swift:2:2: error: this value has no text
                my/own.swift:3:2: error: 'f()' is deprecated: other
                """)
    }

    @Test func aHintIsGivenOnce() {
        let one = "Author.swift:1:2: error: cannot use a value of protocol type 'any P' in embedded Swift"
        let shown = diagnostics.compiler("\(one)\n\(one)\nAuthor.swift:1:2: error: no such module 'Foundation'")
        let hints = shown.split(separator: "\n").filter { $0.hasPrefix("my/own.swift: ") }
        #expect(hints.count == 2 && hints[0].contains("import only PotluckKit") && hints[1].contains("some P"))
        let thrown = diagnostics.compiler("Author.swift:1:2: error: cannot use a value of protocol type 'any Error' in")
        #expect(thrown.contains("throws(MyError)") && !thrown.contains("some P"))
    }

    /// The compiler would help to hide a mistake.
    @Test func aGlobalVariableIsNotRecommendedAWayOut() {
        let said = """
            Author.swift:3:5: error: var 'counter' is not concurrency-safe because it is nonisolated global shared mutable state
            var counter = 0
                ^
            Author.swift:3:5: note: convert 'counter' to a 'let' constant to make 'Sendable' shared state immutable
            var counter = 0
            ~~~ ^
            let
            Author.swift:3:5: note: disable concurrency-safety checks if accesses are protected by an external mechanism
            var counter = 0
                ^
            nonisolated(unsafe)\u{20}
            """
        let shown = diagnostics.compiler(said)
        #expect(!shown.contains("disable concurrency") && !shown.contains("\nnonisolated(unsafe)"), "\(shown)")
        #expect(shown.contains("note: convert 'counter' to a 'let'"))
        #expect(shown.contains("\nmy/own.swift: a trial keeps nothing for the next one"), "\(shown)")
    }

    @Test(arguments: [
        ("cannot find 'Task' in scope", "a plugin has no tasks"),
        ("'async' call in a function that does not support concurrency", "a plugin has no tasks"),
        ("cannot find 'ContinuousClock' in scope", "a plugin has no clock"),
        ("cannot use key path in embedded Swift [#EmbeddedRestrictions]", "a plugin has no key paths"),
        (
            "stored property 'deck' of 'Sendable'-conforming struct 'Mine' has non-Sendable type 'Deck'",
            "a simulation is shared by all cores"
        ),
    ]) func functionsOfAnotherKindOfProgramAreExplained(_ error: String, _ hint: String) {
        let shown = diagnostics.compiler("Author.swift:6:9: error: \(error)\n    x\n    ^")
        let hints = shown.split(separator: "\n").filter { $0.hasPrefix("my/own.swift: ") }
        #expect(hints.count == 1 && hints[0].hasPrefix("my/own.swift: \(hint)"), "\(shown)")
    }

    @Test func symbolsThatAPluginLacksAreNamed() {
        let said = "wasm-ld: error: plugin.o: undefined symbol: putchar\nwasm-ld: error: undefined symbol: other"
        #expect(diagnostics.linker(said).contains("cannot print"))
        #expect(diagnostics.linker("wasm-ld: error: plugin.o: undefined symbol: sin").contains("sin is not available"))
    }
}

/// Tests of the folders in which modules are compiled.
@Suite struct ScratchTests {
    @Test func foldersOfInterruptedCompilationsAreRemoved() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-sweep-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["scratch.a", "scratch.a.kit", "kit", "built"] {
            let path = folder.appending(path: name)
            try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
            try Data([1]).write(to: path.appending(path: "file"))
        }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        let now = Int(Date().timeIntervalSince1970)
        // Another process may still use a recent folder.
        Workshop.sweep(folder.path, now: now)
        #expect(try names() == ["built", "kit", "scratch.a", "scratch.a.kit"])
        Workshop.sweep(folder.path, now: now + 7200)
        #expect(try names() == ["built", "kit"])
    }
}

@Suite struct TemplateTests {
    @Test(arguments: ["a", "three-dice", "x9", "my-2nd-try"]) func namesThatCanBe(_ name: String) throws {
        let template = try #require(Template(name))
        for kind in Template.Kind.allCases {
            let text = template.swift(kind)
            #expect(text.contains("static let name: StaticString = \"\(name)\"") && !text.contains("xample"))
            let type = try AuthorsSource(text, label: name).type
            #expect(type.hasSuffix(kind == .search ? "Search" : kind == .ranks ? "Program" : "Simulation"))
            let python = template.python(kind)
            #expect(python?.contains("    name = \"\(name)\"\n") ?? [.search, .ranks, .lanes].contains(kind))
            #expect(python?.contains("xample") ?? false == false)
        }
    }

    @Test(arguments: [("three-dice", 3), ("dice", 2), ("my-10-dice", 10), ("all-99-dice", 2), ("a-tenth", 2)])
    func theNameSaysHowManyDice(_ name: String, _ dice: Int) throws {
        #expect(try #require(Template(name)).swift(.dice).contains("var dice = \(dice)\n"))
        #expect(try #require(Template(name)?.python(.dice)).contains("dice = Parameter(\(dice), "))
    }

    @Test(arguments: [("three-dice", "ThreeDice"), ("none", "NoneSimulation"), ("count", "CountSimulation")])
    func aClassHasANameOfItsOwn(_ name: String, _ type: String) throws {
        #expect(try #require(Template(name)?.python(.dice)).contains("\nclass \(type)(potluck.Simulation):\n"))
    }

    @Test(arguments: ["", "9x", "-a", "a-", "Dice", "a b", "../x", "ä", String(repeating: "a", count: 41)])
    func namesThatCannotBe(_ name: String) { #expect(Template(name) == nil) }
}

/// Tests of the variables of a file, from the words of the linker and of `swift-demangle`.
@Suite struct GlobalVariableTests {
    @Test func theMapHasTheAuthorsVariables() {
        let map = """
            Addr      Off     Size Out     In      Symbol
               15       -       c6        f         plugin.o:(bump)
            20000      751        4         plugin.o:(.data.$e6Plugin6hiddenSivpZ)
            20000      751        4                 $e6Plugin6hiddenSivpZ
            20004      755       10         plugin.o:(.data.$es23_swiftEmptyArrayStorageSi_S3itvp)
            20064        0        4         plugin.o:(.bss.$e6Plugin7counterSivp)
            20068        0        4         kit.o:(.bss.$e6Plugin4elseSivp)
            2006c        0        0         plugin.o:(.bss.$e6Plugin5emptySivp)
            20070        0        4         plugin.o:(.rodata.$e6Plugin5constSivp)
            20074        0        4         plugin.o:(.bss.$e6Plugin6module33_232DLLSivp)
            20078        0        zz        plugin.o:(.bss.$e6Plugin3badSivp)
            fffffffffffffffffff 0 4         plugin.o:(.bss.$e6Plugin3badSivp)
            """
        #expect(
            GlobalVariable.symbols(map) == [
                GlobalVariable.Symbol(name: "$e6Plugin6hiddenSivpZ", place: 0x20000..<0x20004),
                GlobalVariable.Symbol(name: "$e6Plugin7counterSivp", place: 0x20064..<0x20068),
            ])
        #expect(GlobalVariable.symbols("").isEmpty)
        let many = (0..<2000).map { "\($0) 0 1 plugin.o:(.bss.$e6Plugin1a)" }.joined(separator: "\n")
        #expect(GlobalVariable.symbols(many).count == GlobalVariable.most)
    }

    @Test(arguments: [
        ("Plugin.counter : Swift.Int", "counter"),
        ("static Plugin.Notes.last : Swift.Int64", "Notes.last"),
        ("static hidden : Swift.Int in S #1 in Plugin.bump() -> Swift.Int32", "hidden"),
        ("outlined variable #0 of one-time initialization function for box", "box"), ("what", "what"),
    ])
    func theAuthorsNameIsUsed(_ demangled: String, _ name: String) { #expect(GlobalVariable.name(demangled) == name) }
}

/// Tests of the place and the cause of a crash, from the words of `llvm-symbolizer`.
@Suite struct CrashPlaceTests {
    private func place(_ said: String) -> CrashPlace { CrashPlace(said, files: ["Author.swift"], count: 2) }

    @Test func theFirstLineOfTheAuthorsFileCounts() {
        let said = """
            Swift runtime failure: arithmetic overflow
            /x/PotluckKit.swift:9:9
            $e6Plugin
            /x/Author.swift:0:72
            $e6Plugin
            /x/Author.swift:14:53

            $e6Other
            /x/Author.swift:20:1
            """
        #expect(place(said).line == 14)
        #expect(
            place(said).text
                == "it crashed in line 14: an overflow; Int has 32 bits in a plugin, so use Int64 for large numbers")
    }

    @Test func anUnknownPlaceIsNotGuessed() {
        #expect(place("") == place("??\n??:0:0"))
        #expect(
            place("f\nAuthor.swift:3:1").text
                == "it crashed in line 3: for example an index out of range, an overflow (Int has 32 bits in a plugin) or a failed precondition"
        )
        #expect(place("Swift runtime failure: \u{1b}[2J new\n??:0:0").text.contains("\u{1b}") == false)
    }

    /// The call in the third place has a check of its own, which did not fail.
    @Test func onlyTheCrashHasTheCause() {
        let said = "f\nAuthor.swift:3:1\n\nf\nAuthor.swift:3:1\n\nSwift runtime failure: Division by zero\n??:0:0"
        #expect(CrashPlace(said, files: ["Author.swift"], count: 2).cause == nil)
        #expect(CrashPlace(said, files: ["Author.swift"], count: 3).cause == "a division by zero")
    }

    private static let listing = """
        crashed.wasm:\tfile format wasm

        00000220 <f>:
             100:       block
             102:       block
             104:       local.get\t0
             106:       br_if   \t1                       # 1: down to label0
             108:       br_if   \t0                       # 0: down to label1
             10a:       loop    \t                        # label2:
             10c:       br_if   \t2                       # 2: down to label1
             10e:       end
             10f:       end
             110:       return
             111:       end
             112:       unreachable
             113:       end
        """

    @Test func aJumpLeadsToItsCheck() {
        #expect(FailedCheck.stop(after: 0x106, Self.listing) == 0x112)
        // The block ends with something else than a stop.
        #expect(FailedCheck.stop(after: 0x108, Self.listing) == nil)
        #expect(FailedCheck.stop(after: 0x10c, Self.listing) == 0x112)
        // No jump, the last instruction, no instruction, nothing at all.
        for place in [0x104, 0x112, 0x113, 0x105, -1] { #expect(FailedCheck.stop(after: place, Self.listing) == nil) }
        #expect(FailedCheck.stop(after: 0x106, "") == nil)
        #expect(FailedCheck.stop(after: 1, "1: br_if 9999999999999999999\n2: end") == nil)
        #expect(FailedCheck.stop(after: 1, "1: br_if \(Int.max)\n2: end") == nil)
        #expect(FailedCheck.stop(after: 1, "1: br_if -5\n2: unreachable") == nil)
    }

    @Test func theCodeOfAModuleIsFound() {
        let header = Array("\0asm".utf8) + [1, 0, 0, 0]
        #expect(Workshop.codeStart(header + [1, 2, 9, 9, 10, 0x81, 0x00, 7]) == 15)
        for broken in [[], header, header + [1], header + [1, 0x80], header + [1, 200, 200, 200, 200, 200, 200]] {
            #expect(Workshop.codeStart(broken) == nil)
        }
    }
}
