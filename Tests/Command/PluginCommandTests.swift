import Foundation
import Testing

@testable import PotluckCommand

/// The commands that the author of a simulation types.
@Suite(.serialized, .timeLimit(.minutes(60))) struct PluginCommandTests {
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws { author = try PluginAuthor() }

    private var folder: String { author.folder }

    private func run(_ line: String, _ more: [String: String] = [:]) throws -> EndToEndTests.Outcome {
        try program.run(line, environment: author.environment.merging(more) { $1 })
    }

    private func write(_ name: String, trial: String) throws -> String { try author.write(name, trial: trial) }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func anAuthorsFirstTenMinutes() throws {
        // `potluck new` would create a folder in the current directory. This file resembles its template.
        let path = try write("dice", trial: "tally.hits.add(random.below(6) == random.below(6))")
        let state = ["XDG_STATE_HOME": folder + "/state"]
        let first = try run("run \(path) --trials 1e5 --seed 7", state)
        #expect(first.code == 0, "\(first.stderr)")
        #expect(first.stdout.contains(path) && first.stdout.hasSuffix("--trials 100000 --seed 7\n"))
        #expect(try run("history show last", state).stdout.contains("potluck run \(path) "))
        let built = try run("build \(path)")
        #expect(built.code == 0 && built.stdout.contains("dice.wasm: "))
        let module = "\(folder)/dice.wasm"
        let digests = try [path, module].flatMap { file in
            try ["1", "2"].map { try run("run \(file) --trials 1e5 --seed 7 --cores \($0) --json").stdout }
        }.map { text in text.split(separator: ",").first { $0.hasPrefix("\"digest\"") } }
        #expect(Set(digests).count == 1 && digests[0] != nil)
        #expect(try run("simulations \(module)").stdout.contains("mine: Counts something."))
        #expect(try run("simulations \(module) --json").stdout.contains("\"blockSize\":1024"))
        let checked = try run("check \(path)")
        #expect(checked.code == 0 && checked.stdout.contains("in any order, give the same tally"))
        // Without a Swift toolchain, modules that were already built still run.
        for file in [module, path] {
            #expect(try run("run \(file) --trials 100 --seed 1", ["PATH": "/nowhere"]).code == 0)
        }
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps")) func aFailureCanBeReplayed()
        throws
    {
        let path = try write(
            "trap", trial: "let x = random.below(9000); note(\"x is \\(x)\"); tally.hits.add([true][x == 77 ? 1 : 0])")
        let failed = try run("run \(path) --trials 1e6 --seed 1 --cores 1")
        #expect(failed.code == 1 && failed.stdout == "")
        let line = try #require(failed.stderr.split(separator: "\n").last)
        #expect(line.hasPrefix("potluck: \(path), seed 1, block "))
        let command = try #require(line.components(separatedBy: "potluck replay ").last)
        let replayed = try run("replay \(command)")
        #expect(replayed.code == 1)
        #expect(replayed.stdout.contains("The trial's notes:\n  x is 77\n"))
        #expect(replayed.stderr.contains("an index out of range"))
        let broken = try run("check \(path)")
        #expect(broken.code == 1 && broken.stdout.contains("BROKEN"))
    }

    /// Logs each number of a file, and fails at numbers below `least`.
    private static let roots = """
        import PotluckKit

        struct Roots: Gathering {
            static let name: StaticString = "roots"
            static let summary: StaticString = "The square root of each number of a file."
            static var inputs: [Input] { [Input("numbers", "what to take the roots of")] }
            @Parameter("least", "what is too small", in: -9...9) var least = 0
            struct Tally: SimulationTally {
                var rows = Count()
                mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("rows", &rows) }
            }
            var numbers: [Double] = []
            mutating func prepare(_ tables: [Table]) -> StaticString? {
                numbers = tables[0].numbers
                return numbers.isEmpty ? "give the file numbers" : nil
            }
            var units: UInt64 { UInt64(numbers.count) }
            var blockSize: Int { 2 }
            func block(
                _ units: Range<UInt64>, _ random: inout RandomStream, _ output: inout Output, _ tally: inout Tally
            ) {
                for unit in units {
                    let number = numbers[Int(unit)]
                    note("of \\(Int(number))")
                    precondition(number >= Double(least))
                    output.line(UInt64(number.magnitude.squareRoot()))
                    tally.rows.add()
                }
            }
            static var readings: [ReadingRule<Roots>] { derived("rows", { _, tally, _ in Double(tally.rows.value) }) }
        }

        """

    /// The command in the failure's message includes the files and limits that the failure depended on.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func aFailureWithFilesAndLimitsCanBeReplayed() throws {
        let path = "\(folder)/roots.swift"
        try Self.roots.write(toFile: path, atomically: false, encoding: .utf8)
        let numbers = "\(folder)/some numbers.txt"
        try "9\n16\n25\n4\n-4\n1\n".write(toFile: numbers, atomically: false, encoding: .utf8)
        let fine = try program.run(
            ["run", path, "--input", "numbers=\(numbers)", "-p", "least=-9"], environment: author.environment)
        #expect(fine.code == 0 && fine.stdout.contains("--input 'numbers=\(numbers)'"), "\(fine.stderr)")
        let failed = try program.run(
            ["run", path, "--input", "numbers=\(numbers)", "-p", "least=-2", "--plugin-memory", "8M"],
            environment: author.environment)
        let line = try #require(failed.stderr.split(separator: "\n").last)
        let command = try #require(line.components(separatedBy: "potluck replay ").last)
        #expect(
            command == "\(path) -p least=-2 --input 'numbers=\(numbers)' --plugin-memory 8388608 --seed 0 --block 2")
        let replayed = try program.run(
            ["-c", "exec \"$0\" replay \(command)", Child.program], program: "/bin/sh",
            environment: author.environment)
        #expect(replayed.code == 1 && replayed.stdout.contains("The unit's notes:\n  of -4\n"))
        let beyond = try program.run(
            ["replay", path, "--input", "numbers=\(numbers)", "--seed", "0", "--block", "3"],
            environment: author.environment)
        #expect(
            beyond.code == 2 && beyond.stderr.hasSuffix("--block must be at most 2 for roots with these parameters\n"))
        // `check` accepts the files that a simulation needs.
        let checked = try program.run(
            ["check", path, "--input", "numbers=\(numbers)", "-p", "least=-9"], environment: author.environment)
        #expect(checked.code == 0, "\(checked.stdout)")
    }

    @Test func mistakesAreTheAuthors() throws {
        let path = try write("typo", trial: "tally.hits.add(random.belw(2) == 1)")
        let typo = try run("build \(path)")
        #expect(typo.code == 1)
        #expect(typo.stderr.contains("\(path):12:31: error: value of type 'RandomStream' has no member 'belw'"))
        #expect(!typo.stderr.contains("Entry") && !typo.stderr.contains("scratch"))
        let prints = try run("build \(try write("prints", trial: "print(1)"))")
        #expect(prints.code == 1 && prints.stderr.contains("a plugin cannot print"))
        let nowhere = try run("run \(folder)/none.swift")
        #expect(nowhere.stderr == "potluck: cannot read \(folder)/none.swift: No such file or directory\n")
        for (wrong, code, says) in [
            ("\(folder)/tpo.swift", 1, "No such file or directory; did you mean '\(folder)/typo.swift'?"),
            (
                "\(folder)/typo.swif", 2,
                "neither a source file (.swift, .py, .c) nor a module (.wasm); did you mean '\(folder)/typo.swift'?"
            ),
            (folder, 1, "is a folder, not a simulation's file"),
        ] as [(String, Int32, String)] {
            let outcome = try run("run \(wrong)")
            #expect(outcome.code == code && outcome.stderr.contains(says), "\(outcome.stderr)")
        }
        let text = try write("text", trial: "")
        try FileManager.default.moveItem(atPath: text, toPath: "\(folder)/text.wasm")
        let noModule = try run("run \(folder)/text.wasm")
        #expect(noModule.code == 1)
        #expect(noModule.stderr.contains("not a WebAssembly module: its header is wrong"))
        let unkept = try run("run \(path)", ["XDG_CACHE_HOME": "/proc/nothing"])
        #expect(unkept.code == 1 && unkept.stderr.filter { $0 == "\n" }.count == 1)
        #expect(unkept.stderr.contains("set XDG_CACHE_HOME to a folder of your own"))
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func parametersOfAFileAreKnown() throws {
        let path = try author.write(
            "coats", parameter: #"@Parameter("coats", "how many", in: 1...9) var coats = 3"#, trial: "tally.hits.add()")
        func says(_ file: String) throws {
            let outcome = try run("run \(file) --coats 4")
            #expect(outcome.code == 2)
            #expect(outcome.stderr == "potluck: 'coats' is a parameter of \(file); use -p coats=4\n")
        }
        // The file is not compiled to find this out.
        try says(path)
        #expect(try run("build \(path)").code == 0)
        try says("\(folder)/coats.wasm")
    }

    /// The message of a failure appears once.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps")) func aFailureIsSaidOnce()
        throws
    {
        let path = try write("trap", trial: "tally.hits.add([true][random.below(9)])")
        let failed = try run("run \(path) --trials 1e6 --seed 1")
        #expect(failed.stderr.components(separatedBy: "an index out of range").count == 2, "\(failed.stderr)")
        #expect(failed.stderr.components(separatedBy: "seed 1").count == 3, "once, and once in the command")
    }

    /// A spoilt tally is reported even if the reading that is derived from it does not show it.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps")) func aSpoiltTallyIsReported()
        throws
    {
        let path = "\(folder)/gains.swift"
        let source = """
            import PotluckKit

            struct Gains: Simulation {
                static let name: StaticString = "gains"
                static let summary: StaticString = "Counts something"
                @Parameter("chips", "how many", in: 0...9) var chips = 3
                struct Tally: SimulationTally {
                    var won = ExactSum()
                    mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("won", &won) }
                }
                func trial(_ random: inout RandomStream, _ tally: inout Tally) {
                    tally.won.add(Double(chips) / Double(chips))
                }
                static var readings: [ReadingRule<Gains>] { derived("gain", { _, tally, _ in tally.won.value }) }
            }
            """
        try source.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try run("run \(path) --trials 100").code == 0)
        let spoilt = try run("run \(path) --trials 100 -p chips=0")
        #expect(spoilt.code == 1)
        #expect(
            spoilt.stderr.contains(
                "potluck: gains added something to won that is not a number or too large for it; find the trial with")
        )
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func aWrongReadingIsReported() throws {
        let path = try author.write("twice", trial: "tally.hits.add(); tally.hits.add()")
        let twice = try run("run \(path) --trials 100")
        #expect(twice.code == 1)
        #expect(
            twice.stderr.hasSuffix(
                "mine has no valid value for hits: it counts more than there are trials; add to it once in a trial, "
                    + "or take the mean of Moments\n"), "\(twice.stderr)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("proportion(\"hits\", { $0.hits })", with: "derived(\"hits\") { _, _, _ in log(-1.0) }")
            .write(
                toFile: path, atomically: false, encoding: .utf8)
        let checked = try run("check \(path) --quick")
        #expect(
            checked.stdout.contains("note    hits has no value after 4096 trials; its function gives no finite number"))
    }

    @Test func withoutTheLibraryOnlyPluginsAreMissing() throws {
        let path = try write("dice", trial: "tally.hits.add(random.below(6) == random.below(6))")
        let without = ["POTLUCK_WASMTIME": "/nowhere/lib.so"]
        let refused = try run("run \(path) --trials 1", without)
        #expect(refused.code == 1)
        #expect(refused.stderr.split(separator: "\n").last?.contains("plugins need wasmtime") == true)
        #expect(try run("run pi --trials 100", without).code == 0)
    }

    @Test(arguments: [
        (
            "build x.wasm",
            "x.wasm is neither a file in Swift (.swift) or Python (.py) nor a program with ranks in C (.c)"
        ),
        ("new Dice", "invalid name 'Dice'"), ("new --python --swift x", "--python and --swift cannot be used together"),
        ("new --python --search x", "--python and --search cannot be used together; a search is written in Swift"),
        ("new --ranks --python x", "--python and --ranks cannot be used together; a program with ranks is written"),
        ("new --data --lanes x", "--data and --lanes cannot be used together; create two simulations"),
        ("run x.txt", "x.txt is neither a source file (.swift, .py, .c)"),
        ("replay x.swift", "missing option --seed"),
        ("run pi --plugin-memory 5", "invalid value '5' for --plugin-memory: must be from 1M to 4G"),
        ("run pi --plugin-memory 1X", "not a size"), ("run pi --plugin-seconds 0", "must be from 0.1 to 3600"),
        ("run pi --plugin-seconds nan", "not a number of seconds"),
    ])
    func wrongUsageIsOneLine(_ line: String, _ message: String) throws {
        let outcome = try run(line)
        #expect(outcome.code == 2)
        #expect(outcome.stderr.contains(message) && outcome.stderr.filter { $0 == "\n" }.count == 1)
    }

    @Test func limitsAsPeopleWriteThem() throws {
        #expect(try PluginQuantities.memory("64M") == 64 << 20)
        #expect(try PluginQuantities.memory("1g") == 1 << 30)
        #expect(try PluginQuantities.memory("2097152") == 2 << 20)
        #expect(try PluginQuantities.seconds("0.5") == .milliseconds(500))
        for text in ["", "M", "-1M", "99999999999999999999G", "9223372036854775807G", "0x10M"] {
            #expect(throws: (any Error).self) { try PluginQuantities.memory(text) }
        }
    }
}
