import Foundation
import Testing

/// What an author reads after a mistake: one sentence that is true, and names what to write instead.
@Suite(.serialized, .timeLimit(.minutes(60))) struct PluginMistakesTests {
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws { author = try PluginAuthor() }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try program.run(line, environment: author.environment)
    }

    /// Each line of `trial` is a mistake; `sentences` has what the compiler must say of it, in order.
    private func hold(_ trial: String, _ sentences: [String]) throws {
        let path = try author.write("mistake", trial: trial)
        let outcome = try run("build \(path)")
        #expect(outcome.code == 1)
        let said = outcome.stderr.split(separator: "\n").filter { $0.contains(": error: ") }
        #expect(said.count == sentences.count, "\(outcome.stderr)")
        for (line, sentence) in zip(said, sentences) {
            #expect(line.hasPrefix("\(path):") && line.hasSuffix("error: \(sentence)"), "\(line)")
        }
    }

    @Test func theSystemsRandomNumbersDoNotCompile() throws {
        try hold(
            """
            tally.hits.add(Int.random(in: 1...6) == 6)
            tally.hits.add(UInt8.random(in: 0..<6) == 5)
            tally.hits.add(Double.random(in: 0..<1) < 0.5)
            tally.hits.add(Float.random(in: 0...1) < 0.5)
            tally.hits.add(Bool.random())
            tally.hits.add([1, 2, 3].shuffled()[0] == 1)
            var cards = Array(0..<52)
            cards.shuffle()
            tally.hits.add(cards.randomElement()! == 1)
            tally.hits.add((0..<9).randomElement()! == Set([1]).randomElement()!)
            var system = SystemRandomNumberGenerator()
            tally.hits.add(Int.random(in: 1...6, using: &system) == 6)
            """,
            [
                "'random(in:)' gives the same numbers in every run; use random.integer(in: 1...6) or random.below(6)",
                "'random(in:)' gives the same numbers in every run; use random.below(6) or random.integer(in: 1...6)",
                "'random(in:)' gives the same numbers in every run; use random.real(in: 0..<1) or random.unit()",
                "'random(in:)' gives the same numbers in every run; use random.real(in: 0..<1) or random.unit()",
                "'random()' gives the same result in every run; use random.coin() or random.chance(p)",
                "'shuffled()' gives the same order in every run; use random.shuffle(&elements)",
                "'shuffle()' gives the same order in every run; use random.shuffle(&elements)",
                "'randomElement()' gives the same element in every run; use random.choice(of: elements)",
                "'randomElement()' gives the same element in every run; use random.choice(of: elements)",
                "'randomElement()' gives the same element in every run; use random.choice(of: elements)",
                "'SystemRandomNumberGenerator' gives the same numbers in every run; use the trial's random, for example "
                    + "random.below(6)",
            ])
    }

    @Test func functionsThatAPluginLacksAreExplained() throws {
        let printing =
            "writes nowhere in a plugin; use note(\"text\"), which 'potluck replay' shows, or a gathering's output.line(…)"
        let textless =
            "this value has no text in a plugin; interpolate a number or a String, such as a name of your own for each case"
        try hold(
            """
            print("x", 1)
            print("x")
            enum Side { case left, right }
            note("on the \\(Side.left)")
            log("text")
            """,
            [
                "'print(_:separator:terminator:)' \(printing)", "'print(_:separator:terminator:)' \(printing)",
                textless,
                "'log' has been renamed to 'note'",
            ])
        let path = try author.write("large", trial: "let large = 5_000_000_000; tally.hits.add(large)")
        #expect(
            try run("build \(path)").stderr.contains(
                "\n\(path): Int has 32 bits in a plugin, whose numbers must be the same on every machine; declare larger ones as "
                    + "Int64\n"))
        let variable = try author.write("variable", trial: "let side = \"left\"; note(side); tally.hits.add(true)")
        #expect(
            try run("build \(variable)").stderr.contains(
                "\n\(variable): a note is a literal; put the text into one: note(\"\\(text)\")"))
        let boxed = try author.write(
            "boxed", parameter: "protocol P {}; struct Q: P {}", trial: "let p: any P = Q(); tally.hits.add(p is Q)")
        #expect(
            try run("build \(boxed)").stderr.contains(
                "\n\(boxed): a plugin has no values of a protocol type; use a generic function, 'some P', or an enum"))
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try ("import Foundation\n" + text).write(toFile: path, atomically: false, encoding: .utf8)
        #expect(
            try run("build \(path)").stderr.contains(
                "\n\(path): a plugin can import only PotluckKit, which has log, sqrt, sin and their like\n"))
    }

    /// Swift stops every crash with the same instruction. The line comes from another build.
    @Test(
        .enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"),
        arguments: [
            "tally.hits.add(f(random.below(40)) == 1); func f(_ n: Int) -> Int { n < 2 ? 1 : n * f(n - 1) }",
            "tally.hits.add([true][random.below(9)])",
        ])
    func aCrashNamesItsLine(_ trial: String) throws {
        let sentence = "it crashed in line 12: "
        let path = try author.write("crash", trial: trial)
        let failed = try run("run \(path) --trials 1e5 --seed 1 --ephemeral")
        #expect(failed.code == 1 && failed.stderr.contains(": \(sentence)"), "\(failed.stderr)")
        let line = try #require(failed.stderr.split(separator: "\n").last)
        let command = try #require(line.components(separatedBy: "potluck replay ").last)
        #expect(try run("replay \(command)").stderr.contains(": \(sentence)"))
        let checked = try run("check \(path) --quick")
        #expect(checked.code == 1 && checked.stdout.contains(": \(sentence)"), "\(checked.stdout)")
    }

    /// The compiler notes the cause of a crash at the instruction that stops the module; the crash is at a jump to it.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func aCrashNamesItsCause() throws {
        let narrow = "Int has 32 bits in a plugin, so use Int64 for large numbers"
        for (trial, cause) in [
            (
                "var x = 1; for i in 1...20 { x *= i + random.below(6) + 1 }; tally.hits.add(x > 5)",
                "an overflow; \(narrow)"
            ),
            ("let a = [1, 2, 3]; tally.hits.add(a[random.below(6) + 5] > 2)", "an index out of range"),
            ("let a: Int? = random.below(6) < 9 ? nil : 1; tally.hits.add(a! > 2)", "nil was unwrapped"),
            ("let d = random.below(6); tally.hits.add(5 / d > 2)", "a division by zero"),
            ("tally.hits.add(Int(Double(random.below(6)) * 1e30) > 2)", "a number that does not fit; \(narrow)"),
            (
                "tally.hits.add(Int(1 / Double(random.below(6))) > 2)",
                "NaN or an infinite number cannot become an integer"
            ),
            ("tally.hits.add(Int64(Double(random.below(6)) * 1e30) > 2)", "a number that does not fit its type"),
            ("if random.below(6) < 9 { fatalError() }; tally.hits.add()", "fatalError was called"),
            ("precondition(random.below(6) > 9); tally.hits.add()", "a failed precondition"),
            ("for i in 0..<(random.below(6) - 7) { tally.hits.add(i > 2) }", "a range that ends before it begins"),
            (
                "tally.hits.add(UInt(random.below(6) - 7) > 2)", "a negative number for a type without negative numbers"
            ),
        ] {
            let path = try author.write("crash", trial: trial)
            let failed = try run("run \(path) --trials 1e5 --seed 1 --ephemeral")
            #expect(
                failed.code == 1 && failed.stderr.contains(": it crashed in line 12: \(cause); to find the trial"),
                "\(failed.stderr)")
        }
    }

    /// A counter that changes the result of one trial in two thousand millions. No split of some blocks shows that.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func checkNamesStateKeptBetweenCalls() throws {
        let check = { [author] (name: String, globals: String, trial: String, options: String) throws in
            let path = try author.write(name, trial: trial)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try (text + globals).write(toFile: path, atomically: false, encoding: .utf8)
            return try run("check \(path)\(options)")
        }
        let counting =
            "nonisolated(unsafe) var seen = 0\nenum Notes { nonisolated(unsafe) static var last: Int64 = 7 }\n"
        let counts = """
            seen &+= 1; if seen == 2_000_000_000 { tally.hits.add() }
            tally.hits.add(random.below(2) == 1)
            """
        let broken = try check("counts", counting, counts, "")
        #expect(broken.code == 1)
        let sentence = ": it keeps something from one trial to the next, in seen; count in the tally"
        #expect(broken.stdout.contains("BROKEN  ") && broken.stdout.contains(sentence), "\(broken.stdout)")
        let quick = try check("counts", counting, counts, " --quick")
        #expect(quick.code == 1 && quick.stdout.contains(sentence))
        let two = try check(
            "two", counting,
            "seen &+= 1; Notes.last &*= 3; tally.hits.add(random.below(2) == 1 || seen == -1 && Notes.last == 5)",
            "")
        #expect(two.code == 1 && two.stdout.contains("BROKEN  "), "\(two.stdout)")
        #expect(two.stdout.contains("seen") && two.stdout.contains("last") && two.stdout.contains(" keeps something"))
        // What is made once, and what each trial fills again, keeps nothing.
        let fine = try check(
            "fine",
            "let squares = (0..<100).map { $0 * $0 }\nnonisolated(unsafe) var scratch: [Int] = []\nlet words = [1: 2, 3: 4]\n",
            """
            scratch.removeAll(keepingCapacity: true)
            for _ in 0..<random.below(9) { scratch.append(squares[random.below(100)]) }
            tally.hits.add(scratch.count > 4 && words[random.below(4)] != 7)
            """, "")
        #expect(fine.code == 0, "\(fine.stdout)")
        #expect(fine.stdout.contains("ok      no global or static variable keeps anything"), "\(fine.stdout)")
    }

    /// Its stack is below its data, so that a stack that is full destroys nothing.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func aFullStackIsSaid() throws {
        let path = try author.write("large", trial: "tally.hits.add()")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let unit = "(from: 0, to: 1)"
        for bins in [
            ["bins = Histogram<20000>\(unit)"],
            ["a", "b", "c"].map { "\($0) = Histogram<8000>\(unit)" },
        ] {
            let names = bins.map { $0.prefix { $0 != " " } }
            let visits = names.map { "visitor.field(\"\($0)\", &\($0))" }.joined(separator: "; ")
            try text.replacing("var hits = Count()", with: "var hits = Count(), \(bins.joined(separator: ", "))")
                .replacing("(\"hits\", &hits)", with: "(\"hits\", &hits); \(visits)").write(
                    toFile: path, atomically: false, encoding: .utf8)
            let large = try run("run \(path) --trials 1e5")
            #expect(large.code == 1 && large.stderr.contains("its stack of 128 KiB is full"), "\(large.stderr)")
        }
        let deep = try author.write(
            "deep",
            trial:
                "tally.hits.add(f(1) > 2); func f(_ n: Int) -> Int { random.below(6) > 9 ? n : f(n + 1) &+ f(n + 2) }")
        let outcome = try run("run \(deep) --trials 1e5")
        #expect(outcome.code == 1 && outcome.stderr.contains("its calls within calls are too"), "\(outcome.stderr)")
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func aFieldThatVisitForgetsIsFoundBeforeTheFirstTrial() throws {
        let path = try author.write("forgets", trial: "tally.lost.add()")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try text.replacing("var hits = Count()", with: "var hits = Count(), lost = Count()").write(
            toFile: path, atomically: false, encoding: .utf8)
        for command in ["run", "check"] {
            let outcome = try run("\(command) \(path)")
            #expect(outcome.code != 0 && outcome.stdout == "")
            #expect(
                outcome.stderr.hasSuffix(
                    "mine: Tally has a property that visit leaves out, so no result has it; add visitor.field(\"name\", &name) to "
                        + "visit\n"), "\(outcome.stderr)")
        }
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func aModuleThatBeginsWithTooMuchMemorySaysHowToAllowIt() throws {
        // A module whose memory begins with 2000 pages of 64 KiB, and which has nothing else.
        let path = "\(author.folder)/large.wasm"
        try Data(Array("\0asm".utf8) + [1, 0, 0, 0, 5, 4, 1, 0, 0xd0, 0x0f]).write(to: URL(filePath: path))
        let outcome = try run("run \(path) --plugin-memory 64M")
        #expect(outcome.code == 1)
        #expect(
            outcome.stderr.hasSuffix(
                "large.wasm: it needs more than 64 MiB of memory; allow more with --plugin-memory\n"),
            "\(outcome.stderr)")
    }
}
