import Testing

@testable import PotluckScreen

private enum Sample {
    static let work = OptionGroup("What to compute")
    static let limits = OptionGroup("Limits")
    static let output = OptionGroup("Output")
    static let trials = Option("trials", "N", "stop after N trials", in: limits, Quantities.trials)
    static let parameter = Option(
        "parameter", short: "p", "NAME=VALUE", "set a parameter", in: work, repeats: true
    ) {
        (text) throws(ValueError) in text
    }
    static let json = Flag("json", "print JSON", in: output)
    static let quiet = Flag("quiet", short: "q", "say nothing", in: output, environment: "SAMPLE_QUIET")
    static let secret = Flag("secret", "hidden", in: output, hidden: true)
    static let mode = Option(
        "mode", "MODE", "how to take part", in: work, default: "client", environment: "SAMPLE_MODE"
    ) {
        (text) throws(ValueError) in text
    }

    static let program = Program(
        "sample", version: "1.2.3", summary: "a program",
        commands: [
            Command(
                "run", "compute something", positionals: [Positional("NAME", "what to compute")],
                options: [
                    trials.declaration, parameter.declaration, json.declaration, quiet.declaration, secret.declaration,
                ]),
            Command(
                "serve", "offer something",
                positionals: [
                    Positional("SESSION", "which", required: false), Positional("MORE", "what", required: false),
                ],
                options: [mode.declaration]),
            Command("list", "list everything"),
            Command("announce", "for tests", hidden: true),
        ])

    static func arguments(_ line: String, environment: [String: String] = [:]) throws -> Arguments {
        guard case .run(_, let arguments) = try program.parse(words(line), environment: environment) else {
            throw UsageError("not a command")
        }
        return arguments
    }

    static func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}

@Suite struct ParserTests {
    @Test(arguments: [
        ("run a --trials 5", "apart"), ("run a --trials=5", "joined"), ("run --trials 5 a", "options may come first"),
        ("run --trials 5 -- a", "after -- all is positional"), ("run a --trials 5 --", "nothing after --"),
    ])
    func waysToWriteAnOption(_ line: String, _: String) throws {
        let arguments = try Sample.arguments(line)
        #expect(try arguments[Sample.trials] == 5)
        #expect(arguments.positionals == ["a"])
        #expect(!arguments[Sample.json])
    }

    @Test func repeatedOptionsKeepTheirOrder() throws {
        let arguments = try Sample.arguments("run a -p x=1 --parameter y=2 -pz=3 --parameter=x=4 -p v=-5")
        #expect(try arguments.all(Sample.parameter) == ["x=1", "y=2", "z=3", "x=4", "v=-5"])
    }

    @Test func afterTwoDashesNothingIsAnOption() throws {
        #expect(try Sample.arguments("run -- --json").positionals == ["--json"])
        #expect(try Sample.arguments("serve - x").positionals == ["-", "x"])
        let arguments = try Sample.arguments("run --json -- --help")
        #expect(arguments.positionals == ["--help"])
        #expect(arguments[Sample.json])
    }

    @Test func theEnvironmentSpeaksWhereNobodyTypes() throws {
        let environment = ["SAMPLE_MODE": "peer", "SAMPLE_QUIET": "1"]
        #expect(try Sample.arguments("serve", environment: environment)[Sample.mode] == "peer")
        #expect(try Sample.arguments("serve --mode client", environment: environment)[Sample.mode] == "client")
        #expect(try Sample.arguments("serve", environment: ["SAMPLE_MODE": ""])[Sample.mode] == nil)
        #expect(try Sample.arguments("run a", environment: environment)[Sample.quiet])
        #expect(try !Sample.arguments("run a", environment: ["SAMPLE_QUIET": "0"])[Sample.quiet])
        #expect(try !Sample.arguments("run a")[Sample.quiet])
        for (line, source) in [("serve", "SAMPLE_MODE"), ("serve --mode client", "--mode")] {
            let arguments = try Sample.arguments(line, environment: environment)
            #expect(arguments.source(of: Sample.mode.declaration) == source)
        }
    }

