import Testing

/// Each rule reports a bad example and accepts a good one.
@Suite struct RuleTests {
    static let house = House(
        architecture: """
            | folder | its one job | may import | from outside |
            | --- | --- | --- | --- |
            | `Kit` | what an author imports | – | – |
            | `Plugins/*` | a simulation | Kit | – |
            | `Catalogue` | all simulations | Kit | – |
            | `Engine` | decisions | Kit | – |
            | `Links` | sockets | Engine | Glibc, CTLS |
            | `Node` | the shell | Engine | – |
            | `Command` | the command line | all | Glibc |
            | `Benchmarks/*` | measurements | Kit | Glibc |
            | `Tests/Lab` | liars | Kit | Glibc |

            | folder | of another table |
            | --- | --- |
            | `Nonsense` | – |
            """)

    func lines(_ rule: (TextFile) -> [Finding], _ path: String, _ text: String) -> [Int] {
        rule(TextFile(path, text)).map(\.line)
    }

    @Test(arguments: [
        ("Sources/Kit/A.swift", "import Foundation", false),
        ("Sources/Engine/A.swift", "import PotluckKit", true),
        ("Sources/Engine/A.swift", "public import PotluckKit", true),
        ("Sources/Engine/A.swift", "@testable import PotluckLinks", false),
        ("Sources/Engine/A.swift", "import struct PotluckLinks.Link", false),
        ("Sources/Engine/A.swift", "#if os(Linux)\n    import Glibc\n#endif", false),
        ("Sources/Engine/A.swift", "// import Glibc\n/* import Glibc */ let s = \"import Glibc\"", true),
        ("Sources/Links/A.swift", "import CTLS\nimport Glibc\nimport PotluckEngine", true),
        ("Sources/Links/A.swift", "import PotluckKit", false),
        ("Sources/Command/A.swift", "import PotluckLinks", true),
        ("Sources/Command/A.swift", "import Foundation", false),
        ("Sources/Command/A.swift", "import Potluck", true),
        ("Sources/Links/A.swift", "import Potluck", false),
        ("Sources/Unheard/A.swift", "", false),
        ("Sources/Nonsense/A.swift", "", false),
        ("Plugins/Pi/Pi.swift", "import PotluckKit", true),
        ("Plugins/Pi/Pi.swift", "import PotluckEngine", false),
        ("Plugins/Catalogue.swift", "import PotluckKit", true),
        ("Tests/Kit/A.swift", "import Foundation", true),
        ("Benchmarks/Bench/main.swift", "import PotluckKit\nimport Glibc", true),
        ("Benchmarks/Bench/main.swift", "import PotluckLinks", false),
        ("Tests/Lab/Rogue/main.swift", "import PotluckKit\nimport Glibc", true),
        ("Tests/Lab/Rogue/main.swift", "import PotluckLinks", false),
    ])
    func importsOutsideTheTableAreFound(path: String, text: String, fine: Bool) {
        #expect(Self.house.findings(in: TextFile(path, text)).isEmpty == fine)
    }

    @Test func cyclesAreFound() {
        #expect(Self.house.cycles.isEmpty)
        let round = House(
            architecture: "| folder | job | may import | outside |\n| `A` | a | B | – |\n| `B` | b | A | – |")
        #expect(round.cycles == ["A", "B"])
    }

