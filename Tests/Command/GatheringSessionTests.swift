import Foundation
import Glibc
import Testing

/// Output of simulations in a session. The submitter gets one file, equal to that of a single machine, whichever nodes
/// fail meanwhile.
@Suite(.serialized, .timeLimit(.minutes(60))) struct GatheringSessionTests {
    private let room = Laptops()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "potluck-files-\(UUID().uuidString)")

    private func tidy(_ nodes: (child: Child, reader: Reader)...) {
        for node in nodes { end(node.child) }
        try? FileManager.default.removeItem(at: folder)
    }

    private func path(_ name: String, _ text: String? = nil) throws -> String {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: name)
        if let text { try text.write(to: url, atomically: false, encoding: .utf8) }
        return url.path
    }

    private func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    private func isConnected(_ guests: (child: Child, reader: Reader)...) {
        for guest in guests { guest.reader.read { $0.contains("\"state\":\"connected\"") } }
    }

    /// The list is the same, whether it is ordered on a machine without a node or on one that runs a node of the
    /// session.
    @Test func theListIsThatOfOneMachine() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let (ana, bob) = (try room.node("join Monty", "ana"), try room.node("join Monty", "bob"))
        isConnected(ana, bob)
        let primes = "primes -p limit=3e6 -p list=yes --json"
        let alone = try room.run("run \(primes) --output \(try path("alone"))", "eve")
        let visitor = try room.run(
            "run \(primes) --session Monty --wait-for 3 --output \(try path("together"))", "eve")
        #expect(visitor.code == 0, "\(visitor.stderr)")
        let (one, all) = (try object(alone.stdout), try object(visitor.stdout))
        #expect(one["digest"] as? String == all["digest"] as? String)
        let nodes = try #require(all["nodes"] as? [[String: Any]])
        #expect(nodes.count == 3 && nodes.contains { $0["trials"] as? Int ?? 0 > 0 })
        let expected = try read("alone")
        #expect(try read("together") == expected && expected.count > 1_000_000)
        for laptop in ["lab", "ana"] {
            let outcome = try room.run("run \(primes) --session Monty --output -", laptop)
            #expect(outcome.code == 0, "\(outcome.stderr)")
            #expect(Data(outcome.stdout.utf8) == expected)
            #expect(outcome.stderr.contains("\"digest\":\"\(try #require(one["digest"] as? String))\""))
        }
        // A submitter that does not ask for the list gets the same digest.
        let tally = try room.run("run \(primes) --session Monty", "eve")
        #expect(try object(tally.stdout)["digest"] as? String == one["digest"] as? String)
        tidy(ana, bob, server)
    }

    /// Every worker gets both tables once. If a node of the session runs on the submitter's machine, the command hands
    /// them to it.
    @Test func aProductOfTwoFiles() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let ana = try room.node("join Monty", "ana")
        isConnected(ana)
        let a = try path("a", "1 2 3\n4 5 6\n7 8 9\n")
        let b = try path("b", "9 8 7\n6 5 4\n3 2 1\n")
        let line = "run matrix-product --input a=\(a) --input b=\(b)"
        let digest = try room.run("\(line) --ephemeral --json", "eve").stdout.components(separatedBy: "\"digest\"").last
        for laptop in ["eve", "lab", "ana"] {
            let outcome = try room.run(
                "\(line) --session Monty --wait-for 2 --json --force --output \(try path("c"))", laptop)
            #expect(outcome.code == 0, "\(outcome.stderr)")
            #expect(String(decoding: try read("c"), as: UTF8.self) == "30 24 18\n84 69 54\n138 114 90\n")
            #expect(
                outcome.stdout.contains("\"digest\"")
                    && digest?.prefix(68)
                        == outcome.stdout.components(
                            separatedBy: "\"digest\""
                        ).last?.prefix(68)
            )
        }
        // No temporary file is left on any laptop.
        for laptop in ["eve", "lab", "ana"] {
            let left = try? FileManager.default.contentsOfDirectory(atPath: room.folder(laptop))
            #expect(!(left ?? []).contains { $0.hasPrefix("tables") || $0.hasPrefix("output") })
        }
        // The submitter and its history know the files, but the coordinator's history does not. It shows no command to
        // repeat the run, because that command would compute something else.
        let said = try room.run("\(line) --session Monty", "eve").stdout
        #expect(said.split(separator: "\n").last?.contains("--input a=\(a) --input b=\(b)") == true, "\(said)")
        #expect(try room.run("history show last", "eve").stdout.contains("--input a=\(a) --input b=\(b)"))
        let kept = try room.run("history show last", "lab").stdout
        #expect(kept.contains(" files ") && !kept.contains("repeat"), "\(kept)")
        tidy(ana, server)
    }

    /// A worker dies, then the server, which is restarted with the same command. The file is right and complete.
    @Test func theFileIsCompleteAfterDeaths() throws {
        let job = "primes -p limit=3e7 -p list=yes"
        _ = try room.run("run \(job) --ephemeral --output \(try path("alone"))", "eve")
        let serve = "serve Monty --run \(job) --wait-for 2 --output \(try path("together"))"
        var server = try room.node(serve, "lab")
        let (ana, bob) = (try room.node("join Monty", "ana"), try room.node("join Monty", "bob"))
        server.reader.read { $0.contains("\"state\":\"running\"") }
        bob.child.send(SIGKILL)
        #expect(bob.child.wait() == -SIGKILL)
        server.child.send(SIGKILL)
        #expect(server.child.wait() == -SIGKILL)
        let expected = try read("alone")
        guard try read("together").isEmpty else {
            // The machine was so slow to kill the server that the job had ended. A file that is not empty is complete.
            #expect(try read("together") == expected)
            return tidy(ana)
        }
        server = try room.node(serve, "lab")
        server.reader.read { $0.contains("\"event\":\"result\"") }
        let deadline = Date(timeIntervalSinceNow: 120)
        while try read("together").isEmpty, Date() < deadline { usleep(10_000) }
        #expect(try read("together") == expected)
        tidy(ana, server)
    }

    /// Ctrl-C while the file is written lets it be finished.
    @Test func aServerFinishesItsFileAfterCtrlC() throws {
        defer { tidy() }
        let job = "primes -p limit=3e7 -p list=yes"
        _ = try room.run("run \(job) --ephemeral --output \(try path("alone"))", "eve")
        // A pipe takes 64 KiB, and then the server waits for its reader.
        let pipe = try path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        defer { close(reader) }
        let server = try room.node("serve Monty --run \(job) --output \(pipe) --force", "lab")
        server.reader.read { $0.contains("\"event\":\"result\"") }
        var ready = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, Patience.milliseconds) == 1)
        server.child.send(SIGINT)
        #expect(fcntl(reader, F_SETFL, 0) == 0)
        let said = FileHandle(fileDescriptor: reader, closeOnDealloc: false).readDataToEndOfFile()
        #expect(server.child.wait() == 130)
        #expect(try said == read("alone"))
    }

    /// The journal does not contain tables. The restarted server reads them again, and computes the job once.
    @Test func aServerThatIsKilledHasItsTablesAgain() throws {
        let a = try path("a", "1 2 3\n4 5 6\n7 8 9\n")
        let b = try path("b", "9 8 7\n6 5 4\n3 2 1\n")
        let job = "matrix-product --input a=\(a) --input b=\(b) --wait-for 2 --output \(try path("c"))"
        var server = try room.node("serve Monty --run \(job)", "lab")
        server.reader.read { $0.contains("\"state\":\"waiting\"") }
        server.child.send(SIGKILL)
        #expect(server.child.wait() == -SIGKILL)
        server = try room.node("serve Monty --run \(job)", "lab")
        let ana = try room.node("join Monty", "ana")
        server.reader.read { $0.contains("\"event\":\"result\"") }
        let deadline = Date(timeIntervalSinceNow: 120)
        while try read("c").isEmpty, Date() < deadline { usleep(10_000) }
        #expect(String(decoding: try read("c"), as: UTF8.self) == "30 24 18\n84 69 54\n138 114 90\n")
        #expect(!server.reader.text.contains("stranded"))
        tidy(ana, server)
    }

    /// A submitter that stops watching is told that there will be no file.
    @Test func aSubmitterThatStopsWatchingGetsNoFile() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let (output, complaints) = (Pipe(), Pipe())
        let words = "run primes -p list=yes --session Monty --wait-for 9 --output \(try path("none"))".split(
            separator: " ")
        let visitor = try room.start(words.map(String.init), "eve", output, stderr: complaints)
        server.reader.read { $0.contains("\"event\":\"job\"") }
        complaints.reader.read { $0.contains("waiting for workers") }
        visitor.send(SIGINT)
        #expect(visitor.wait() == 130)
        let said = complaints.reader.read()
        #expect(said.contains("continues, but \(try path("none")) will not be written"), "\(said)")
        #expect(try read("none").isEmpty)
        tidy(server)
    }
}
