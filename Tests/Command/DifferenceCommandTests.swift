import Foundation
import Testing

@Suite struct DifferenceCommandTests {
    private func run(_ line: String) throws -> EndToEndTests.Outcome { try EndToEndTests().run(line) }

    @Test func anyNumberOfCoresGivesTheSame() throws {
        let line = "difference gamblers-ruin -p p=0.5,0.45..0.47:0.01 --trials 1e5 --seed 7 --json"
        let outcome = try run("\(line) --cores 1")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        for cores in 2...3 { #expect(try run("\(line) --cores \(cores)").stdout == outcome.stdout) }
        let found = try object(outcome.stdout)
        #expect(found["trials"] as? Int == 100_000 && found["seed"] as? Int == 7 && found["groups"] as? Int == 32)
        let settings = try #require(found["settings"] as? [[String: Any]])
        #expect(settings.map { ($0["parameters"] as? [String: Any])?["p"] as? Double } == [0.5, 0.45, 0.46, 0.47])
        let first = try #require(settings[0]["readings"] as? [[String: Any]])
        #expect((settings[0]["differences"] as? [Any])?.isEmpty == true)
        for setting in settings.dropFirst() {
            let readings = try #require(setting["readings"] as? [[String: Any]])
            let differences = try #require(setting["differences"] as? [[String: Any]])
            #expect(differences.map { $0["name"] as? String } == ["won", "rounds"])
            for (place, difference) in differences.enumerated() {
                func number(_ name: String, _ object: [String: Any]) throws -> Double {
                    try #require(object[name] as? Double)
                }
                let value = try number("value", readings[place]) - number("value", first[place])
                #expect(try abs(number("value", difference) - value) < 1e-12 * abs(number("value", first[place])))
                let (low, high) = try (number("low", difference), number("high", difference))
                #expect(low < value && value < high && difference["confidence"] as? Double == 0.95)
                // The seed is fixed, and this one is within three half widths.
                #expect(try abs(number("exact", difference) - value) < 1.5 * (high - low))
                #expect(try number("gain", difference) > 1)
            }
        }
    }

    @Test func itStopsWhenTheDifferenceIsPrecise() throws {
        let line = "difference gamblers-ruin -p p=0.5,0.49 --reading won --until 0.002 --seed 1"
        let found = try object(try run("\(line) --json").stdout)
        let settings = try #require(found["settings"] as? [[String: Any]])
        let difference = try #require((settings[1]["differences"] as? [[String: Any]])?.first)
        let (low, high) = (try #require(difference["low"] as? Double), try #require(difference["high"] as? Double))
        #expect(high - low <= 0.004)
        let trials = try #require(found["trials"] as? Int)
        #expect(trials % 32 == 0 && trials > 1000)
        let table = try run(line).stdout.split(separator: "\n")
        #expect(
            table[0].hasPrefix("gamblers-ruin, 2 settings of ") && table[2].contains("won") && table[3].contains("÷"))
        #expect(table.count == 6 && table[4].contains("digest"))
        // The command that it prints computes the same, though its end is a number of trials.
        let command = try #require(found["command"] as? String)
        #expect(command.hasSuffix(" --trials \(trials) --seed 1") && found["reached"] as? Bool == true)
        let again = try object(
            try run("\(command.dropFirst("potluck ".count)) --json".replacing("'", with: "")).stdout)
        #expect(again["digest"] as? String == found["digest"] as? String && again["reached"] is NSNull)
        #expect(again["settings"] as? NSArray == found["settings"] as? NSArray)
    }

    @Test func aPrecisionThatIsNotReachedIsSaid() throws {
        let line = "difference gamblers-ruin -p p=0.5,0.49 --reading won --until 1e-9 --trials 1e4 --seed 1"
        let outcome = try run(line)
        #expect(outcome.code == 0 && outcome.stdout.contains("The precision of --until was not reached."))
        #expect(try object(try run("\(line) --json").stdout)["reached"] as? Bool == false)
    }

    @Test func aTableHasTheNumbersOfTheObject() throws {
        let line = "difference gamblers-ruin -p p=0.5,0.49 --reading won --trials 1e4 --seed 1"
        let rows = try run("\(line) --csv").stdout.components(separatedBy: "\r\n")
            .map { $0.components(separatedBy: ",") }
        #expect(rows.count == 4 && rows.prefix(3).allSatisfy { $0.count == rows[0].count })
        let settings = try #require(try object(try run("\(line) --json").stdout)["settings"] as? [[String: Any]])
        let found = try #require((settings[1]["differences"] as? [[String: Any]])?.first)
        for name in ["difference", "low", "high", "exact", "unpairedHalfWidth", "gain"] {
            let place = try #require(rows[0].firstIndex(of: name))
            let number = try #require(found[name == "difference" ? "value" : name] as? Double)
            // Foundation reads JSON's numbers to the last bit but one.
            #expect(try abs(#require(Double(rows[2][place])) / number - 1) < 1e-15 && rows[1][place].isEmpty, "\(name)")
        }
    }

    /// More trials would not help. The first line about the progress comes when some rounds are done.
    @Test func ctrlCIsSaid() throws {
        let (stdout, stderr) = (Pipe(), Pipe())
        let line = "difference gamblers-ruin -p p=0.5,0.49 --reading won --until 1e-9 --seed 1"
        let child = try Child(
            line.split(separator: " ").map(String.init), environment: [:], stdout: .descriptor(stdout.writer),
            stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        let said = stderr.reader
        said.read { $0.contains(" points") }
        child.send(SIGINT)
        let text = stdout.reader.read()
        #expect(child.wait() == 130)
        #expect(text.contains("stopped before the precision of --until was reached."), "\(text)")
        #expect(!text.contains("--trials."), "\(text)")
    }

    @Test(arguments: [
        ("difference gamblers-ruin -p p=0.5,0.4", "missing option --trials or --until"),
        ("difference gamblers-ruin --trials 1e5", "no settings to compare"),
        ("difference gamblers-ruin -p p=0.5 --trials 1e5", "no settings to compare"),
        ("difference gamblers-ruin -p p=0.5,0.5 --trials 1e5", "two settings are equal"),
        ("difference gamblers-ruin -p p=0.5,2 --trials 1e5", "invalid value '2' for parameter 'p'"),
        ("difference gamblers-ruin -p stake=10,20 --trials 1e5", "the goal must be above the stake"),
        ("difference gamblers-ruin -p q=1,2 --trials 1e5", "unknown parameter 'q'"),
        (
            "difference gamblers-ruin -p p=0.5,0.4 --trials 9 --reading round",
            "has no reading 'round' with a value; did you mean 'rounds'?"
        ),
        ("difference gamblers-ruin -p p=0.5,0.4 --trials 9 --reading won --reading won", "'won' is given twice"),
        ("difference gamblers-ruin -p p=0.5,0.4 --trials 9 --nodes ana", "--nodes applies to a session"),
        (
            "difference gamblers-ruin -p p=0.5,0.4 --session Monty --trials 9 --cores 2",
            "--cores applies to this machine"
        ),
        ("difference gamblers-ruin -p stake=1..20 -p goal=901..910 --trials 9", "more than 100 points"),
        ("difference primes -p limit=1e3,1e4 --trials 9", "primes draws no trials"),
        ("difference tsp -p cities=5,6 --trials 9", "tsp draws no trials"),
        ("difference gamblers-ruin -p p=0.5,0.4 --for 1s", "--for"),
        ("difference", "missing argument NAME"),
    ])
    func wrongUsageIsOneLine(line: String, message: String) throws {
        let outcome = try run(line)
        #expect(outcome.code == 2 && outcome.stdout.isEmpty, "\(outcome.stderr)")
        #expect(
            outcome.stderr.contains(message) && outcome.stderr.filter { $0 == "\n" }.count == 1, "\(outcome.stderr)")
    }

    /// The games' length depends on these parameters, and so does the size of a block.
    @Test func blocksOfOtherSizesAreRemarked() throws {
        let outcome = try run("difference gamblers-ruin -p stake=5,400 -p goal=800 --trials 64 --seed 1")
        #expect(outcome.code == 0 && outcome.stderr.contains("trials, so only some trials meet"), "\(outcome.stderr)")
    }
}

@Suite(.serialized, .timeLimit(.minutes(60))) struct DifferenceSessionTests {
    private let room = Laptops()

    @Test func aSessionGivesTheSame() throws {
        let line = "difference gamblers-ruin -p p=0.5,0.49 --trials 1e5 --seed 7 --json"
        let alone = try room.run(line, "bob")
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let outcome = try room.run("\(line) --session Monty --nodes lab", "eve")
        #expect(outcome.code == 0 && outcome.stdout == alone.stdout, "\(outcome.stderr)")
        end(server.child)
    }
}
