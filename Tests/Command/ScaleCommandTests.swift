import Foundation
import Testing

@Suite struct ScaleCommandTests {
    private func run(_ line: String) throws -> EndToEndTests.Outcome { try EndToEndTests().run(line) }

    @Test func everyRowHasTheDigestOfARun() throws {
        let outcome = try run("scale monty-hall --trials 1e5 -p doors=3..4 --seed 7 --cores 1,2,3 --repeat 2 --json")
        #expect(outcome.code == 0 && outcome.stderr.filter { $0 == "\n" }.count <= 1, "\(outcome.stderr)")
        let scale = try object(outcome.stdout)
        let rows = try #require(scale["rows"] as? [[String: Any]])
        #expect(rows.map { $0["cores"] as? Int } == [1, 2, 3, 1, 2, 3])
        #expect(rows.allSatisfy { ($0["seconds"] as? Double ?? 0) > 0 && $0["secondsHalfWidth"] is Double })
        for (doors, part) in [3: rows[..<3], 4: rows[3...]] {
            let alone = try object(try run("run monty-hall --trials 1e5 -p doors=\(doors) --seed 7 --json").stdout)
            #expect(part.allSatisfy { $0["digest"] as? String == alone["digest"] as? String })
            #expect(part.allSatisfy { ($0["parameters"] as? [String: Any])?["doors"] as? Int == doors })
        }
    }

    @Test func aTableHasARowForEachNumberOfCores() throws {
        let table = try run("scale golomb -p marks=5,6 --cores 1,2 --repeat 1").stdout.split(separator: "\n")
        #expect(table[0] == "golomb: once")
        #expect(table[1].split(separator: " ").prefix(2) == ["marks", "cores"])
        let rows = table.dropFirst(2).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        #expect(rows == ["5 1", "5 2", "6 1", "6 2"])
        let csv = try run("scale golomb -p marks=5 --cores 2 --repeat 1 --csv").stdout
        #expect(csv.hasPrefix("cores,seconds,seconds.half,speedup,") && csv.split(separator: "\r\n").count == 2)
    }

