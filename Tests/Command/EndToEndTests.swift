import Foundation
import Glibc
import Testing

/// The program itself, as users and scripts start it.
@Suite(.serialized) struct EndToEndTests {
    struct Outcome {
        let code: Int32
        let stdout: String
        let stderr: String
    }

    func run(_ line: String, environment: [String: String] = [:]) throws -> Outcome {
        try run(line.split(separator: " ").map(String.init), environment: environment)
    }

    func run(
        _ words: [String], program: String = Child.program, environment: [String: String]
    ) throws -> Outcome {
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try Child(
            words, program: program, environment: environment, stdout: .descriptor(stdout.writer),
            stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        // Stderr fits into the pipe's buffer, so reading one after the other cannot block.
        let (out, err) = (stdout.reader.read(), stderr.reader.read())
        return Outcome(code: child.wait(), stdout: out, stderr: err)
    }

    @Test func aRunPrintsItsResultAndNothingElse() throws {
        let outcome = try run("run monty-hall --trials 100_000 --seed 7 -p doors=4", environment: ["TERM": "xterm"])
        #expect(outcome.code == 0)
        #expect(outcome.stderr == "")
        #expect(outcome.stdout.hasPrefix("monty-hall: 100 000 trials in "))
        #expect(outcome.stdout.hasSuffix("potluck run monty-hall -p doors=4 --trials 100000 --seed 7\n"))
        #expect(!outcome.stdout.contains("\u{1b}"))
    }

    @Test func theSameRunGivesTheSameDigest() throws {
        let digests = try ["1", "2", "3"].map { cores in
            try object(try run("run pi --trials 200k --seed 0xff --cores \(cores) --json").stdout)["digest"] as? String
        }
        #expect(digests[0]?.count == 64)
        #expect(Set(digests).count == 1)
        let other = try object(try run("run pi --trials 200k --seed 254 --json").stdout)["digest"] as? String
        #expect(other != digests[0])
    }

    @Test func jsonIsOneObjectWithAllThatIsKnown() throws {
        let outcome = try run("run monty-hall --trials 1e5 --seed 18446744073709551615 --cores 2 --json")
        #expect(outcome.code == 0)
        #expect(outcome.stdout.filter { $0 == "\n" }.count == 1)
        #expect(outcome.stdout.contains("\"seed\":18446744073709551615,"))
        let result = try object(outcome.stdout)
        #expect(
            Set(result.keys) == [
                "simulation", "parameters", "seed", "trials", "tally", "readings", "digest", "complete", "ended",
                "elapsed", "rate", "cores", "source", "streams", "blockSize", "counts", "slots", "program",
                "schema", "merit",
            ])
        #expect(result["schema"] as? Int == 1)
        #expect(result["simulation"] as? String == "monty-hall")
        #expect(result["parameters"] as? [String: Int] == ["doors": 3, "opened": 1])
        #expect(result["trials"] as? Int == 100_000)
        #expect(result["cores"] as? Int == 2)
        #expect(result["complete"] as? Bool == true)
        let tally = try #require(result["tally"] as? [String: Int])
        #expect(tally["stay", default: 0] + tally["switch", default: 0] == 100_000)
        let readings = try #require(result["readings"] as? [[String: Any]])
        #expect(readings.map { $0["name"] as? String } == ["stay", "switch"])
        for reading in readings {
            let value = try #require(reading["value"] as? Double)
            #expect(try #require(reading["low"] as? Double) < value)
            #expect(try #require(reading["high"] as? Double) > value)
            #expect(reading["confidence"] as? Double == 0.95)
            #expect(reading["exact"] is Double)
        }
    }

    @Test func goalsEndARun() throws {
        let precise = try object(try run("run pi --until 1% --seed 1 --json").stdout)
        #expect(precise["complete"] as? Bool == true)
        let timed = try object(try run("run pi --for 50ms --seed 1 --json").stdout)
        #expect(timed["complete"] as? Bool == true)
        #expect(try #require(timed["elapsed"] as? Double) >= 0.05)
    }

