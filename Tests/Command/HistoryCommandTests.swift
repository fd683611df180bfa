import Foundation
import PotluckCore
import PotluckKit
import PotluckMachine
import Testing

@testable import PotluckCommand

/// Recorded runs can be found again with the program itself.
@Suite(.serialized) struct HistoryCommandTests {
    let folder = NSTemporaryDirectory() + "potluck-" + UUID().uuidString

    private func run(_ words: [String], environment: [String: String] = [:]) throws -> EndToEndTests.Outcome {
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try Child(
            words, environment: ["POTLUCK_STATE": folder, "XDG_CONFIG_HOME": folder].merging(environment) { $1 },
            stdout: .descriptor(stdout.writer), stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        let (out, err) = (stdout.reader.read(), stderr.reader.read())
        return EndToEndTests.Outcome(code: child.wait(), stdout: out, stderr: err)
    }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try run(line.split(separator: " ").map(String.init))
    }

    private func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

    @Test func aRunIsRecordedShownAndRepeated() throws {
        defer { removeFolder() }
        #expect(try run("history").stdout == "No runs are recorded yet; 'potluck run' records them.\n")
        #expect(try run("history --count").stdout == "0\n")
        let first = try run("run monty-hall --trials 2e5 --seed 3 --json")
        #expect(first.stderr == "")
        _ = try run("run pi --trials 1e5 --seed 3")
        _ = try run("run pi --trials 1e5 --seed 4 --ephemeral")
        #expect(try run("history --count").stdout == "2\n")
        let shown = try JSONSerialization.jsonObject(with: Data(try run("history show 1 --json").stdout.utf8))
        let original = try JSONSerialization.jsonObject(with: Data(first.stdout.utf8))
        let (kept, made) = (try #require(shown as? [String: Any]), try #require(original as? [String: Any]))
        for name in ["simulation", "digest"] { #expect(kept[name] as? String == made[name] as? String) }
        #expect(kept["seed"] as? Int == 3 && kept["trials"] as? Int == 200_000)
        let again = try run("history show 1").stdout.split(separator: "\n").last.map {
            $0.drop { $0 == " " }.dropFirst("repeat".count)
        }
        let words = (again ?? "").split(separator: " ").dropFirst().map(String.init)
        let repeated = try run(words + ["--json"])
        #expect(repeated.stdout.contains(try #require(made["digest"] as? String)))
        #expect(try run("history compare 1 3").stdout.contains("The results are the same, byte for byte."))
        #expect(try run("history --simulation pi --count").stdout == "1\n")
        #expect(try run(["history", "--where", "doors=3 and stay<0.4", "--count"]).stdout == "2\n")
        #expect(try run("history note last good").code == 0)
        #expect(try run(["history", "--where", "note~good"]).stdout.contains("3*"))
        #expect(try run("history rm 1").code == 0)
        #expect(try run("history --csv").stdout.split(separator: "\r\n").count == 3)
        #expect(try run(["history", "rm", "--where", "door=3"]).stderr.contains("did you mean 'doors'"))
        #expect(try run(["history", "rm", "--where", "doors=3 and stay>0.9"]).stdout == "0 runs removed\n")
        #expect(try run(["history", "rm", "--where", "doors=3"]).stdout == "1 run removed\n")
        #expect(try run("history --count").stdout == "1\n" && run("history --simulation pi --count").stdout == "1\n")
    }

    @Test func aReportAndAPlotAreFiles() throws {
        defer { removeFolder() }
        _ = try run("run monty-hall --trials 4e6 --seed 3")
        #expect(try run("report last -o \(folder)/r.html").code == 0)
        #expect(try run("report 1 -o \(folder)/r.svg").code == 0)
        #expect(try run("report 1 -o \(folder)/r.txt").code == 0)
        #expect(try run("history plot -o \(folder)/t.svg").code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(names).isSuperset(of: ["r.html", "r.svg", "r.txt", "t.svg"]))
        #expect(names.allSatisfy { !$0.contains("new") })
        #expect(try run("report 1").stdout.hasPrefix("<!DOCTYPE html>"))
        #expect(try run("history plot").stdout.contains("stay, 1 run"))
        #expect(try run("history plot --by doors").stdout.contains("stay by doors, 1 run"))
        #expect(
            try run("history plot --by dors").stderr
                == "potluck: unknown parameter 'dors' of monty-hall; did you mean 'doors'?\n")
        let again = try run("report 1 -o \(folder)/r.html")
        #expect(
            again.code == 1
                && again.stderr
                    == "potluck: \(folder)/r.html already exists; use --force to overwrite it, or choose another name\n"
        )
        #expect(try run("report 1 -o \(folder)/r.html --force").code == 0)
    }