    /// The nodes of a search's tree: all that one core expands count for something, and no search is without them.
    @Test func aSearchHasTheNodesOfItsTree() throws {
        let rows = try #require(
            object(try run("scale tsp -p cities=6,7 -p bound=cost --cores 1,2 --repeat 2 --json").stdout)["rows"]
                as? [[String: Any]])
        #expect(rows.allSatisfy { $0["expanded"] as? Double ?? 0 > 100 && $0["inVain"] is Double })
        #expect(rows[0]["computation"] as? Double == 1 && rows[2]["computation"] as? Double == 1)
        #expect((rows[2]["expanded"] as? Double ?? 0) > (rows[0]["expanded"] as? Double ?? 0))
        let table = try run("scale tsp -p cities=6 --cores 1 --repeat 1").stdout
        #expect(table.contains("  expanded  in vain  computation") && table.contains("100.0 %"))
        #expect(
            try run("scale tsp -p cities=6 --cores 1 --repeat 1 --csv").stdout.contains(",expanded,invain,computation"))
        #expect(try !run("scale primes -p limit=100 --cores 1 --repeat 1 --csv").stdout.contains("expanded"))
        #expect(try run("run tsp -p cities=5,6 --csv").stdout.contains(",searched,expanded,invain,"))
        #expect(try run("run tsp -p cities=5,6").stdout.contains("  searched  expanded  digest"))
    }

    /// Tasks of any number give the result of a run, also if there are more of them than blocks.
    @Test(arguments: [
        "primes -p limit=1e5 -p method=trial", "monty-hall --trials 1e6", "tsp -p cities=7", "golomb -p marks=6",
    ])
    func tasksGiveTheDigestOfARun(_ job: String) throws {
        let seed = job.hasPrefix("monty") ? " --seed 0" : ""
        let rows = try #require(
            object(try run("scale \(job) --tasks 1,3,40 --cores 2 --repeat 1 --json").stdout)["rows"]
                as? [[String: Any]])
        let alone = try object(try run("run \(job)\(seed) --json").stdout)
        #expect(rows.map { $0["tasks"] as? Int } == [1, 3, 40])
        #expect(rows.allSatisfy { $0["digest"] as? String == alone["digest"] as? String && $0["efficiency"] is NSNull })
        let table = try run("scale \(job) --tasks 2 --repeat 1").stdout
        #expect(table.contains("\ntasks ") && !table.contains("efficiency"))
    }

    @Test func theSpeedUpIsDrawn() throws {
        let file = "\(NSTemporaryDirectory())/scale-\(UUID().uuidString).svg"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let outcome = try run("scale golomb -p marks=5,6 --cores 1,2 --repeat 2 -o \(file)")
        #expect(outcome.code == 0 && outcome.stdout.hasPrefix("golomb: mean of 2 runs"), "\(outcome.stderr)")
        let drawing = try String(contentsOfFile: file, encoding: .utf8)
        #expect(drawing.hasPrefix("<svg") && drawing.contains("golomb, marks=6: speed-up"))
        #expect(try run("scale golomb --cores 1 -o \(file)").stderr.contains("--force"))
        #expect(try run("scale golomb -o scale.png").stderr.contains("the name must end in .svg"))
    }

    @Test(arguments: [
        ("scale monty-hall", "missing option --trials"),
        ("scale monty-hall --trials 1e5 -p doors=3..x", "a range is written like 3..10 or 0.1..0.5:0.05"),
        ("scale monty-hall --trials 1e5 -p doors=9..3", "a range goes up"),
        ("scale monty-hall --trials 1e5 -p doors=3..9223372036854775807", "a range has at most 1000 values"),
        (
            "scale monty-hall --trials 1e5 -p doors=-9223372036854775807..9223372036854775807",
            "a range has at most 1000 values"
        ),
        ("scale monty-hall --trials 1e5 -p doors=3,,5", "invalid value '' for parameter 'doors'"),
        ("scale monty-hall --trials 1e5 -p doors=2..5", "invalid value '2' for parameter 'doors': must be 3 to 100"),
        ("scale monty-hall --trials 1e5 -p door=3", "unknown parameter 'door' of monty-hall"),
        ("scale tsp --trials 5", "leave out --trials"),
        ("scale golomb --seed 5", "takes no seed"),
        ("scale primes -p limit=10 --trials 1e9", "leave out --trials or use fewer"),
        ("scale golomb --cores 1,1", "1 is given twice"),
        ("scale golomb --tasks 0", "invalid value '0' for --tasks: must be from 1 to 10000"),
        ("scale golomb --tasks 4,4", "4 is given twice"), ("scale golomb --tasks x", "must be from 1 to 10000"),
        ("scale golomb --tasks 4 --cores 1,2", "--cores takes one number beside it"),
        ("scale golomb --tasks 4 --session Monty --nodes ana", "--tasks applies to this machine"),
        ("scale golomb --cores 1,", "invalid value '1,' for --cores"),
        ("scale golomb --repeat 0", "must be from 1 to 1000"),
        ("scale golomb --json --csv", "--json and --csv cannot be used together"),
        ("scale golomb --until 0.1", "--until"),
        ("scale", "missing argument NAME"),
    ])
    func wrongUsageIsOneLine(line: String, message: String) throws {
        let outcome = try run(line)
        #expect(outcome.code == 2 && outcome.stdout.isEmpty)
        #expect(
            outcome.stderr.contains(message) && outcome.stderr.filter { $0 == "\n" }.count == 1, "\(outcome.stderr)")
    }
}

/// `potluck scale --session`: the same job on the first few of some nodes.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ScaleSessionTests {
    private let room = Laptops()

    @Test func everyRowHasTheDigestOfARun() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let ana = try room.node("join Monty", "ana")
        ana.reader.read { $0.contains("\"state\":\"connected\"") }
        let alone = try object(try room.run("run monty-hall --trials 1e7 --seed 7 --json --ephemeral", "bob").stdout)
        let line = "scale monty-hall --trials 1e7 --seed 7 --repeat 2 --session Monty --nodes lab,ana"
        for laptop in ["eve", "lab"] {
            let outcome = try room.run("\(line) --json", laptop)
            #expect(outcome.code == 0, "\(outcome.stderr)")
            let rows = try #require(try object(outcome.stdout)["rows"] as? [[String: Any]])
            #expect(rows.map { $0["nodes"] as? Int } == [1, 2])
            #expect(rows.allSatisfy { $0["digest"] as? String == alone["digest"] as? String })
            let work = try rows.map { try #require($0["work"] as? [String: Double]) }
            #expect(work[0] == ["lab": 1] && Set(work[1].keys).isSubset(of: ["lab", "ana"]))
        }
        let table = try room.run(line, "eve").stdout.split(separator: "\n")
        #expect(table[1].split(separator: " ").first == "nodes" && table[2].contains("lab 100 %"))
        end(ana.child, server.child)
    }

    @Test(arguments: [
        ("--session Monty", "missing option --nodes"), ("--nodes ana", "--nodes applies to a session"),
        ("--session Monty --nodes ana --cores 1", "--cores applies to this machine"),
    ])
    func wrongUsageIsOneLine(words: String, message: String) throws {
        let outcome = try room.run("scale monty-hall --trials 10 \(words)", "eve")
        #expect(outcome.code == 2 && outcome.stderr.contains(message), "\(outcome.stderr)")
        #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
    }
}
