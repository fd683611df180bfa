import Foundation
import Testing

/// What a run of an author's simulation says beside its numbers.
@Suite(
    .serialized, .enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"),
    .timeLimit(.minutes(60)))
struct ResultWarningsTests {
    private let author: PluginAuthor

    init() throws { author = try PluginAuthor() }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: author.environment)
    }

    private func write(_ name: String, trial: String, exact: Double) throws -> String {
        let path = "\(author.folder)/\(name).swift"
        let text = """
            import PotluckKit

            struct Mine: Simulation {
                static let name: StaticString = "mine"
                static let summary: StaticString = "Adds numbers."
                var blockSize: Int { 1024 }
                struct Tally: SimulationTally {
                    var x = Moments()
                    mutating func visit(_ visitor: inout some TallyVisitor) { visitor.field("x", &x) }
                }
                func trial(_ random: inout RandomStream, _ tally: inout Tally) { \(trial) }
                static var readings: [ReadingRule<Mine>] { mean("x", { $0.x }, exact: { _ in \(exact) }) }
            }

            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// Whether a text says that the interval of x is about ten times too narrow. It is estimated from as many parts of the
    /// trials as a tenth of a second allows.
    private static func isNarrow(_ text: some StringProtocol) -> Bool {
        guard let begin = text.firstRange(of: "the interval of x is ")?.upperBound,
            let end = text[begin...].firstRange(of: " times too narrow")?.lowerBound,
            let times = Double(text[begin..<end])
        else { return false }
        return abs(times - 10) < 1
    }
    private static let off = "standard errors off the exact answer 0.4"

    /// The numbers are printed, too, and the run succeeds: no number is wrong for certain.
    @Test func aRunWarnsOfItsResult() throws {
        let wrong = "let u = random.unit(); for _ in 0..<100 { tally.x.add(u) }"
        let path = try write("wrong", trial: wrong, exact: 0.4)
        let shown = try run("run \(path) --trials 1e5 --seed 1 --ephemeral")
        let lines = shown.stderr.split(separator: "\n").filter { $0.hasPrefix("potluck: warning: ") }
        #expect(shown.code == 0 && shown.stdout.contains("digest"))
        #expect(lines.contains(where: Self.isNarrow) && lines.contains { $0.contains(Self.off) }, "\(lines)")
        let json = try run("run \(path) --trials 1e5 --seed 1 --ephemeral --json")
        let warnings = json.stdout.firstRange(of: "\"warnings\":[").map { json.stdout[$0.upperBound...] } ?? ""
        #expect(Self.isNarrow(warnings) && warnings.contains(Self.off), "\(json.stdout)")
    }

    @Test func aRightResultHasNoWarning() throws {
        let path = try write("right", trial: "tally.x.add(random.unit())", exact: 0.5)
        for options in ["--trials 1e5", "--trials 40", "--trials 1e5 --json"] {
            let outcome = try run("run \(path) --seed 1 --ephemeral \(options)")
            #expect(outcome.code == 0 && !(outcome.stdout + outcome.stderr).contains("warning"), "\(outcome)")
        }
    }
}
