import Foundation
import Testing

/// What an author reads whose simulation keeps something, copies its stream, or calls itself too deeply.
@Suite(
    .serialized, .enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"),
    .timeLimit(.minutes(60)))
struct KeptStateTests {
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws { author = try PluginAuthor() }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try program.run(line, environment: author.environment)
    }

    /// No number is printed, on one core, on two, natively, or of so few trials that one block has them all.
    @Test func aCounterIsNamedByEveryRun() throws {
        let path = try author.write("counts", trial: "seen += 1; tally.hits.add((random.below(6) + seen) % 6 == 5)")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try ("nonisolated(unsafe) var seen = 0\n" + text).write(toFile: path, atomically: false, encoding: .utf8)
        let sentence = "it keeps something from one trial to the next, in seen; count in the tally, and let each trial "
        for options in ["--trials 50 --cores 1", "--trials 1e5 --cores 1", "--trials 1e5 --cores 2"] {
            let outcome = try run("run \(path) --seed 1 --ephemeral \(options)")
            #expect(outcome.code == 1 && outcome.stderr.contains(sentence), "\(options): \(outcome.stderr)")
            #expect(!outcome.stdout.contains("hits") && !outcome.stderr.contains("potluck replay"), "\(outcome.stdout)")
        }
        let native = try run("run \(path) --trials 1e5 --native --ephemeral")
        #expect(
            native.code != 0 && native.stderr.contains("it keeps something from one trial to the next"), "\(native)")
        let checked = try run("check --quick \(path)")
        #expect(checked.code == 1 && checked.stdout.contains("BROKEN  ") && checked.stdout.contains(sentence))
    }

    /// A trial that drew from a copy would leave the next trial the same words.
    @Test(arguments: [
        "var mine = random; tally.hits.add(mine.below(6) == 5)",
        "tally.hits.add(f(random) == 5); func f(_ stream: RandomStream) -> Int { var own = stream; return own.below(6) }",
        "var all = [random]; tally.hits.add(all[0].below(6) == 5)",
        "var pair = Pair(own: random); tally.hits.add(pair.own.below(6) == 5); struct Pair { var own: RandomStream }",
    ])
    func aCopiedStreamDoesNotCompile(_ trial: String) throws {
        let path = try author.write("copy", trial: trial)
        let outcome = try run("run \(path) --trials 1e4 --ephemeral")
        #expect(outcome.code == 1 && outcome.stdout.isEmpty)
        let hint =
            "\n\(path): a random stream cannot be copied, because the next trial would draw the same numbers again;"
        #expect(outcome.stderr.components(separatedBy: hint).count == 2, "\(outcome.stderr)")
    }

    /// What is passed on, drawn in closures, in functions within functions and from streams of its own compiles as before.
    @Test func aStreamThatIsPassedOnCompiles() throws {
        let path = try author.write(
            "passed",
            trial: """
                func toss(_ count: Int, _ stream: inout RandomStream) -> Int {
                            count == 0 ? 0 : stream.below(2) + toss(count - 1, &stream)
                        }
                        let faces = (0..<3).map { _ in random.below(6) }
                        var other = RandomStream(seed: random.next64(), block: 0, lane: 0)
                        func own() -> Bool { random.coin() }
                        tally.hits.add(toss(4, &random) == 2 && faces[0] > other.below(3) && own())
                """)
        let outcome = try run("run \(path) --trials 1e4 --ephemeral --seed 1")
        #expect(outcome.code == 0, "\(outcome.stderr)")
    }

    @Test func tooDeepRecursionIsReported() throws {
        let path = try author.write(
            "deep",
            trial:
                "tally.hits.add(f(1) > 2); func f(_ n: Int) -> Int { random.below(6) > 9 ? n : f(n + 1) &+ f(n + 2) }")
        for native in ["", " --native"] {
            let outcome = try run("run \(path) --trials 1e4 --seed 1 --ephemeral\(native)")
            #expect(
                outcome.code == 1
                    && outcome.stderr.contains("its calls within calls are too many for the stack of a plugin"),
                "\(outcome.stderr)")
        }
    }
}
