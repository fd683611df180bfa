import Foundation
import Testing

/// Searches, as users run them.
@Suite(.serialized, .timeLimit(.minutes(20))) struct SearchCommandTests {
    private func run(_ line: String, _ environment: [String: String] = [:]) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: environment)
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

    @Test func whatASearchRefuses() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-cities-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "c").path
        for (line, content, message) in [
            ("--trials 5", "", "tsp is a search, which ends when the best is proven; leave out --trials, or use --for"),
            ("--until 0.1", "", "tsp is a search, which ends when the best is proven; leave out --until, or use --for"),
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
            ("FILE", "1 2\n", "tsp: a round trip needs at least two cities; the file has one"),
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
        #expect(solution.count == 8 && solution[1] == solution[7])
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

    /// A time limit ends a search with the best so far, and says that it is not proven.
    @Test func aTimeLimitEndsASearch() throws {
        let outcome = try run("run golomb -p marks=12 --for 1s --cores 1 --ephemeral")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains(" % of the tree, the best is not proven in "))
        #expect(!outcome.stdout.contains("repeat"))
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