    @Test(arguments: [
        ("run a --trails 5", "unknown option '--trails'; did you mean '--trials'?", "a slip"),
        ("run a --Trials=5", "unknown option '--Trials'; did you mean '--trials'?", "capitals"),
        (
            "run a --tri 5", "unknown option '--tri'; did you mean '--trials'?",
            "half a name is not taken, but understood"
        ),
        ("run a --zebra", "unknown option '--zebra'; see 'sample run --help'", "nothing like it"),
        ("run a -x", "unknown option '-x'; see 'sample run --help'", "no such letter"),
        ("run a --secre", "unknown option '--secre'; see 'sample run --help'", "what is hidden is not hinted at"),
        ("run a --mode x", "unknown option '--mode' for sample run; sample serve has it", "another command's"),
        ("run a --trials", "--trials needs a value; usage: --trials N", "the value is missing at the end"),
        ("run a --trials --json", "--trials needs a value; usage: --trials N", "the value is missing before an option"),
        ("run a -p -q", "-p needs a value; usage: -p NAME=VALUE", "the value is missing before a short option"),
        ("run a --json=yes", "--json takes no value", "a flag with a value"),
        ("run a -qx", "-q takes no value", "a short flag with a value"),
        ("run a --trials 5 --trials 5", "--trials is given twice", "doubled, though alike"),
        ("run a --json --json", "--json is given twice", "a doubled flag"),
        ("run a --quiet -q", "-q is given twice", "doubled by its two names"),
        ("run", "missing argument NAME; usage: sample run NAME [OPTIONS]", "nothing to run"),
        ("run a b", "unexpected argument 'b'; usage: sample run NAME [OPTIONS]", "two to run"),
        ("list b", "unexpected argument 'b'; usage: sample list", "no positional at all"),
        ("rum a", "unknown command 'rum'; did you mean 'run'?", "a slip in the command"),
        ("paint a", "unknown command 'paint'; commands: run, serve, list", "nothing like it"),
        ("anounce", "unknown command 'anounce'; commands: run, serve, list", "hidden commands stay hidden"),
        ("--mode x serve", "options follow the command: sample serve '--mode'", "the option came first"),
        ("--zebra", "unknown option '--zebra'; see 'sample --help'", "no command at all"),
        ("help rnu", "unknown command 'rnu'; did you mean 'run'?", "help for a slip"),
        (
            "run a --trials x",
            "invalid value 'x' for --trials: not a number of trials; use a number like 1000000, 1e6 or 1M",
            "a bad value"
        ),
        (
            "run \u{1b}[31m \u{1b}]x", #"unexpected argument '\u{1b}]x'; usage: sample run NAME [OPTIONS]"#,
            "nothing commands the terminal"
        ),
    ])
    func mistakesAreExplainedInOneLine(_ line: String, _ message: String, _ reason: String) {
        let error = #expect(throws: UsageError.self, Comment(rawValue: reason)) {
            _ = try Sample.arguments(line)[Sample.trials]
        }
        #expect(error?.message == message, Comment(rawValue: reason))
        #expect(error?.message.contains("\n") == false)
    }

    @Test func aWrongValueIsReportedForTheOptionAsItWasTyped() throws {
        let number = Option("parameter", short: "p", "N", "a number", in: Sample.work) {
            (text) throws(ValueError) -> Int in
            guard let number = Int(text) else { throw ValueError("not a number") }
            return number
        }
        for (line, name) in [("run a -p 1 --parameter x", "--parameter"), ("run a --parameter 1 -px", "-p")] {
            let error = #expect(throws: UsageError.self) { _ = try Sample.arguments(line).all(number) }
            #expect(error?.message == "invalid value 'x' for \(name): not a number")
        }
    }

    /// An unknown option is reported as it was typed, together with the whole line.
    @Test(
        arguments: [
            ("run a --mode x", "mode", "x"), ("run --zebra a", "zebra", "a"), ("run a --zebra=x=y", "zebra", "x=y"),
            ("run a --zebra", "zebra", nil), ("run a --zebra --json", "zebra", nil), ("run a -zebra 7", "zebra", "7"),
            ("run a zebra=7", "zebra", "7"), ("run a zebra", nil, nil), ("run a =7", nil, nil),
        ] as [(String, String?, String?)])
    func unknownOptionsAreReportedWithTheirValue(_ line: String, _ name: String?, _ value: String?) {
        let stray = #expect(throws: UsageError.self) { try Sample.arguments(line) }?.stray
        #expect(stray?.name == name)
        #expect(stray?.value == value)
        #expect(name == nil || stray?.line == Array(Sample.words(line).dropFirst()))
    }

    @Test(arguments: ["--help", "-h", "help", "", "help --json"])
    func helpOfTheProgram(_ line: String) throws {
        guard case .help(let help) = try Sample.program.parse(Sample.words(line)) else {
            Issue.record("no help")
            return
        }
        #expect(help.lines().contains("  run    compute something"))
        #expect(!help.lines().joined().contains("announce"))
    }

    @Test(arguments: ["run --help", "run -h", "run --zebra --help", "help run", "run a b c --trials -h"])
    func helpOfACommand(_ line: String) throws {
        guard case .help(let help) = try Sample.program.parse(Sample.words(line)) else {
            Issue.record("no help")
            return
        }
        #expect(help.lines().contains("Usage: sample run NAME [OPTIONS]"))
        #expect(help.lines().contains("  -p, --parameter NAME=VALUE  set a parameter (repeatable)"))
        #expect(!help.lines().joined().contains("--secret"))
        for columns in [20, 40, 60, 80, 200] {
            // A word that is wider than the screen is not broken.
            #expect(help.lines(columns: columns).allSatisfy { $0.count <= max(32, min(80, columns)) })
        }
    }

    /// The usage comes first, then each group under its heading with the defaults, and the examples last.
    @Test func helpHasGroupsDefaultsAndExamples() throws {
        let command = Command(
            "serve", "offer something", positionals: [Positional("SESSION", "which")],
            options: [
                Sample.trials.declaration, Sample.mode.declaration, Sample.json.declaration, Sample.secret.declaration,
                Sample.parameter.declaration,
            ], details: ["It serves."], examples: ["serve Monty"])
        let program = Program("sample", version: "1", summary: "a program", commands: [command])
        guard case .help(let help) = try program.parse(["serve", "--help"]) else {
            Issue.record("no help")
            return
        }
        #expect(
            help.lines() == [
                "Usage: sample serve SESSION [OPTIONS]", "", "Offer something.", "",
                "  SESSION                     which", "",
                "Limits:", "  --trials N                  stop after N trials", "",
                "What to compute:",
                "  --mode MODE                 how to take part (default: client; env:",
                "                              SAMPLE_MODE)",
                "  -p, --parameter NAME=VALUE  set a parameter (repeatable)", "",
                "Output:", "  --json                      print JSON", "",
                "  -h, --help                  show this help", "", "It serves.", "",
                "Examples:", "  sample serve Monty",
            ])
    }

    @Test(arguments: ["--version", "run --version", "run a --zebra --version"])
    func version(_ line: String) throws {
        guard case .version = try Sample.program.parse(Sample.words(line)) else {
            Issue.record("no version")
            return
        }
    }

    /// Any words result in a request or in a one-line error.
    @Test func noCommandLineIsTooStrange() {
        let pieces = [
            "run", "serve", "--", "-", "--=", "-=", "--trials", "-p", "=", "--json=", "", "a", "-q", "--help=", "🧪",
        ]
        var state: UInt64 = 7
        for _ in 0..<5000 {
            var words: [String] = []
            for _ in 0..<(state % 6) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                words.append(pieces[Int(state >> 33) % pieces.count])
            }
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            do {
                _ = try Sample.program.parse(words)
            } catch {
                #expect(!error.message.isEmpty && !error.message.contains("\n"))
            }
        }
    }
}
