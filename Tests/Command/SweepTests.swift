import Foundation
import PotluckCore
import Testing

@testable import Potluck
@testable import PotluckCommand

@Suite struct SweepTests {
    private let room = Laptops()

    private func run(_ words: [String], on laptop: String = "lab") throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(words, environment: room.environment(laptop))
    }

    /// The lines of JSON that a command prints.
    private func points(_ line: String, _ more: [String] = []) throws -> [[String: Any]] {
        let outcome = try run(line.split(separator: " ").map(String.init) + more)
        #expect(outcome.code == 0, "\(outcome.stderr)")
        return try outcome.stdout.split(separator: "\n").map { try object(String($0)) }
    }

    private static let sweeps = [
        "run monty-hall --trials 70000 -p doors=3..7", "run birthday --trials 5000 -p people=20,23,30 --common-seed",
        "run option-price --trials 3000 -p volatility=0.1..0.3:0.05 -p strike=90,100",
        "run primes -p limit=100..300:100",
        "run tsp -p cities=5..8", "run queens -p queens=4..6",
    ]

    /// Each point is what a single run with its parameters and its seed is.
    @Test(arguments: sweeps)
    func eachPointIsARun(line: String) throws {
        let isTally = line.contains("--trials")
        let all = try points(line + (isTally ? " --seed 9" : "") + " --json")
        #expect(all.map { $0["point"] as? Int } == all.indices.map { $0 })
        for point in all {
            let parameters = try #require(point["parameters"] as? [String: Any])
            let given = parameters.flatMap { name, value in
                let names = (value as? [String]).map { $0.isEmpty ? "none" : $0.joined(separator: ",") }
                return ["-p", "\(name)=\(names ?? "\(value)")"]
            }
            let seed = isTally ? ["--seed", "\(try #require(point["seed"] as? Int))"] : []
            let trials = isTally ? ["--trials", "\(try #require(point["trials"] as? Int))"] : []
            let name = try #require(point["simulation"] as? String)
            let single = try object(
                try run(["run", name] + given + seed + trials + ["--json", "--ephemeral"], on: "eve").stdout)
            #expect(single["digest"] as? String == point["digest"] as? String)
        }
        let seeds = Set(all.map { $0["seed"] as? Int })
        #expect(!isTally || seeds.count == (line.contains("--common-seed") ? 1 : all.count))
        #expect(Set(all.map { $0["digest"] as? String }).count == all.count)
    }

    /// The documents say how a seed is derived, so it never changes.
    @Test func derivedSeedsNeverChange() {
        #expect(SweepPoint.seed(from: 1, [3, 1]) == Self.derivedOnce)
        #expect(SweepPoint.seed(from: 1, [4, 1]) != Self.derivedOnce)
        #expect((0..<100).allSatisfy { SweepPoint.seed(from: $0, []) < 1 << 53 })
    }
    private static let derivedOnce: UInt64 = 5162322030445356

    @Test func aTableHasARowForEachPoint() throws {
        let table = try room.run("run monty-hall --trials 1000 -p doors=3..5 --seed 1", "lab").stdout
        let lines = table.split(separator: "\n").map(String.init)
        #expect(lines[0] == "monty-hall, 3 points")
        #expect(lines[1].split(separator: " ").prefix(4) == ["doors", "stay", "±", "exact"])
        #expect((2...4).map { lines[$0].split(separator: " ")[0] } == ["3", "4", "5"])
        #expect(lines.contains("stay by doors, 3 runs") && lines.contains("switch by doors, 3 runs"))
        let csv = try room.run("run monty-hall --trials 1000 -p doors=3..5 --seed 1 --csv", "lab").stdout
        #expect(csv.split(separator: "\r\n").count == 4 && csv.hasPrefix("id,simulation,"))
    }

    @Test func aFileHasAPointInEachLine() throws {
        let file = "\(NSTemporaryDirectory())/sweep-\(UUID().uuidString).csv"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try "\u{feff}\"doors\" , opened\r\n5,1\r\n\r\n10, 3\r\n".write(toFile: file, atomically: true, encoding: .utf8)
        let all = try points("run monty-hall --trials 1000 --json --sweep", [file])
        #expect(
            all.map { ($0["parameters"] as? [String: Int]) } == [
                ["doors": 5, "opened": 1], ["doors": 10, "opened": 3],
            ])
        for (text, why) in [
            ("", "has no points"), ("doors\n", "has no points"), ("doors,doors\n3,4\n", "two columns 'doors'"),
            ("doors,opened\n\n3\n", "line 3: 1 values, but 2 names"), ("door\n3\n", "unknown parameter 'door'"),
            ("doors\n3\n3\n", "doors=3 occurs twice"), ("doors\n3\nx\n", "line 3: invalid value 'x'"),
            ("doors;opened\n3;1\n", "has semicolons"), ("doors,opened\n3,1\n3,2\n", "line 3: monty-hall: the host"),
        ] {
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try run(["run", "monty-hall", "--trials", "10", "--sweep", file])
            #expect(outcome.code != 0 && outcome.stderr.contains(why), "\(text): \(outcome.stderr)")
            #expect(outcome.stderr.filter { $0 == "\n" }.count == 1 && outcome.stdout.isEmpty)
        }
    }

    /// The history has the points, and a sweep that is run again computes only what is missing.
    @Test func aRepeatedSweepComputesOnlyMissingPoints() throws {
        let line = "run monty-hall --trials 1000 -p doors=3..6 --seed 5"
        let first = try points(line + " --json")
        let sweep = try #require(first[0]["sweep"] as? String)
        let listed = try room.run("history", "lab").stdout
        #expect(listed.contains("sweep \(sweep), 4 points") && listed.split(separator: "\n").count == 3)
        #expect(try run(["history", "--where", "sweep=\(sweep)", "--count"]).stdout == "4\n")
        #expect(try room.run("history show 2", "lab").stdout.contains("point of the sweep \(sweep)"))
        let plot = try run(["history", "plot", "monty-hall", "--by", "doors", "--where", "sweep=\(sweep)"])
        #expect(plot.stdout.contains("stay by doors, 4 runs"))
        #expect(try room.run("history rm 3", "lab").code == 0)
        let again = try room.run(line + " --json", "lab")
        #expect(again.stderr.hasPrefix("potluck: 3 of 4 points were computed before"))
        let second = try again.stdout.split(separator: "\n").map { try object(String($0)) }
        #expect(second.map { $0["digest"] as? String } == first.map { $0["digest"] as? String })
        #expect(try room.run(line + " --json --ephemeral", "lab").stderr.isEmpty)
    }

    @Test func aSweepThatIsStoppedSaysHowToResumeIt() throws {
        // Nobody sees the end of the second point.
        let words = ["run", "tsp", "-p", "cities=5,20", "-p", "bound=cost", "--json"]
        for round in 0..<2 {
            let (stdout, stderr) = (Pipe(), Pipe())
            let child = try Child(
                words, environment: room.environment("lab"), stdout: .descriptor(stdout.writer),
                stderr: .descriptor(stderr.writer))
            stdout.closeWriter()
            stderr.closeWriter()
            #expect(stdout.reader.read { $0.contains("\n") }.hasPrefix("{\"point\":0,"))
            child.send(SIGINT)
            let said = stderr.reader.read()
            #expect(child.wait() == 130)
            #expect(
                said.contains("1 of 2 points are left; to resume this sweep: potluck \(words.joined(separator: " "))"))
            #expect(said.contains("1 of 2 points were computed before") == (round == 1))
        }
    }

    @Test(arguments: [
        ("-p doors=3..x", "a range is written like"), ("-p doors=0.5..1", "a range of real numbers has a step"),
        ("-p doors=9..3", "a range goes up"), ("-p doors=3..5:0", "a range goes up"),
        ("-p doors=1..100000", "at most 10000 values"), ("-p doors=3,3", "doors=3 occurs twice"),
        ("-p doors=2..4", "must be 3 to 100"), ("-p door=3,4", "unknown parameter 'door'"),
        ("-p doors=3..102 -p opened=1..101", "more than 10000 points"),
        ("-p doors=3..9999,3..9999", "more than 10000 points"), ("-p doors=3,4 -p doors=5", "is given twice"),
        ("-p doors=3...10", "a range has two dots"),
        ("-p doors=3..4 -p opened=1..2", "doors=3, opened=2: monty-hall: the host"),
        ("-p doors=3,4 --output x", "--output is for a single run"),
        ("--common-seed", "--common-seed is for several values"), ("-p doors=3.5,4", "must be a whole number"),
    ])
    func wrongUsageIsOneLine(words: String, message: String) throws {
        let outcome = try room.run("run monty-hall --trials 10 " + words, "lab")
        #expect(outcome.code == 2 && outcome.stdout.isEmpty)
        #expect(
            outcome.stderr.contains(message) && outcome.stderr.filter { $0 == "\n" }.count == 1, "\(outcome.stderr)")
    }

    @Test func aListOfNamesIsOneValue() throws {
        let outcome = try room.run("run tsp -p airports=LHR,AMS,JFX", "lab")
        #expect(outcome.code == 2 && outcome.stderr.contains("unknown name 'JFX'"), "\(outcome.stderr)")
    }

    @Test func aSweepNeedsAnEnd() throws {
        let outcome = try room.run("run monty-hall -p doors=3,4", "lab")
        #expect(outcome.code == 2 && outcome.stderr.contains("a sweep needs --trials, --until or --for"))
    }

    /// Every number of a range is exact in decimal, and none is beyond its end.
    @Test func rangesAreExact() throws {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<2000 {
            let places = Int(random.next(below: 5))
            let scale = [1, 10, 100, 1000, 10_000][places]
            let first = Int(random.next(below: 20_000)) - 10_000
            let (step, count) = (1 + Int(random.next(below: 300)), Int(random.next(below: 20)))
            let last = first + step * count + Int(random.next(below: UInt64(step)))
            func text(_ units: Int) -> String {
                let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
                let digits = places == 0 ? "" : "." + String("\(UInt(scale) + rest)".dropFirst())
                return (units < 0 ? "-" : "") + "\(whole)" + digits
            }
            let values = try SteppedRange.values("\(text(first))..\(text(last)):\(text(step))", atMost: 100)
            #expect(values == (0...count).map { text(first + $0 * step) })
        }
        for text in ["1..", "..2", "1..2:", "1..2:x", "--1..2", "1..2e3", "1...2", "0x1..2", "1..2:-1", "1..٣"] {
            #expect(throws: (any Error).self, "\(text)") { try SteppedRange.values(text, atMost: 100) }
        }
        #expect(try SteppedRange.values("12", atMost: 100) == nil)
    }
}
