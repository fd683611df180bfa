import Foundation
import Testing

/// `potluck launch`, as users start it.
@Suite(.serialized, .enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct LaunchCommandTests {
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws { author = try PluginAuthor() }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try program.run(line, environment: author.environment)
    }

    /// The path of an example without its ending.
    private func example(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/Ranks/\(name)").path
    }

    /// Writes a program whose ranks do this.
    private func write(_ name: String, _ body: String) throws -> String {
        let path = "\(author.folder)/\(name).swift"
        let text = """
            import PotluckKit

            struct Mine: RankProgram {
                static let name: StaticString = "mine"
                static let summary: StaticString = "Tries something."
                @Parameter("how", "what it does", in: 0...9) var how = 0

                func run(_ world: Communicator, _ output: inout Output) {
                    let next = (world.rank + 1) % world.size
                    let last = (world.rank + world.size - 1) % world.size
                    \(body)
                }
            }

            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    private func sum() throws -> String {
        try write(
            "sum",
            """
            world.log("hello from \\(world.rank) of \\(world.size)")
                    for argument in world.arguments { world.log(argument) }
                    var random = world.random()
                    let sum = world.reduce(Double(world.rank) / 3 + random.unit(), +)
                    if let sum { output.line(sum) }
            """)
    }

    @Test func ranksPrintAndRankZeroWrites() throws {
        let path = try sum()
        let outcome = try run("launch -n 3 \(path) --seed 5")
        #expect(outcome.code == 0)
        let lines = outcome.stdout.split(separator: "\n").map(String.init)
        #expect(lines.dropLast().sorted() == (0..<3).map { "[\($0)] hello from \($0) of 3" })
        #expect(Double(try #require(lines.last)) != nil)
        #expect(outcome.stderr.contains("3 ranks, 2 messages, 16 B, "))

        let again = try run("launch -n 3 \(path) --seed 5 --plain --quiet -- -x two")
        #expect(again.stderr == "")
        #expect(again.stdout.hasSuffix("\n\(lines.last ?? "")\n"), "the same bits again")
        #expect(again.stdout.split(separator: "\n").count { $0 == "-x" } == 3)
        let other = try run("launch -n 3 \(path) --seed 6 --plain --quiet")
        #expect(other.stdout.split(separator: "\n").last != again.stdout.split(separator: "\n").last)
    }

    /// The examples print the same lines with 4 ranks as with another MPI. Their order among ranks may differ.
    @Test(arguments: [
        "hello", "ring -- 3", "pi", "trapezoid", "matrix", "../../../Tests/Workshop/Programs/more",
        "../../../Tests/Workshop/Programs/collectives", "../../../Tests/Workshop/Programs/files",
    ])
    func programsInC(line: String) throws {
        let words = line.split(separator: " ").map(String.init)
        let path = example("C/\(words[0])")
        let rest = words.dropFirst().joined(separator: " ")
        let outcome = try run("launch -n 4 \(path).c --quiet \(rest)")
        let expected = try String(contentsOfFile: path + ".txt", encoding: .utf8)
        #expect(outcome.code == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.split(separator: "\n").sorted() == expected.split(separator: "\n").sorted())
    }

    /// Writes a program in C, whose ranks do this between `MPI_Init` and `MPI_Finalize`, from line 6 on.
    private func writeC(_ name: String, _ body: String) throws -> String {
        let path = "\(author.folder)/\(name).c"
        let text = """
            #include <mpi.h>
            #include <stdio.h>
            #include <stdlib.h>
            int main(int count, char **words) {
                MPI_Init(&count, &words);
                \(body)
                MPI_Finalize();
            }
            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    @Test func filesThatAreLostAreNamed() throws {
        let body = """
            MPI_File file;
            MPI_File_open(MPI_COMM_WORLD, "a.dat", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
            MPI_File_write_ordered(file, &count, 1, MPI_INT, MPI_STATUS_IGNORE);
            MPI_File_close(&file);
            """
        let outcome = try run("launch -n 3 \(try writeC("lost", body)) --quiet")
        #expect(outcome.code == 0)
        let lost = "the file 'a.dat' of 12 bytes was in the memory of the program and is gone; print what you need"
        #expect(outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("[") } == ["[0] \(lost)"])
    }

    @Test func errorsOfRanksGoToStderr() throws {
        let path = try writeC("streams", "printf(\"right\\n\"); fprintf(stderr, \"wrong\\n\");")
        let outcome = try run("launch -n 2 \(path)")
        #expect(outcome.code == 0)
        #expect(Set(outcome.stdout.split(separator: "\n")) == ["[0] right", "[1] right"])
        let errors = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("[") }
        #expect(Set(errors) == ["[0] wrong", "[1] wrong"])
        let lines = try run("launch -n 1 \(path) --json").stdout.split(separator: "\n")
        #expect(lines.contains { $0.contains("\"wrong\"") && $0.contains("\"stream\":\"stderr\"") })
        #expect(lines.contains { $0.contains("\"right\"") && $0.contains("\"stream\":\"stdout\"") })
    }

    @Test(arguments: [
        ("MPI_Abort(MPI_COMM_WORLD, 7);", 7), ("exit(3);", 3), ("return 4;", 4), ("MPI_Abort(MPI_COMM_WORLD, 0);", 1),
        ("MPI_Abort(MPI_COMM_WORLD, 256);", 1), ("MPI_Abort(MPI_COMM_WORLD, -1);", 1),
    ])
    func theCodeOfAProgramIsTheCodeOfLaunch(_ body: String, _ code: Int32) throws {
        let outcome = try run("launch -n 2 \(try writeC("code", body)) --quiet")
        #expect(outcome.code == code, "\(outcome.stderr)")
    }

    @Test func aNullPointerIsASentence() throws {
        let path = try writeC("null", "int *much = malloc(3000000000u); much[0] = 7; puts(\"ok\");")
        let outcome = try run("launch -n 1 \(path) --plain --quiet")
        #expect(outcome.code == 139 && outcome.stdout == "")
        let lines = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("null.c:") }
        #expect(lines.count == 2, "\(outcome.stderr)")
        #expect(lines.first?.contains("malloc finds no memory for 3000000000 bytes") == true)
        #expect(
            lines.last == "null.c:6: a null pointer is written; there was no memory for 3000000000 bytes")
        // The compiler takes it for granted that no element but the first has the address of a null pointer.
        for write in ["for (int i = 1; i < 9; i++) much[i] = i", "memset(much, 0, 64)", "much[999] = 0"] {
            let hidden = try writeC(
                "hidden", "int *volatile where = malloc(3000000000u), *much = where; \(write); puts(\"ok\");")
            let told = try run("launch -n 1 \(hidden) --plain --quiet")
            let sentence = "hidden.c: something was written through a null pointer, at address "
            #expect(told.code == 139 && told.stderr.contains(sentence), "\(write): \(told.stderr)")
        }
        // A program that looks at what it gets goes on.
        let careful = try writeC("careful", "if (!malloc(3000000000u)) puts(\"none\");")
        let tried = try run("launch -n 1 \(careful) --plain --quiet")
        #expect(tried.code == 0 && tried.stdout == "none\n" && tried.stderr.contains("malloc finds no memory"))
    }

    @Test func aCrashInCNamesItsLine() throws {
        let path = author.folder + "/crash.c"
        let text = """
            #include <mpi.h>
            int main(int count, char **words) {
                MPI_Init(&count, &words);
                int rank;
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                if (rank == 1) *(volatile int *)0xffffff00 = 7;
                MPI_Barrier(MPI_COMM_WORLD);
                MPI_Finalize();
            }
            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        let outcome = try run("launch -n 2 \(path)")
        #expect(outcome.code == 1)
        #expect(
            outcome.stderr.contains(
                "rank 1: it crashed in line 6 outside its memory: a pointer is wrong, or its stack is full"))
    }

    /// The output of an example does not depend on the number of ranks.
    @Test(arguments: ["ring", "pi", "matrix", "heat", "oddeven", "life", "nbody"])
    func examplesWriteTheSameOnAnyNumberOfRanks(name: String) throws {
        let outputs = try [1, 2, 5].map { ranks in
            try run("launch -n \(ranks) \(example(name)).swift --quiet --output -").stdout
        }
        #expect(Set(outputs).count == 1 && outputs[0] != "", "\(name)")
    }

    /// The example of the heritage, with a master and three slaves, in all four versions.
    @Test(arguments: 1...4) func theMatrixOfTheHeritage(version: Int) throws {
        let matrix = example("matrix") + ".swift"
        let outcome = try run("launch -n 4 \(matrix) -p version=\(version) --quiet --output -")
        let numbers = outcome.stdout.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        #expect(numbers == [30, 24, 18, 84, 69, 54, 138, 114, 90], "\(outcome.stdout)\(outcome.stderr)")
    }

    /// What `make demo RANKS=1` shows.
    @Test func theDemo() throws {
        let demo = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Tools/demo-ranks")
        let outcome = try program.run([Child.program], program: demo.path, environment: author.environment)
        #expect(outcome.code == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains("@@@") && outcome.stdout.contains("the same picture, byte for byte"))
    }

    @Test func outputGoesToAFileOrStdout() throws {
        let path = try sum()
        let file = author.folder + "/out.txt"
        #expect(try run("launch -n 2 \(path) --output \(file)").code == 0)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(Double(text.trimmingCharacters(in: .newlines)) != nil)
        let refused = try run("launch -n 2 \(path) --output \(file)")
        #expect(refused.code == 1 && refused.stderr.contains("already exists; use --force"))
        #expect(refused.stdout == "", "nothing has run")
        let piped = try run("launch -n 2 \(path) --output - --quiet")
        #expect(piped.stdout == text)
        #expect(piped.stderr.contains("[1] hello from 1 of 2"))
    }

    @Test func jsonHasEveryLineAndTheResult() throws {
        let outcome = try run("launch -n 2 \(sum()) --json")
        let events = try outcome.stdout.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(events.count { $0["event"] as? String == "line" } == 2)
        let result = try #require(events.last)
        #expect(result["event"] as? String == "result")
        #expect((result["digest"] as? String)?.count == 64)
        #expect((result["ranks"] as? [[String: Any]])?.map { $0["state"] as? String } == ["ended", "ended"])
        let failed = try run("launch -n 2 \(write("wait", "_ = world.receive(Int32.self, from: next)")) --json")
        #expect(failed.code == 1 && failed.stdout.contains("\"event\":\"failed\""))
        #expect(failed.stdout.contains("\"why\":\"deadlock: no rank can continue; rank 0 waits"))
    }

    @Test func aTimelineIsJSON() throws {
        let file = author.folder + "/trace.json"
        #expect(try run("launch -n 2 \(sum()) --trace \(file)").code == 0)
        let trace = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file))) as? [String: Any]
        let events = try #require(trace?["traceEvents"] as? [[String: Any]])
        #expect(events.count { $0["ph"] as? String == "s" } == events.count { $0["ph"] as? String == "f" })
        #expect(events.contains { $0["name"] as? String == "receive from rank 1" })
    }

    /// What goes wrong is one sentence that names the rank.
    @Test func failuresNameTheRank() throws {
        let path = try write(
            "wrong",
            """
            switch how {
                    case 0: _ = world.receive(Int64.self, from: next, tag: 5)
                    case 1: if world.rank == 0 { world.send([1, 2, 3] as [Int64], to: 1) } else if world.rank == 1 { _ = world.receive(Int32.self, from: 0) }
                    case 2:
                        let few = [1, 2]
                        if world.rank == 1 { world.log("\\(few[world.rank + 5])") }
                    case 3: if world.rank == 2 { world.abort(7) } else { world.barrier() }
                    case 4: world.send(1, to: next, mode: .synchronous)
                    case 5: if world.rank == 0 { _ = world.receive(Int64.self, from: 1) }
                    case 6: world.send(1, to: 77)
                    default: world.send(1, to: next); world.checkpoint(1)
                    }
            """)
        let wrong: [(Int, String)] = [
            (0, "deadlock: no rank can continue; rank 0 waits for a message of rank 1 with tag 5; rank 1 waits"),
            (1, "rank 1 receives 24 bytes from rank 0 (tag 0), but has room for 4; make the buffer larger"),
            (2, "rank 1: it crashed in line 16: "),
            (3, "rank 2 aborted the program with code 7"), (4, "rank 2 waits until rank 0 receives its message"),
            (5, "rank 0 waits for a message of rank 1 with tag 0 (rank 1 has ended)"),
            (6, "aborted the program with code 1"),
            (7, "has not received 1 message and has 0 open requests"),
        ]
        for (how, why) in wrong {
            let outcome = try run("launch -n 3 \(path) -p how=\(how)")
            // The code of an abort is that of the command.
            #expect(outcome.code == (how == 3 ? 7 : 1))
            let said = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("potluck: ") }
            #expect(said.count == 1 && said[0].contains(why), "\(how): \(outcome.stderr)")
        }
    }

    @Test func misuseIsExplained() throws {
        let path = try sum()
        let wrong: [(String, Int32, String)] = [
            ("launch", 2, "missing argument FILE"), ("launch monty-hall", 2, "is not a file"),
            ("launch nothing.swift", 1, "cannot read nothing.swift"),
            ("launch -n 0 \(path)", 2, "invalid value '0' for -n: must be from 1 to 512"),
            ("launch --ranks 513 \(path)", 2, "invalid value '513' for --ranks: must be from 1 to 512"),
            ("launch \(path) -p hew=1", 2, "did you mean 'how'?"), ("launch \(path) -p how=10", 2, "must be 0 to 9"),
            ("launch \(path) --input a=b", 2, "it reads no files"), ("launch \(path) --output", 2, "--output"),
            ("run \(path) --trials 10", 1, "it is a program with ranks; start it with 'potluck launch'"),
        ]
        for (line, code, why) in wrong {
            let outcome = try run(line)
            #expect(outcome.code == code && outcome.stderr.contains(why), "\(line): \(outcome.stderr)")
            #expect(outcome.stdout == "")
        }
        let simulation = try author.write("three", trial: "tally.hits.add(true)")
        let outcome = try run("launch \(simulation)")
        #expect(outcome.code == 1 && outcome.stderr.contains("start it with 'potluck run'"))
        let built = try run("build \(path)")
        #expect(built.stdout.contains("run it with: potluck launch "))
        #expect(try run("launch -n 2 \(path.dropLast(5))wasm --quiet").code == 0)
    }

    /// Ctrl-C ends ranks that compute and ranks that wait.
    @Test func ctrlCEndsIt() throws {
        let path = try write(
            "endless",
            """
            if world.rank > 0 { _ = world.receive(Int32.self, from: 0) }
                    world.log("begun")
                    var number: UInt64 = 1
                    while number != 0 { number = number &* 3 | 1 }
                    world.log("\\(number)")
            """)
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try Child(
            ["launch", "-n", "3", path], environment: author.environment, stdout: .descriptor(stdout.writer),
            stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        stdout.reader.read { $0.contains("[0] begun\n") }
        child.send(SIGINT)
        #expect(stderr.reader.read().contains("stopped"))
        #expect(child.wait() == 130)
    }
}