    @Test func thePackageIsHeldAgainstTheTable() {
        let manifest = Manifest(
            """
            let package = Package(name: "potluck", products: [.library(name: "X", targets: ["X"])], targets: [
                module("Kit"),  // the kit's, and "nobody's", [
                module("Engine", ["Kit", "Links"]),
                .executableTarget(
                    name: "potluck", dependencies: ["PotluckEngine", .target(name: "PotluckKit")], path: "Sources/Command",
                    linkerSettings: [.linkedLibrary("m")]),
                .executableTarget(name: "bench", dependencies: ["PotluckLinks"], path: "Benchmarks/Bench"),
                .target(name: "PotluckUnheard", plugins: ["Hashes"]),
                .plugin(name: "Hashes", capability: .buildTool(), path: "Tools/Hashes"),
                tests("Engine", ["Engine", "Links"]),
            ])
            """)
        #expect(manifest.targets.map(\.name) == ["Kit", "Engine", "potluck", "bench", "PotluckUnheard", "Engine"])
        #expect(manifest.targets[2].dependencies == ["PotluckEngine", "PotluckKit"])
        #expect(
            manifest.findings(Self.house, folders: ["Kit", "Engine", "Command", "Lost"]).map(\.what) == [
                "Engine may not depend on Links (docs/ARCHITECTURE.md)",
                "Benchmarks/* may not depend on PotluckLinks (docs/ARCHITECTURE.md)",
                "Unheard has no row in docs/ARCHITECTURE.md",
                "no target for Sources/Lost",
            ])
    }

    @Test func undeclaredImportsAreFound() {
        let manifest = Manifest(
            """
            targets: [
                module("Kit"), module("Engine", ["Kit"]), module("Links", ["Engine"]),
                .target(name: "PotluckCatalogue", dependencies: ["PotluckKit"], path: "Plugins"),
            ]
            """)
        func lines(_ path: String, _ text: String) -> [Int] {
            manifest.findings(in: TextFile(path, text), Self.house).map(\.line)
        }
        #expect(lines("Sources/Links/A.swift", "import Glibc\nimport PotluckEngine\n") == [])
        #expect(lines("Sources/Links/A.swift", "import PotluckEngine\nimport PotluckKit\n") == [2])
        #expect(lines("Plugins/Pi/Pi.swift", "import PotluckKit\n") == [])
    }

    @Test func longFilesAreFound() {
        let most = String(repeating: "let a = 1\n", count: Rules.longest)
        #expect(lines(Rules.length, "Sources/Kit/A.swift", most) == [])
        #expect(lines(Rules.length, "Sources/Kit/A.swift", most + "\n") == [Rules.longest + 1])
        #expect(lines(Rules.length, "docs/A.md", most + "\n") == [])
    }

    @Test func blanksAreFound() {
        #expect(lines(Rules.blanks, "a.c", "int a;\nint b; \n\tint c;\n") == [2, 3])
        #expect(lines(Rules.blanks, "Makefile", "a:\n\techo\n") == [])
        #expect(lines(Rules.blanks, "a.c", "int a;") == [1])
        #expect(lines(Rules.blanks, "a.c", "int a;\n\n") == [3])
        #expect(lines(Rules.blanks, "a.c", "") == [])
    }

    @Test func promisesAreFound() {
        for word in Rules.promises {
            #expect(lines(Rules.unfinished, "a.sh", "true\n# \(word): more\n") == [2])
            #expect(lines(Rules.unfinished, "a.sh", "mktemp /tmp/a.\(word)\(word)\n") == [])
        }
    }

    @Test func stiltedSentencesAreFound() {
        for phrase in Rules.stilted {
            #expect(lines(Rules.wording, "Sources/Command/A.swift", "let a = 1\nlet b = \"it \(phrase) it\"\n") == [2])
            #expect(lines(Rules.wording, "Sources/Command/A.swift", "let a = \"b\"  // it \(phrase) it\n") == [])
        }
    }

    @Test func machinePathsAreFound() {
        for place in Rules.machines { #expect(lines(Rules.machinePaths, "a.md", "see \(place)x\n") == [1]) }
        #expect(lines(Rules.machinePaths, "a.md", "see /usr/local/bin\n") == [])
    }

    @Test(arguments: [
        ("Sources/Engine/A.swift", "print(1)", false),
        ("Sources/Engine/A.swift", "    Swift.print(1)", false),
        ("Sources/Engine/A.swift", "debugPrint(1)", false),
        ("Sources/Engine/A.swift", "// print(1)", true),
        ("Sources/Engine/A.swift", "let a = \"\\\"print(1)\"", true),
        ("Sources/Engine/A.swift", "let a = #\"\"\"\n\" print(1)\n\"\"\"#", true),
        ("Sources/Engine/A.swift", "let a = #\"\\\"#; print(1)", false),
        ("Sources/Engine/A.swift", "/* a /* b */ print(1) */", true),
        ("Sources/Engine/A.swift", "/* a /* b */ */ print(1)", false),
        ("Sources/Engine/A.swift", "footprint(1); screen.print(1); func print(_: Int) {}", true),
        ("Sources/Command/A.swift", "print(1)", true),
        ("Plugins/Pi/Pi.swift", "print(1)", false),
        ("Tests/Engine/A.swift", "print(1)", true),
        ("Benchmarks/Bench/main.swift", "print(1)", true),
        ("Tests/Lab/Rogue/main.swift", "print(1)", true),
    ])
    func printingIsFound(path: String, text: String, fine: Bool) {
        #expect(Rules.printing(TextFile(path, text)).isEmpty == fine)
    }

    @Test(arguments: [
        ("Sources/Command/A.swift", "let before = umask(0o177)", false),
        ("Sources/CLinux/a.c", "umask(077);", false),
        ("Sources/Command/A.swift", "// umask(0o177)\nfchmod(descriptor, 0o600); node.chdir(1)", true),
        ("Tests/Lab/lab.sh", "umask(077)", true),
    ])
    func callsThatChangeTheProcessAreFound(path: String, text: String, fine: Bool) {
        #expect(Rules.processWide(TextFile(path, text)).isEmpty == fine)
    }

    @Test func ambienceIsFound() {
        for word in Rules.ambient {
            let text = "let a = 1\nlet b = c\(word)\n"
            #expect(lines({ Rules.ambience($0, house: Self.house) }, "Sources/Engine/A.swift", text) == [2])
            #expect(lines({ Rules.ambience($0, house: Self.house) }, "Plugins/Pi/Pi.swift", text) == [2])
            #expect(lines({ Rules.ambience($0, house: Self.house) }, "Sources/Links/A.swift", text) == [])
            #expect(lines({ Rules.ambience($0, house: Self.house) }, "Sources/Engine/A.swift", "// \(word)\n") == [])
        }
    }

    @Test(arguments: [
        ("[a](B.md) and [c](../README.md#two-words)", true),
        ("[a](C.md)", false),
        ("[a](#here)", true),
        ("[a](#there)", false),
        ("[a](../README.md#three)", false),
        ("[a](../README.md#two-words-1)", true),
        ("[a](https://example.org/x)", true),
        ("say `make test`, see `docs/B.md` and `Sources/Kit/`", true),
        ("say `make coffee`", false),
        ("`make` alone; see `Sources/*` and `Sources/…`", true),
        ("see `docs/C.md`", false),
        ("```\n[a](C.md)\n```", true),
    ])
    func deadLinksAreFound(text: String, fine: Bool) {
        let file = TextFile("docs/A.md", "# Here\n\n\(text)\n")
        let files = [
            file, TextFile("docs/B.md", ""), TextFile("README.md", "# Two words!\n# Two, words\n```\n# Three\n```\n"),
            TextFile("Makefile", "SHELL := sh\ntest: deps\n\tswift test\n"),
        ]
        let links = Links(paths: Set(files.map(\.path) + ["docs", "Sources", "Sources/Kit"]), files: files)
        #expect(links.findings(in: file).isEmpty == fine)
    }

    @Test(arguments: [
        ("`Seat`, `Seat.sit`, `sit` and `sit down`", "Chair.swift`, `Room.swift", 2, []),
        ("`stand`", "Chair.swift`, `Room.swift", 2, [5]),
        ("`Seat.stand`", "Chair.swift`, `Room.swift", 2, [5]),
        ("`Table`", "Chair.swift`, `Room.swift", 2, [5]),
        ("`enter`", "Chair.swift`, `Room.swift", 2, [5]),
        ("`Sources/A/Room.swift`: `enter`", "Chair.swift`, `Room.swift", 2, []),
        ("`Sources/A/Room.swift`: `sit`", "Chair.swift`, `Room.swift", 2, [5]),
        ("`Sources/A/Attic.swift`", "Chair.swift`, `Room.swift", 2, [5]),
        ("`make test FILTER=ChairTests`", "Chair.swift`, `Room.swift", 2, []),
        ("`make test FILTER=TableTests`", "Chair.swift`, `Room.swift", 2, [5]),
        ("Sit.", "Chair.swift`, `Room.swift", 3, [7]),
        ("Sit.", "Chair.swift`, `Chair.swift", 1, [11]),
        ("Sit.", "Chair.swift`, `Attic.swift", 2, [11]),
        ("Sit.", "Room.swift", 1, [7]),
    ])
    func wrongToursAreFound(text: String, list: String, count: Int, lines: [Int]) {
        let page = TextFile(
            "docs/TOUR.md",
            """
            ## 1. A chair

            [`Sources/A/Chair.swift`](../Sources/A/Chair.swift): `sit`

            \(text)

            ## All: \(count) files

            | where | files |
            | --- | --- |
            | A | `Sources/A` `\(list)` |

            """)
        let files = [
            TextFile("Sources/A/Chair.swift", "struct Seat {\n    func sit() {}\n    // func stand() {}\n}\n"),
            TextFile(
                "Sources/A/Room.swift", "enum Room {\n    case large\n    static func enter(by door: Int) {}\n}\n"),
        ]
        let tour = Tour(page, paths: Set(files.map(\.path) + ["Tests/A/ChairTests.swift"]), files: files)
        #expect(tour.findings.map(\.line) == lines)
        #expect(tour.sections.compactMap(\.stop) == [1])
    }

    @Test(arguments: [
        "`Sources/A/Chair.swift`: `sit`", "[`Sources/A/Chair.swift`](../Sources/A/Chair.swift)",
        "[`Sources/A/Chair.swift`](../Sources/A/Room.swift): `sit`",
    ])
    func stopsWithoutAFileAndAFunctionAreFound(first: String) {
        let files = [TextFile("Sources/A/Chair.swift", "func sit() {}\n")]
        let tour = Tour(TextFile("docs/TOUR.md", "## 1. A chair\n\n\(first)\n"), paths: [], files: files)
        #expect(tour.findings.map(\.line) == [1])
    }

    @Test func largeTypesAreFound() {
        func type(_ count: Int, _ property: String = "    private(set) var a = 0") -> String {
            "struct S {\n" + String(repeating: property + "\n", count: count) + "}\n"
        }
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", type(20)) == [])
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", type(21)) == [1])
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", type(21, "    var a: Int { 1 }")) == [])
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", type(21, "    static let a = 1")) == [])
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", type(21, "        let a = 1")) == [])
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", type(11, "    let a, b: Int")) == [1])
        #expect(lines(Sizes.types, "Sources/Engine/A.swift", "enum E {\n    final class C {\n    }\n}\n") == [])
    }

    @Test func longFunctionsAreFound() {
        func function(_ count: Int, _ first: String = "    mutating func f() {") -> String {
            "struct S {\n" + first + "\n" + String(repeating: "        g()\n", count: count) + "    }\n}\n"
        }
        #expect(lines(Sizes.functions, "Tests/Engine/A.swift", function(58)) == [])
        #expect(lines(Sizes.functions, "Tests/Engine/A.swift", function(59)) == [2])
        #expect(lines(Sizes.functions, "Tests/Engine/A.swift", function(59, "    init(_ a: Int) {")) == [2])
        let wrapped = function(59, "    @Test func f(\n    ) throws {")
        #expect(lines(Sizes.functions, "Tests/Engine/A.swift", wrapped) == [2])
        #expect(lines(Sizes.functions, "Tests/Engine/A.swift", function(59, "    func f()\n    var a: Int {")) == [])
    }
}
