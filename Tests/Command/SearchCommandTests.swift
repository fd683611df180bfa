import Foundation
import Testing

/// Searches, as users run them.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SearchCommandTests {
    private func run(_ line: String, _ environment: [String: String] = [:]) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: environment)
    }

    /// The file has what the screen shows of the solution, and with `-` it is all of stdout.
    @Test func theSolutionIsWrittenToAFile() throws {
        let path = NSTemporaryDirectory() + "potluck-tour-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let written = try run("run tsp -p cities=7 --output \(path)")
        let file = try String(contentsOfFile: path, encoding: .utf8)
        let order = file.split(separator: "\n")[0]
        #expect(written.code == 0 && written.stdout.contains("  \(order)\n"), "\(written)")
        #expect(order.split(separator: " ").compactMap { Int($0) }.sorted() == Array(1...7))
        let printed = try run("run tsp -p cities=7 --output -")
        #expect(printed.stdout == file && printed.stderr.contains("distance"))
        let none = try run("run tsp -p cities=7 --output \(path)/x")
        #expect(none.code == 1 && none.stderr.hasPrefix("potluck: cannot write"), "\(none)")
    }

    @Test func theBestIsShownWithItsCost() throws {
        let outcome = try run("run golomb -p marks=7")
        #expect(outcome.code == 0 && outcome.stderr.isEmpty, "\(outcome.stderr)")
        #expect(outcome.stdout.hasPrefix("golomb: the whole tree in "))
        #expect(outcome.stdout.contains("  length   25") && outcome.stdout.contains("\n  0 1 4 10 18 23 25\n"))
        #expect(outcome.stdout.hasSuffix("potluck run golomb -p marks=7\n"))
        #expect(!outcome.stdout.contains("seed") && !outcome.stdout.contains("trials"))
    }

    @Test func theDigestIsTheSameForEveryNumberOfCores() throws {
        let results = try ["1", "2", "5"].map { cores in
            try object(try run("run tsp -p cities=9 --cores \(cores) --json").stdout)
        }
        #expect(Set(results.map { $0["digest"] as? String }).count == 1)
        // How much was looked at depends on luck, but something was.
        #expect(results.allSatisfy { $0["expanded"] as? Int ?? 0 > 0 && $0["inVain"] is Int })
        let solutions = results.map { $0["solution"] as? String }
        #expect(Set(solutions).count == 1)
        // The order, and ten places: the trip ends where it begins.
        let lines = try #require(solutions[0]).split(separator: "\n")
        #expect(lines.count == 11 && lines[1] == lines[10] && lines[0].split(separator: " ").count == 9)
    }

    /// A route of places is drawn, where the terminal can show it.
    @Test func theRouteIsDrawn() throws {
        let drawn = try run("run tsp -p cities=9", ["LC_ALL": "C.UTF-8"]).stdout
        let plain = try run("run tsp -p cities=9", ["LC_ALL": "C"]).stdout
        func dots(_ text: String) -> Int { text.unicodeScalars.count { (0x2801...0x28ff).contains($0.value) } }
        #expect(dots(drawn) > 50 && dots(plain) == 0)
    }

    /// What airports replace is not shown, and in the history not found either. A node's part has what it looked at.
    @Test func airportsReplaceCities() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-air-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func output(_ line: String) throws -> String {
            let outcome = try run(line, ["XDG_STATE_HOME": folder.path])
            #expect(outcome.code == 0, "\(line): \(outcome.stderr)")
            return outcome.stdout
        }
        let first = try output("run tsp -p airports=LHR,JFK,SYD,NRT")
        #expect(
            first.contains("bound one-tree   airports ") && !first.contains("cities") && !first.contains("distance p"))
        _ = try output("run tsp -p cities=5")
        #expect(try output("history --where cities=20 --count") == "0\n")
        #expect(try output("history --where cities=5 --count") == "1\n")
        let shown = try output("history show 1")
        #expect(shown.contains(" nodes expanded") && shown.contains("potluck run tsp -p bound=one-tree -p airports="))
        let node = try #require((try object(output("history show 1 --json"))["nodes"] as? [[String: Any]])?.first)
        #expect(node["expanded"] as? Int ?? 0 > 0 && node["inVain"] is Int)
        _ = try output("report 1 -o \(folder.path)/page.html")
        let page = try String(contentsOfFile: "\(folder.path)/page.html", encoding: .utf8)
        #expect(page.contains("nodes expanded") && !page.contains(">cities<"))
    }

    /// A built-in simulation has no trial that fails.
    @Test(arguments: [
        ("pi --seed 1", "pi, seed 1, block 0: all 65536 trials succeed."),
        ("primes -p limit=1000 --seed 0", "primes, seed 0, block 0: all 1000 units succeed."),
        ("tsp -p cities=5 --seed 0 --block 7", "tsp, seed 0, block 7: the search of this point succeeds."),
    ])
    func aBuiltInSimulationIsReplayed(_ words: String, _ says: String) throws {
        let outcome = try run("replay \(words)")
        #expect(outcome.code == 0 && outcome.stdout.contains(says), "\(outcome.stdout)\(outcome.stderr)")
    }

    @Test func aSearchRefusesGoalsAndSeedsOfTrials() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-cities-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "c").path
        for (line, content, message) in [
            ("--trials 5", "", "tsp is a search, which ends when the best is proven; leave out --trials, or use --for"),
            ("--until 0.1", "", "tsp is a search, which ends when the best is proven; leave out --until, or use --for"),
            (
                "--seed 3", "",
                "tsp is a search, which takes no seed; leave out --seed, or use -p draw=3 for other random inputs\n"
            ),
            (
                "--seed 1000000000000", "",
                "tsp is a search, which takes no seed; leave out --seed, or use -p draw=NUMBER"
            ),
            ("FILE --seed 3", "1 2\n3 4\n", "tsp is a search, which takes no seed; leave out --seed\n"),
            ("-p cities=40 -p bound=cost", "", "tsp: bound=cost takes at most 20 cities; use bound=one-tree"),
            ("-p distance=earth", "", "tsp: distance=earth is for a file of places; give it with --input cities=FILE"),
            ("-p airports=LHR", "", "tsp: a round trip needs at least two airports; use airports=LHR,JFK\n"),
            (
                "-p airports=LHR,JFK FILE", "1 2\n3 4\n",
                "tsp: airports and a file cannot be used together; leave out one of them\n"
            ),
            (
                "-p airports=LHR,JFK -p cities=9", "",
                "tsp: cities and draw are for random cities; leave them out\n"
            ),
            (
                "-p airports=LHR,JFK -p distance=earth", "",
                "tsp: distance is for a file, and airports need none; leave it out\n"
            ),
            (
                "-p airports=LHR,JKF", "",
                "invalid value 'LHR,JKF' for parameter 'airports': unknown name 'JKF'; did you"
            ),
            ("-p airports=LHR,LHR", "", "invalid value 'LHR,LHR' for parameter 'airports': 'LHR' is given twice\n"),
            (
                "-p airports=", "",
                "invalid value '' for parameter 'airports': must be names with commas between them, such as ACC,ADD\n"
            ),
            ("FILE", "1 2\n", "tsp: the file must have from 2 to 128 cities"),
            ("FILE", "0 1 2\n1 0 3\n", "tsp: the file must have two columns, x and y, or as many as lines"),
            ("FILE", "0 1 2\n1 0 3\n2 4 0\n", "tsp: distances must be the same in both directions"),
            ("FILE -p distance=earth", "91 0\n1 1\n", "tsp: a latitude is from -90 to 90"),
        ] {
            try content.write(toFile: file, atomically: false, encoding: .utf8)
            let outcome = try run("run tsp \(line.replacing("FILE", with: "--input cities=\(file)")) --ephemeral")
            #expect(outcome.code == 2 && outcome.stderr.hasPrefix("potluck: \(message)"), "\(outcome.stderr)")
            #expect(outcome.stderr.filter { $0 == "\n" }.count == 1 && outcome.stdout.isEmpty)
        }
    }

    /// The parameter that the refusal of a seed names draws other cities.
    @Test func anotherDrawHasOtherCities() throws {
        let results = try ["1", "3"].map { draw in
            try object(try run("run tsp -p cities=7 -p draw=\(draw) --json --ephemeral").stdout)
        }
        #expect(Set(results.map { $0["solution"] as? String }).count == 2)
        let golomb = try run("run golomb -p marks=5 --seed 1 --ephemeral")
        #expect(
            golomb.code == 2
                && golomb.stderr == "potluck: golomb is a search, which takes no seed; leave out --seed\n")
    }

    /// The route names the airports. JSON has them as a list, and the command and the history as people type them.
    @Test func aRouteOfAirportsIsNamed() throws {
        let lines = ["SYD,LHR,BCN,JFK,TNM,NBO", "BCN,JFK,LHR,NBO,SYD,TNM"]
        let state = FileManager.default.temporaryDirectory.appending(path: "potluck-route-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: state) }
        let results = try lines.map {
            try object(try run("run tsp -p airports=\($0) --json --state \(state)").stdout)
        }
        #expect(results[0]["digest"] as? String == results[1]["digest"] as? String)
        let given = try #require(results[0]["parameters"] as? [String: Any])
        #expect(given["airports"] as? [String] == ["BCN", "JFK", "LHR", "NBO", "SYD", "TNM"])
        let solution = try #require(results[0]["solution"] as? String).split(separator: "\n")
        // The route, six legs and the whole, and then seven places.
        #expect(solution.count == 15 && solution[8] == solution[14])
        #expect(solution[1].hasSuffix(" km") && solution[7].hasPrefix("in all: "))
        #expect(solution[0].split(separator: " ").sorted() == ["BCN", "JFK", "LHR", "NBO", "SYD", "TNM"])
        let found = try run("history --where airports~NBO --state \(state) --csv").stdout
        #expect(found.contains("\"BCN,JFK,LHR,NBO,SYD,TNM\""), "\(found)")
        #expect(try run("history --where airports~DXB --state \(state) --csv").stdout.contains("NBO") == false)
        let shown = try run("history show 1 --state \(state)").stdout
        #expect(shown.contains("airports BCN,JFK,LHR,NBO,SYD,TNM"), "\(shown)")
        // A list of runs has the beginning of a long value.
        let twelve = "ACC,ADD,AKL,ALA,AMS,ANC,ARN,ATH,ATL,BCN,BKK,BOG"
        #expect(try run("run tsp -p airports=\(twelve) --state \(state)").code == 0)
        let list = try run("history --state \(state)").stdout
        #expect(list.contains("airports \(twelve.prefix(39))") && !list.contains(twelve), "\(list)")
        let listed = try run("simulations tsp").stdout
        #expect(listed.contains("any of ACC, ADD, ") && listed.contains("(default: none)"), "\(listed)")
    }

    /// The names of a file's cities are in the result, in the history and in reports.
    @Test func aRouteOfAFileIsNamed() throws {
        let state = FileManager.default.temporaryDirectory.appending(path: "potluck-names-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: state) }
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        let file = state + "/cities.csv"
        try "place,x,y\nKöln,0,0\nAachen,9,1\nBonn,3,7\n".write(toFile: file, atomically: false, encoding: .utf8)
        let printed = try run("run tsp --input cities=\(file) --state \(state)", ["LC_ALL": "C.UTF-8"])
        let route = "  Köln, Bonn, Aachen\n"
        let other = "  Köln, Aachen, Bonn\n"
        #expect(printed.stdout.contains(route) || printed.stdout.contains(other), "\(printed.stdout)\(printed.stderr)")
        let found = printed.stdout.contains(route) ? route : other
        let shown = try run("history show last --state \(state)", ["LC_ALL": "C.UTF-8"]).stdout
        #expect(shown.contains(found) && shown.contains("cities.csv (3 × 2)"), "\(shown)")
        #expect(try run("report last --state \(state)").stdout.contains(found.dropFirst(2).dropLast()))
    }

    /// A time limit ends a search with the best so far, and says that it is not proven.
    @Test func aTimeLimitEndsASearch() throws {
        let outcome = try run("run golomb -p marks=12 --for 1s --cores 1 --ephemeral")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains(" % of the tree, the best is not proven in "))
        #expect(!outcome.stdout.contains("repeat"))
    }

    /// The points of a search are no trials, and it has no seed: not in JSON, in CSV, or for conditions.
    @Test func aRecordedSearchHasNoTrials() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-searches-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func history(_ line: String) throws -> String {
            try run("\(line) --state \(folder.path)").stdout
        }
        let result = try object(try history("run golomb -p marks=7 --json"))
        let text = try history("history show last --json")
        let record = try object(text)
        let nodes = try #require(record["nodes"] as? [[String: Any]])
        for members in [result, record] + nodes {
            #expect(members["searched"] as? Double == 1)
            for name in ["trials", "rate", "seed", "blockSize"] { #expect(members[name] == nil, "\(name)") }
        }
        #expect(record["ended"] as? String == "proven")
        #expect(try history("history --where trials>1 --count") == "0\n")
        #expect(try history("history --where ended=proven --count") == "1\n")
        #expect(try history("history --where ended=trials --count") == "0\n")
        let csv = try history("history --csv").split(separator: "\r\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let row = Dictionary(uniqueKeysWithValues: zip(csv[0], csv[1]))
        #expect(row["searched"] == "1.0" && row["trials"] == "" && row["rate"] == "" && row["seed"] == "")
        #expect(try run("history pool 1 1 --state \(folder.path)").code != 0)
    }

    /// The history finds the solution of a recorded search again, also with the cities of a file while that is the same.
    @Test func aReportDrawsTheRoute() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-routes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "c").path
        func history(_ line: String) throws -> EndToEndTests.Outcome {
            try run("\(line) --state \(folder.path)/state", ["LC_ALL": "C.UTF-8"])
        }
        try "0 0\n9 9\n9 0\n0 9\n".write(toFile: file, atomically: false, encoding: .utf8)
        for line in ["run tsp -p cities=5", "run tsp --input cities=\(file)", "run golomb -p marks=5"] {
            #expect(try history(line).code == 0)
        }
        let reports = try (1...3).map { try history("report \($0)").stdout }
        #expect(reports.map { $0.contains("<polyline class=\"l\"") } == [true, true, false])
        #expect(reports[1].contains("points=\"12,388 12,12 388,12 388,388 12,388\""))
        #expect(reports[2].contains("<pre>0 1 4 9 11</pre>"))
        #expect(try history("history show 1").stdout.unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) })
        let drawing = folder.appending(path: "a.svg").path
        #expect(try history("report 1 -o \(drawing)").code == 0)
        #expect(try String(contentsOfFile: drawing, encoding: .utf8).contains("<polyline"))
        let none = try history("report 3 -o \(drawing) --force")
        #expect(none.code == 1 && none.stderr.contains("run 3 has no picture to draw; use -o FILE.html"))
        // Other cities would have another route.
        try "0 0\n9 9\n9 0\n0 8\n".write(toFile: file, atomically: false, encoding: .utf8)
        #expect(try history("report 2").stdout.contains("Best solution") == false)
    }

    @Test(.enabled(if: PluginAuthor.canRun)) func anAuthorsSearchRunsAndIsChecked() throws {
        let author = try PluginAuthor()
        func run(_ words: String...) throws -> EndToEndTests.Outcome {
            try EndToEndTests().run(words, environment: author.environment)
        }
        let made = try #require(try? FileManager.default.contentsOfDirectory(atPath: author.folder)).isEmpty
        #expect(made)
        let path = "\(author.folder)/load.swift"
        let text = try EndToEndTests().run(
            ["-c", "cd '\(author.folder)' && '\(Child.program)' new --search load >&2 && cat load/load.swift"],
            program: "/bin/sh", environment: author.environment)
        #expect(text.code == 0, "\(text.stderr)")
        try text.stdout.write(toFile: path, atomically: false, encoding: .utf8)
        let results = try ["1", "2"].map { cores in
            try object(try run("run", path, "-p", "things=16", "--cores", cores, "--json", "--ephemeral").stdout)
        }
        #expect(results[0]["digest"] as? String == results[1]["digest"] as? String)
        #expect((results[0]["solution"] as? String)?.hasPrefix("pack ") == true)
        let check = try run("check", path, "--quick")
        #expect(check.code == 0 && !check.stdout.contains("BROKEN"), "\(check.stdout)\(check.stderr)")
        let replay = try run("replay", path, "--seed", "0", "--block", "5")
        #expect(replay.code == 0, "\(replay.stderr)")
    }
}
