import Foundation
import Testing

/// Simulations that read files and write output to files and pipes.
@Suite(.serialized, .timeLimit(.minutes(60))) struct GatheringCommandTests {
    private func run(_ line: String) throws -> EndToEndTests.Outcome { try EndToEndTests().run(line) }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-gather-\(UUID().uuidString)")

    private func file(_ name: String, _ text: String) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: name)
        try text.write(to: url, atomically: false, encoding: .utf8)
        return url.path
    }

    @Test func stdoutHasTheListAndNothingElse() throws {
        let outcome = try run("run primes -p limit=30 -p list=yes --output - --json")
        #expect(outcome.code == 0)
        #expect(outcome.stdout == "2\n3\n5\n7\n11\n13\n17\n19\n23\n29\n")
        #expect(outcome.stderr.contains("\"primes\":10"))
        #expect(try run("run primes -p limit=1e5").stdout.contains("primes 9 592"))
    }

    /// Multiplies two matrices of nine numbers. With `--force`, the output replaces what was in the file.
    @Test func tablesComeFromFilesAndGoIntoOne() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let a = try file("a.txt", "1 2 3\n4 5 6\n7 8 9\n")
        let b = try file("b.csv", "9,8,7\n6,5,4\n3,2,1\n")
        let old = String(repeating: "something longer that was there\n", count: 10)
        let c = try file("c.txt", old)
        let refused = try run("run matrix-product --input a=\(a) --input b=\(b) --output \(c)")
        #expect(refused.code == 1 && refused.stdout.isEmpty)
        #expect(
            refused.stderr == "potluck: \(c) already exists; use --force to overwrite it, or choose another name\n")
        #expect(try String(contentsOfFile: c, encoding: .utf8) == old)
        let outcome = try run("run matrix-product --input a=\(a) --input b=\(b) -o \(c) --force")
        #expect(outcome.code == 0 && outcome.stderr.isEmpty)
        #expect(outcome.stdout.contains("trace   189"))
        #expect(try String(contentsOfFile: c, encoding: .utf8) == "30 24 18\n84 69 54\n138 114 90\n")
    }

    /// Output replaces the file that a link points to. The file keeps its permissions, and no draft stays behind.
    @Test func outputGoesWhereALinkPoints() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let target = try file("target.txt", "old\n")
        #expect(chmod(target, 0o600) == 0)
        let link = folder.appending(path: "link.txt").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect(try run("run primes -p limit=30 -p list=yes -o \(link) --force").code == 0)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "2\n3\n5\n7\n11\n13\n17\n19\n23\n29\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == target)
        var status = stat()
        #expect(stat(target, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == ["link.txt", "target.txt"])
    }

    /// The history names the files of a run by their inputs' names, in every form in which it shows the run.
    @Test func historyNamesTheFiles() throws {
        let a = try file("a.txt", "1 2 3\n4 5 6\n")
        let b = try file("b.csv", "9,8\n6,5\n3,2\n")
        let state = ["XDG_STATE_HOME": folder.path]
        defer { try? FileManager.default.removeItem(at: folder) }
        func run(_ line: String) throws -> String {
            let outcome = try EndToEndTests().run(line, environment: state)
            #expect(outcome.code == 0, "\(line): \(outcome.stderr)")
            return outcome.stdout
        }
        let again = "--input a=\(a) --input b=\(b)"
        #expect(try run("run matrix-product \(again)").contains(again))
        let shown = try run("history show last")
        #expect(shown.contains("matrix-product: 2 units in ") && !shown.contains("2 trials"))
        #expect(!shown.contains("size 256") && !shown.contains("draw 1"))
        let unknown = try EndToEndTests().run("history --where size=256", environment: state)
        #expect(unknown.code == 2 && unknown.stderr.contains("unknown field 'size'"))
        #expect(try run("history").contains("  units  "))
        #expect(shown.contains("a \(a) (2 × 3)") && shown.contains("b \(b) (3 × 2)") && !shown.contains("files-"))
        #expect(shown.contains(again))
        let json = try run("history show last --json")
        #expect(json.contains("\"inputs\":{\"a\":{\"file\":\"\(a)\",\"rows\":2,\"columns\":3},"), "\(json)")
        // The digest of an exported run still matches the inputs that it names.
        _ = try run("history export \(folder.path)/one.sqlite")
        _ = try run("history rm 1")
        #expect(try run("history import \(folder.path)/one.sqlite").hasPrefix("1 run imported"))
        _ = try run("report last -o \(folder.path)/page.html")
        let page = try String(contentsOfFile: "\(folder.path)/page.html", encoding: .utf8)
        #expect(page.contains("b.csv (3 × 2)") && page.contains("2 units") && !page.contains(">size<"))
    }

    /// Wrong usage exits with 2, a failure with 1; each prints one line.
    @Test func mistakesAreOneLine() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let bad = try file("bad.txt", "1 2\n3\n")
        let good = try file("good.txt", "1 2\n")
        let cases: [(line: String, code: Int32, says: String)] = [
            ("run primes -p limit=1e5 --output -", 2, "primes writes no output with these parameters"),
            ("run primes -p limit=100 --trials 101", 2, "primes has only 100 units"),
            ("run primes --until 1%", 2, "--until would never stop it"),
            ("run primes -p limit=10.5", 2, "the limit must be a whole number"),
            ("run pi --trials 10 --input a=\(good)", 2, "unknown input 'a' of pi; it reads no files"),
            ("run matrix-product --input A=\(good)", 2, "unknown input 'A' of matrix-product"),
            ("run matrix-product --input a=\(good)", 2, "give both a and b"),
            ("run matrix-product --input a=\(good) --input b=\(good)", 2, "a must have as many columns as b has rows"),
            (
                "run matrix-product --input a=\(bad) --input b=\(good)", 1,
                "line 2: expected 2 numbers as in line 1, found 1"
            ),
            ("run matrix-product --input a=/dev/null/a", 1, "cannot read /dev/null/a: Not a directory"),
            ("run matrix-product --output /dev/null/c", 1, "cannot write /dev/null/c: Not a directory"),
            ("run primes --session Monty --output c", 2, "primes writes no output with these parameters"),
            ("run matrix-product --session Monty --output /dev/null/c", 1, "cannot write /dev/null/c: Not a directory"),
            ("serve Monty --run primes -p list=yes --output -", 2, "stdout shows the session"),
            ("serve Monty --output c", 2, "--output applies to a job"),
        ]
        for (line, code, says) in cases {
            let outcome = try run(line)
            #expect(outcome.code == code && outcome.stdout.isEmpty, "\(line)")
            #expect(
                outcome.stderr.contains(says) && outcome.stderr.filter { $0 == "\n" }.count == 1, "\(outcome.stderr)")
        }
    }

    /// The program that reads the list closes the pipe early. There is no message about that.
    @Test func aClosedPipeEndsItQuietly() throws {
        let (stderr, stdout) = (Pipe(), Pipe.withoutReader())
        let child = try Child(
            ["run", "primes", "-p", "limit=1e6", "-p", "list=yes", "--output", "-", "--ephemeral"],
            stdout: .descriptor(stdout), stderr: .descriptor(stderr.writer))
        stderr.closeWriter()
        close(stdout)
        #expect(stderr.reader.read() == "")
        #expect(child.wait() == -SIGPIPE)
    }
}