    /// A run of a simulation with nine readings, and one that never has a value.
    private func wideRun(_ number: UInt64) -> RunRecord {
        let readings = (1...9).map { Reading(name: "r\($0)", kind: .mean, value: Double($0)) }
        return RunRecord(
            key: RunRecord.key(ofOneMachines: JobID(number)),
            simulation: SimulationIdentity(name: "wide", source: "", streams: 1), parameters: [], seed: number,
            blockSize: 16, goal: Goal(trials: 16), trials: 16, tally: [], counts: [],
            readings: [Reading(name: "none", kind: .mean, value: nil)] + readings, course: [], digest: "\(number)",
            completion: .trials, startedAt: Int64(number), elapsed: .seconds(1), nodes: [])
    }

    @Test func aPlotReportsTheRunsThatItLeavesOut() throws {
        defer { removeFolder() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try History.open(at: folder + "/history.db").record([wideRun(1), wideRun(2)])
        let some = try run("history plot wide --limit 1 -o \(folder)/some.svg")
        #expect(
            some.stderr == """
                potluck: The plot has the newest 1 of 2 runs; use --limit N for more.
                potluck: No run has a value of none.
                potluck: The file has the first 8 of 9 readings. Use --reading NAME to plot another one.

                """)
        let drawing = try String(contentsOfFile: folder + "/some.svg", encoding: .utf8)
        #expect(drawing.contains("wide: r8") && !drawing.contains("wide: r9") && !drawing.contains("wide: none"))
        #expect(try run("history plot wide --reading r9 -o \(folder)/r9.svg").stderr == "")
        #expect(try run("history plot wide --limit 1").stdout.contains("The plot has the newest 1 of 2 runs;"))
        #expect(try !run("history plot wide").stdout.contains("The plot has"))
    }

