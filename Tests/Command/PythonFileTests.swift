import Foundation
import Testing

@testable import PotluckMachine

/// The commands that the author of a simulation in Python types.
@Suite(
    .serialized, .enabled(if: PluginAuthor.hasPython, "wasmtime or python3 is not here"), .timeLimit(.minutes(60)))
struct PythonFileTests {
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws { author = try PluginAuthor() }

    private var folder: String { author.folder }

    private func run(_ line: String, _ more: [String: String] = [:]) throws -> EndToEndTests.Outcome {
        try program.run(line, environment: author.environment.merging(more) { $1 })
    }

    private func digest(_ outcome: EndToEndTests.Outcome) -> Substring? {
        outcome.stdout.firstRange(of: "\"digest\":\"").map { outcome.stdout[$0.upperBound...].prefix(64) }
    }

    @Test func anAuthorsFirstTenMinutes() throws {
        let path = try author.writePython("dice", trial: "self.hits.add(random.below(6) == random.below(6))")
        let state = ["XDG_STATE_HOME": folder + "/state"]
        let first = try run("run \(path) --trials 1e5 --seed 7", state)
        #expect(first.code == 0, "\(first.stderr)")
        #expect(first.stdout.contains("potluck run \(path) --trials 100000 --seed 7\n"))
        #expect(try run("history show last", state).stdout.contains("potluck run \(path) "))
        let built = try run("build \(path)")
        #expect(built.code == 0 && built.stdout.contains("dice.wasm: "))
        let module = "\(folder)/dice.wasm"
        let digests = try [path, module].flatMap { file in
            try ["1", "2"].map { digest(try run("run \(file) --trials 1e5 --seed 7 --cores \($0) --json")) }
        }
        #expect(Set(digests).count == 1 && digests[0] != nil)
        let described = try run("simulations \(path) --json").stdout
        #expect(described.contains("\"mine\"") && described.contains("\"Counts something.\""), "\(described)")
        // Without Python, modules that were already built still run, and another file is refused.
        for file in [module, path] {
            #expect(try run("run \(file) --trials 100 --seed 1", ["PATH": "/nowhere"]).code == 0)
        }
        let other = try author.writePython(
            "other", trial: "self.hits.add(random.below(\(Int.random(in: 7...1 << 40))) == 0)")
        let bare = try run("run \(other) --trials 100", ["PATH": "/nowhere"])
        #expect(
            bare.code == 1 && bare.stderr.contains("cannot compile \(other): python3 is not installed; install Python"))
    }

    /// The Swift file with the same trials gives the same tally.
    @Test func theDigestIsThatOfTheSwiftFile() throws {
        let python = try author.writePython("dice", trial: "self.hits.add(random.below(6) == random.below(6))")
        let swift = try author.write("dice", trial: "tally.hits.add(random.below(6) == random.below(6))")
        let tallies = try [python, swift].map { file in
            try run("run \(file) --trials 12345 --seed 3 --json").stdout.components(separatedBy: "\"tally\":").last?
                .prefix { $0 != "}" }
        }
        #expect(tallies[0] == tallies[1] && tallies[0]?.contains("hits") == true, "\(tallies)")
    }

    @Test func aCheckComparesTheModuleWithPython() throws {
        let path = try author.writePython("dice", trial: "self.hits.add(random.below(6) == random.below(6))")
        let deep = try run("check \(path)")
        #expect(deep.code == 0, "\(deep.stdout)\(deep.stderr)")
        #expect(deep.stdout.contains("in any order, give the same tally"))
        if Box.isEnforced {
            #expect(
                deep.stdout.contains("ok      Python itself gets the same tally of the first 1029 trials, bit for bit"))
            let quick = try run("check \(path) --quick")
            #expect(quick.stdout.contains("of the first 160 trials, bit for bit"), "\(quick.stdout)")
        } else {
            #expect(deep.stdout.contains("note    not compared with Python itself: this kernel"))
        }
    }

    @Test func aFailureCanBeReplayed() throws {
        let path = try author.writePython(
            "trap",
            trial: "x = random.below(9000)\nself.note(f\"x is {x}\")\nself.hits.add([1, 1][2 if x == 77 else 0])")
        let failed = try run("run \(path) --trials 1e6 --seed 1 --cores 1")
        #expect(failed.code == 1 && failed.stdout == "")
        let line = try #require(failed.stderr.split(separator: "\n").last)
        #expect(line.hasPrefix("potluck: \(path), seed 1, block ") && line.contains(": line 15: "), "\(line)")
        #expect(!line.contains("it crashed"))
        let command = try #require(line.components(separatedBy: "; to find the trial: potluck replay ").last)
        let replayed = try run("replay \(command)")
        #expect(replayed.code == 1 && replayed.stdout.contains("The trial's notes:\n  x is 77\n"), "\(replayed.stdout)")
        #expect(replayed.stderr.contains(": line 15: "))
        let broken = try run("check \(path)")
        #expect(broken.code == 1 && broken.stdout.contains("BROKEN") && broken.stdout.contains(": line 15: "))
        if Box.isEnforced {
            #expect(broken.stdout.contains("ok      Python itself stops with the same sentence at the same line"))
        }
    }

    @Test func aMistakeNamesTheFileAndTheLine() throws {
        let path = try author.writePython("typo", trial: "self.hits.add(random.belw(2) == 1)")
        for verb in ["build", "run", "check", "simulations", "replay --seed 1"] {
            let typo = try run("\(verb) \(path)")
            #expect(typo.code == 1 && typo.stderr.hasPrefix("\(path):13:"), "\(typo.stderr)")
            #expect(typo.stderr.hasSuffix("potluck: cannot compile \(path); see the errors above\n"))
            #expect(!typo.stderr.contains("author.py") && !typo.stderr.contains("Traceback"))
        }
        let near = try run("run \(folder)/tpo.py")
        #expect(near.code == 1 && near.stderr.contains("No such file or directory; did you mean '\(folder)/typo.py'?"))
    }

    @Test func parametersOfAFileAreKnown() throws {
        let path = try author.writePython(
            "coats", parameter: #"warm_coats = Parameter(3, "how many", 1, 9)"#,
            trial: "self.hits.add(self.warm_coats > 2)")
        // The file is not compiled to find this out.
        let outcome = try run("run \(path) --warm-coats 4")
        #expect(outcome.stderr == "potluck: 'warm-coats' is a parameter of \(path); use -p warm-coats=4\n")
        let swept = try run("run \(path) -p warm-coats=1..4 --trials 1000 --seed 1")
        #expect(swept.code == 0 && swept.stdout.contains("warm-coats"), "\(swept.stderr)")
        let outside = try run("run \(path) -p warm-coats=10 --trials 1000")
        #expect(outside.code == 2 && outside.stderr.contains("warm-coats"), "\(outside.stderr)")
    }

    /// The parts of a run, computed as separate tasks, are the run.
    @Test func shardsAreMerged() throws {
        let path = try author.writePython("dice", trial: "self.hits.add(random.below(6) == random.below(6))")
        let whole = try run("run \(path) --trials 1e5 --seed 7 --json --ephemeral")
        for shard in 1...2 {
            let part = try run("run \(path) --trials 1e5 --seed 7 --shard \(shard)/2 --partial \(folder)/parts/")
            #expect(part.code == 0, "\(part.stderr)")
        }
        let merged = try run("merge \(folder)/parts/ --json --ephemeral")
        #expect(digest(merged) == digest(whole) && digest(whole) != nil, "\(merged.stderr)")
    }
}