    /// The readings that are named end a run; the others may be as wide as they are.
    @Test func someReadingsEndARun() throws {
        func result(until goal: String) throws -> [String: Any] {
            let words = ["run", "gamblers-ruin", "--seed", "1", "--json", "--until", goal]
            return try object(try run(words, environment: [:]).stdout)
        }
        let (whole, won) = (try result(until: "2%"), try result(until: "won<2%"))
        let both = try result(until: "rounds<2% and won<2%")
        #expect(both["digest"] as? String == whole["digest"] as? String && whole["digest"] != nil)
        let trials = try [won, whole].map { try #require($0["trials"] as? Int) }
        #expect(trials[0] <= trials[1])
        for (text, why) in [
            ("round<2%", "gamblers-ruin has no reading 'round' with an interval; did you mean 'rounds'?"),
            ("x<1", "gamblers-ruin has no reading 'x' with an interval; readings: won, rounds"),
            ("won<0", "must be more than 0"), ("won<1 and rounds", "each part is a reading and its precision"),
        ] {
            let refused = try run(["run", "gamblers-ruin", "--until", text], environment: [:])
            #expect(refused.code == 2 && refused.stderr.contains(why), "\(refused.stderr)")
        }
    }

    @Test func withoutASeedEachRunHasItsOwn() throws {
        let seeds = try (0..<3).map { _ in
            try #require(try object(try run("run pi --trials 1 --json").stdout)["seed"] as? UInt64)
        }
        #expect(Set(seeds).count == 3)
        #expect(seeds.allSatisfy { $0 < 1 << 53 })
    }

    @Test(arguments: [
        ("run zebra", "unknown simulation 'zebra'; 'potluck simulations' lists them"),
        ("run monty-hal", "unknown simulation 'monty-hal'; did you mean 'monty-hall'?"),
        ("run", "missing argument NAME; usage: potluck run NAME [OPTIONS]"),
        ("run pi --trails 5", "unknown option '--trails'; did you mean '--trials'?"),
        ("run pi --trials 0", "invalid value '0' for --trials: must be at least 1"),
        ("run pi --trials 1e19", "invalid value '1e19' for --trials: must be at most 1e18"),
        ("run pi --cores 0", "invalid value '0' for --cores: must be from 1 to 1024"),
        ("run monty-hall -p door=3", "unknown parameter 'door' of monty-hall; did you mean 'doors'?"),
        ("run monty-hall -p doors=2", "invalid value '2' for parameter 'doors': must be 3 to 100"),
        ("run monty-hall -p doors=3 -p doors=3", "parameter 'doors' is given twice"),
        ("run monty-hall -p doors", "invalid value 'doors' for -p: use NAME=VALUE"),
        (
            "run monty-hall -p opened=2",
            "monty-hall: the host must leave two doors closed: opened is at most doors - 2"
        ),
        ("run primes --limit 1000", "'limit' is a parameter of primes; use -p limit=1000"),
        ("run primes limit=1000", "'limit' is a parameter of primes; use -p limit=1000"),
        ("run --limt=1e3 primes", "'limit' is a parameter of primes; use -p limit=1e3"),
        ("run --list primes", "'list' is a parameter of primes; use -p list=VALUE"),
        ("serve Monty --run=primes --limit 9", "'limit' is a parameter of primes; use -p limit=9"),
        ("run pi --limit 9", "unknown option '--limit' for potluck run; potluck history has it"),
        ("history --doors 3", "unknown option '--doors'; see 'potluck history --help'"),
        ("run pi limit=9", "unexpected argument 'limit=9'; usage: potluck run NAME [OPTIONS]"),
        ("simulations zebra", "unknown simulation 'zebra'; 'potluck simulations' lists them"),
        ("rnu pi", "unknown command 'rnu'; did you mean 'run'?"),
    ])
    func mistakesAreOneLineOnStderrAndTwo(_ line: String, _ message: String) throws {
        let outcome = try run(line)
        #expect(outcome.code == 2)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "potluck: \(message)\n")
    }

    @Test func helpAndVersion() throws {
        #expect(try run("--version").stdout.hasPrefix("potluck "))
        for line in ["", "--help", "run --help", "simulations -h", "help run"] {
            let outcome = try run(line)
            #expect(outcome.code == 0)
            #expect(outcome.stdout.contains("Usage: potluck "))
        }
    }

    @Test func simulationsAreListedAndExplained() throws {
        let listed = try run("simulations").stdout.split(separator: "\n").first { $0.hasPrefix("monty-hall ") }
        #expect(listed?.contains(" Behind one door") == true)
        #expect(try run("simulations monty-hall").stdout.contains("3 to 100"))
        let list = try run("simulations --json").stdout
        let parsed = try #require(try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [[String: Any]])
        #expect(parsed.contains { $0["name"] as? String == "pi" })
        let one = try object(try run("simulations monty-hall --json").stdout)
        let parameters = try #require(one["parameters"] as? [[String: Any]])
        #expect(parameters.first?["minimum"] as? Int == 3)
        #expect((one["readings"] as? [[String: Any]])?.first?["exact"] as? Double == 1.0 / 3)
    }

    @Test func aFullDiskIsReported() throws {
        let stderr = Pipe()
        let child = try Child(
            ["run", "pi", "--trials", "1"], stdout: .file("/dev/full"), stderr: .descriptor(stderr.writer))
        stderr.closeWriter()
        #expect(stderr.reader.read() == "potluck: cannot write to stdout: No space left on device\n")
        #expect(child.wait() == 1)
    }

    /// A closed pipe kills the program with SIGPIPE and without a message, like other programs.
    @Test func aReaderThatHasEnoughIsNoError() throws {
        let (stderr, stdout) = (Pipe(), Pipe.withoutReader())
        let child = try Child(["simulations"], stdout: .descriptor(stdout), stderr: .descriptor(stderr.writer))
        close(stdout)
        stderr.closeWriter()
        #expect(stderr.reader.read() == "")
        #expect(child.wait() == -SIGPIPE)
    }
}