    /// Runs of a session and one of this machine alone can be found, listed, plotted and exported by their nodes.
    @Test func runsAreFoundByTheirNodes() throws {
        defer { removeFolder() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var runs = (1...3).map { wideRun($0) }
        for place in 0..<2 {
            runs[place].nodes = [
                RecordedNode(name: "ana", cores: 4, trials: place == 0 ? 12 : 4, rate: nil),
                RecordedNode(name: "ben's laptop", cores: 2, trials: place == 0 ? 4 : 12, rate: nil),
            ]
        }
        runs[2].nodes = [RecordedNode(name: "lab", cores: 2, trials: 16, rate: nil)]
        try History.open(at: folder + "/history.db").record(runs)
        let chosen = try run(["history", "--where", "share.ana>50%"]).stdout
        #expect(chosen.contains("computed by") && chosen.contains("ana 75 %, ben's laptop 25 %"))
        #expect(chosen.split(separator: "\n").count == 2)
        #expect(try run(["history", "--where", "node=ana", "--count"]).stdout == "2\n")
        #expect(try run(["history", "--where", "share.\"ben's laptop\">=0.75", "--count"]).stdout == "1\n")
        #expect(try run(["history", "--where", "node=lab"]).stdout.contains("lab 100 %"))
        #expect(try run(["history", "--where", "node=zoe"]).stdout == "No runs match; the history has 3.\n")
        #expect(
            try run(["history", "--sort", "share.zoe"]).stderr
                == "potluck: --sort: no run was computed by a node called 'zoe'; nodes: ana, ben's laptop, lab\n")
        let table = try run("history --csv --sort id --reverse").stdout.split(separator: "\r\n")
        #expect(table[0].contains(",share.ana,share.ben's laptop,share.lab,"))
        #expect(table[1].contains(",0.75,0.25,,") && table[3].contains(",,,1.0,"))
        let plot = try run("history plot --reading share.ana --by nodes --mean").stdout
        #expect(plot.contains("share.ana by nodes, 2 runs") && plot.contains("nodes, means of 2 runs"))
        #expect(
            try run("history plot --by share.anna").stderr
                == "potluck: none of the runs was computed by a node called 'anna'; did you mean 'ana'?\n")
        #expect(
            try run("history plot --mean").stderr
                == "potluck: --mean needs --by, because it shows the mean of the runs of each value\n")
    }

    @Test func importsCheckTheDigestsOfExportedRuns() throws {
        defer { removeFolder() }
        for seed in 1...3 { _ = try run("run pi --trials 1e5 --seed \(seed)") }
        let file = folder + "/out.sqlite"
        #expect(try run("history export \(file)").stdout == "3 runs exported to \(file)\n")
        #expect(try run("history import \(file)").stdout == "0 runs imported, 3 already present\n")
        #expect(try run("history import \(file) --state \(folder)/2").stdout == "3 runs imported, 0 already present\n")
        #expect(try run("history export \(file)").code == 1)
        #expect(try run("history export --force --limit 1 \(file)").stdout == "1 run exported to \(file)\n")
        #expect(try run("history export \(folder)/out.csv").code == 0)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder + "/out.csv")) == Data(run("history --csv").stdout.utf8))
        #expect(try run("history export \(folder)/out.json").code == 0)
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: folder + "/out.json")) == Data(run("history --json").stdout.utf8))
        #expect(try run("history import \(folder)/none").stderr == "potluck: no such file: \(folder)/none\n")
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder + "/bad"))
        let bad = try run("history import \(folder)/bad")
        #expect(bad.code == 1 && bad.stderr.contains("not a file of 'potluck history export'"))
        #expect(
            try run("history export \(folder)/no/x.sqlite").stderr == "potluck: \(folder)/no/x.sqlite: no such folder\n"
        )
    }

    @Test func independentRunsAreComparedAndPooled() throws {
        defer { removeFolder() }
        for seed in 1...3 { _ = try run("run monty-hall --trials 1e5 --seed \(seed)") }
        _ = try run("run monty-hall --trials 3e5 --seed 1")
        _ = try run("run monty-hall --trials 1e5 --seed 4 -p doors=4")
        #expect(try run("history compare 1 4").stdout.contains("The runs share trials: run 1 is the first 100 000"))
        #expect(try run("history compare 1 2 3").stdout.contains("stay: the runs agree as independent runs do."))
        #expect(try run("history compare 1 2 4").stdout.contains("Runs with the same seed are not independent: 1, 4."))
        let pooled = try run("history pool 1 2 3 --json").stdout
        let value = try #require(try JSONSerialization.jsonObject(with: Data(pooled.utf8)) as? [String: Any])
        #expect(value["trials"] as? Int == 300_000)
        let each = try (1...3).map { id -> Int in
            let shown = try JSONSerialization.jsonObject(with: Data(try run("history show \(id) --json").stdout.utf8))
            return try #require(((shown as? [String: Any])?["counts"] as? [String: Any])?["stay"] as? Int)
        }
        #expect((value["tally"] as? [String: Any])?["stay"] as? Int == each.reduce(0, +))
        let digest = try #require(value["digest"] as? String)
        #expect(try run("history pool 3 1 2").stdout.contains(digest), "the order does not matter")
        #expect(try run("history --count").stdout == "5\n", "a pool is not recorded")
        #expect(
            try run("history pool 1 4").stderr
                == "potluck: runs 1 and 4 have the same seed, so they share trials; pool runs of different seeds\n")
        #expect(try run("history pool 1 5").stderr == "potluck: runs 1 and 5 have different parameters\n")
    }

    /// A parameter and a reading of one name, or a parameter with the name of a column, have a column each, by names that
    /// conditions take.
    @Test func noColumnIsLost() throws {
        defer { removeFolder() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try "1 2\n3 4\n5 5\n".write(toFile: "\(folder)/c", atomically: false, encoding: .utf8)
        _ = try run("run tsp --input cities=\(folder)/c")
        _ = try run("run option-price --trials 1e4 --seed 1 -p rate=0.05")
        let heads = try run("history --csv").stdout.prefix { $0 != "\r\n" }.split(separator: ",")
        #expect(heads.count == Set(heads).count, "\(heads)")
        for head in ["parameter.distance", "reading.distance.low", "rate", "parameter.rate", "price", "doors"] {
            #expect(heads.contains { $0 == head } == (head != "doors"), "\(head)")
        }
        let refused = try run(["history", "--where", "distance>0"])
        #expect(refused.code == 2)
        #expect(refused.stderr.contains("write parameter.distance or reading.distance"), "\(refused.stderr)")
        for (condition, count) in [("reading.distance>0", 1), ("parameter.rate=0.05", 1), ("run.rate>0", 1)] {
            #expect(try run(["history", "--count", "--where", condition]).stdout == "\(count)\n", "\(condition)")
        }
        #expect(try run("history --count --simulation tsp --where rate>0").code == 0)
    }

    /// What `run --json` and the history have of a run, both have in the same shape.
    @Test(arguments: [
        "run monty-hall --trials 1000 --seed 1", "run queens -p queens=6 -p list=yes",
        "run tsp -p airports=LHR,JFK,SYD",
    ]) func aRunAndItsRecordAgree(line: String) throws {
        defer { removeFolder() }
        func members(_ line: String) throws -> [String: NSObject] {
            let text = try run(line).stdout
            return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: NSObject])
        }
        let (result, recorded) = (try members("\(line) --json"), try members("history show 1 --json"))
        let shared = Set(result.keys).intersection(recorded.keys)
        for key in shared { #expect(result[key] == recorded[key], "\(key)") }
        let expected: Set = ["parameters", "tally", "counts", "slots", "complete", "ended", "source", "program"]
        #expect(shared.isSuperset(of: expected))
    }

    @Test func aRunIsPrintedAsCommaSeparatedValues() throws {
        defer { removeFolder() }
        let printed = try run("run pi --trials 1e5 --seed 3 --csv")
        #expect(printed.code == 0 && printed.stderr.isEmpty)
        let (own, listed) = (printed.stdout, try run("history --csv").stdout)
        #expect(own.prefix { $0 != "\r\n" } == listed.prefix { $0 != "\r\n" }, "the same columns")
        #expect(own.split(separator: "\r\n").count == 2)
    }

    /// Changes one digit of a digest, as a flipped bit on the disk would.
    @Test func aRepairNamesTheLostRuns() throws {
        defer { removeFolder() }
        for seed in 1...3 { _ = try run("run pi --trials 1e5 --seed \(seed)") }
        #expect(try run("history repair").stdout == "3 runs checked, no damage found\n")
        let path = URL(fileURLWithPath: folder + "/history.db")
        var octets = Array(try Data(contentsOf: path))
        let listed = try JSONSerialization.jsonObject(with: Data(try run("history show 2 --json").stdout.utf8))
        let digest = Array(try #require((listed as? [String: Any])?["digest"] as? String).utf8)
        for place in octets.indices where octets[place...].starts(with: digest) {
            octets[place] = octets[place] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        }
        let pages = octets.count / 4096
        try Data(octets).write(to: path)
        let refused = try run("history")
        #expect(refused.code == 1 && refused.stdout.isEmpty)
        #expect(refused.stderr.hasSuffix("save its readable runs with: potluck history repair)\n"))
        let repaired = try run("history repair")
        #expect(
            repaired.stdout == """
                \(folder)/history.db is damaged (2 of \(pages) pages)
                run 2 is lost: it cannot be read
                2 runs saved; the damaged file is kept as \(folder)/history.db.damaged

                """)
        #expect(try run("history show 3").code == 0)
        #expect(try run("history show 2").stderr == "potluck: no run 2; 'potluck history' lists the runs\n")
    }

    @Test func aStoreInTroubleIsALineAndTheResultStays() throws {
        defer { removeFolder() }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: folder + "/history.db"))
        let outcome = try run("run pi --trials 1e5 --seed 1")
        #expect(outcome.code == 0 && outcome.stdout.contains("digest"))
        #expect(
            outcome.stderr.hasPrefix("potluck: cannot record this run: \(folder)/history.db is not a Potluck file"))
        #expect(try run("history").code == 1)
    }

    @Test(arguments: [
        ("history shwo 1", "unknown action 'shwo'; did you mean 'show'?"),
        ("history show", "wrong number of arguments; usage: potluck history show ID"),
        ("history note 1", "wrong number of arguments; usage: potluck history note ID TEXT"),
        ("history rm", "missing argument ID; usage: potluck history rm ID|--where CONDITION|--before DATE"),
        (
            "history rm 1 --before 7d",
            "a run's number and options cannot be used together; usage: potluck history rm ID|--where CONDITION|--before DATE"
        ),
        ("history show 1 --csv", "--csv does not apply to history show; usage: potluck history show ID"),
        ("history show x", "'x' is not a run's number; 'potluck history' lists the runs"),
        ("history --where dors>3", "--where: column 1: unknown field 'dors'; did you mean 'doors'?"),
        ("history --sort dors", "--sort: unknown field 'dors'; did you mean 'doors'?"),
        ("history --simulation monty", "no runs of 'monty'; did you mean 'monty-hall'?"),
        (
            "history --since tuesday",
            "invalid value 'tuesday' for --since: not a date; use a date like 2026-11-20, 2026-11-20T14:30, yesterday or 7d"
        ),
        ("history --limit 0", "invalid value '0' for --limit: must be a whole number, 1 or more"),
        ("history --csv --json", "--json and --csv cannot be used together"),
        ("history export runs.parquet", "Parquet is not supported; the name must end in .csv, .json or .sqlite"),
        (
            "history export runs.potluck",
            "cannot tell the format of 'runs.potluck'; the name must end in .csv, .json or .sqlite"
        ),
        ("history compare 1 1", "run 1 is given twice"),
        ("run pi --trials 5 --csv --json", "--json and --csv cannot be used together"),
        ("report 1 -o page.pdf", "invalid value 'page.pdf' for -o: the name must end in .html, .svg, .csv or .txt"),
        ("config nmae", "unknown setting 'nmae'; did you mean 'name'?"),
        ("config cores 0", "invalid value '0' for cores: must be from 1 to 1024"),
    ])
    func mistakesAreOneLineOnStderrAndTwo(_ line: String, _ message: String) throws {
        defer { removeFolder() }
        _ = try run("run monty-hall --trials 1e4 --seed 1")
        let outcome = try run(line)
        #expect(outcome.code == 2)
        #expect(outcome.stderr == "potluck: \(message)\n")
    }

    @Test func settingsAreShownWithWhereTheyComeFrom() throws {
        defer { removeFolder() }
        #expect(try run("config cores 1").code == 0)
        #expect(try run("config cores").stdout == "1\n")
        #expect(try run("run pi --trials 1e5 --seed 1 --json").stdout.contains("\"cores\":1,"))
        #expect(try run("run pi --trials 1e5 --seed 1 --cores 2 --json").stdout.contains("\"cores\":2,"))
        let shown = try run(["config", "--json"], environment: ["POTLUCK_NAME": "ana"]).stdout
        #expect(shown.contains("\"name\":{\"value\":\"ana\",\"source\":\"POTLUCK_NAME\"}"))
        #expect(shown.contains("\"cores\":{\"value\":\"1\",\"source\":\"file\"}"))
        #expect(try run("config cores --unset").code == 0)
        #expect(try run("config cores").stdout == "all cores\n")
        // `config` shows the default that is in effect.
        #expect(try run("config battery").stdout == "pause\n")
        let wrong = try run(["run", "pi", "--trials", "5"], environment: ["POTLUCK_CORES": "many"])
        #expect(
            wrong.code == 2 && wrong.stderr == "potluck: invalid value 'many' for POTLUCK_CORES: not a whole number\n")
    }
}
