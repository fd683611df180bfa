import Foundation
import Glibc
import Testing

/// Sessions that compute, as users start them, on loopback and with a beacon port of their own.
@Suite(.serialized) struct ClusterCommandTests {
    private let room = Laptops()
    /// A job that does not end by itself.
    private let long = ["monty-hall", "--trials", "1e17", "--seed", "1"]

    private func join(_ name: String) throws -> (child: Child, reader: Reader) { try room.node("join Monty", name) }

    private func serve(_ options: String = "") throws -> (child: Child, reader: Reader) {
        let server = try room.node("serve Monty " + options, "lab")
        try see(server.reader) { $0.contains("\"started\"") }
        return server
    }

    /// Returns the result of the job as a node prints it.
    private func result(_ reader: Reader) throws -> [String: Any] {
        try see(reader) { $0.contains("\"event\":\"result\"") && $0.hasSuffix("\n") }
        let line = try #require(reader.text.split(separator: "\n").first { $0.contains("\"event\":\"result\"") })
        return try #require(try object(line)["result"] as? [String: Any])
    }

    // MARK: On a terminal

    /// Waits for something that must appear in the output.
    private func see(
        _ reader: Reader, until isThere: (String) -> Bool, at location: SourceLocation = #_sourceLocation
    ) throws {
        let isThere = reader.sees(isThere)
        try #require(isThere, "\(reader.text.suffix(2000))", sourceLocation: location)
    }

    @Test func theServersScreen() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let words =
            ["serve", "Monty", "--name", "lab", "--cores", "1", "--hide-exact", "--wait-for", "3", "--run"] + long
        let server = try room.start(words, "lab", terminal)
        let screen = terminal.reader
        try see(screen) { $0.contains("potluck join Monty") && $0.contains("waiting for workers: 1 of 3") }
        let (ana, bea) = try (join("ana"), join("bea"))
        try see(screen) { $0.contains("e shows it to all.") }
        try see(screen) { text in
            ["lab (you)  ", "ana  ", "bea  ", "computing"].allSatisfy(text.contains)
        }
        #expect(!screen.text.contains("off by"))
        terminal.type("e")
        try see(screen) { $0.contains("off by") }
        terminal.type("?")
        try see(screen) { $0.contains("pause the job; nothing is lost") }
        terminal.type(" p")
        try see(screen) { $0.contains("paused") }
        try see(ana.reader) { $0.contains("\"state\":\"paused\"") }
        // A guest got the exact answer when the host showed it, and not before.
        try see(ana.reader) { $0.contains("\"exact\":0.33") }
        terminal.type("q")
        try see(screen) { $0.contains("End the session for all nodes?") }
        terminal.type("nq")
        try see(screen) { $0.components(separatedBy: "End the session for all nodes?").count > 2 }
        #expect(!terminal.echoes)
        terminal.type("y")
        screen.read()
        #expect(server.wait() == 0)
        #expect(terminal.echoes)
        // The guests look for the server again.
        end(ana.child, bea.child)
    }

    @Test func aSubmitterMayStopWatching() throws {
        let (server, ana) = (try serve(), try join("ana"))
        try see(server.reader) { $0.contains("\"connected\"") }
        let terminal = try PseudoTerminal(columns: 80)
        let run = try room.start(["run"] + long + ["--session", "Monty"], "lab", terminal)
        try see(terminal.reader) { $0.contains("ana") && $0.contains("computing") }
        terminal.type("\u{3}")
        terminal.reader.read()
        #expect(run.wait() == 130)
        #expect(terminal.echoes)
        let said = terminal.reader.text.replacing("\r\n", with: " ")
        let match = try #require(
            said.firstMatch(of: #/watch it: potluck watch Monty; cancel it: potluck cancel Monty ([0-9a-f]+)/#))

        let watch = Pipe()
        let watching = try room.start(["watch", "Monty", "--json"], "ana", watch)
        try see(watch.reader) { $0.contains("\"running\"") }
        let job = String(match.1)
        #expect(try room.run("pause Monty \(job)", "lab").stdout == "job \(job) is paused\n")
        try see(watch.reader) { $0.contains("\"paused\"") }
        #expect(try room.run("resume Monty", "lab").stdout == "job \(job) is resumed\n")
        let refused = try room.run("cancel Monty", "ana")
        #expect(refused.code == 1)
        #expect(refused.stderr == "potluck: only the host and lab, who started it, may do that\n")
        #expect(try room.run("cancel Monty monty-hall", "lab").stdout == "job \(job) is cancelled\n")
        let results = try [server.reader, ana.reader, watch.reader].map { try result($0)["digest"] as? String }
        #expect(Set(results).count == 1)
        #expect(try room.run("cancel Monty", "lab").stderr == "potluck: no job is running\n")
        watching.send(SIGINT)
        #expect(watching.wait() == 130)
        end(server.child, ana.child)
    }

    /// A viewer that leaves with a key exits with 0, not as if it were interrupted.
    @Test func aViewerLeavesWithAKey() throws {
        let server = try serve()
        for laptop in ["lab", "eve"] {
            let terminal = try PseudoTerminal(columns: 80)
            let watch = try room.start(["watch", "Monty"], laptop, terminal)
            try see(terminal.reader) { $0.contains("Watching Monty") || $0.contains("In Monty") }
            terminal.type("q")
            terminal.reader.read()
            #expect(watch.wait() == 0)
            #expect(terminal.echoes)
        }
        end(server.child)
    }

    // MARK: For programs

    /// A job gives the result of a single machine, whether it is ordered on a machine with a node of the session or
    /// without.
    @Test func aJobGivesTheResultOfOneMachine() throws {
        let line = "run monty-hall --trials 3e6 --seed 7 --json"
        let alone = try object(try room.run(line, "lab").stdout)
        let (server, ana) = (try serve("--guests submit"), try join("ana"))
        try see(server.reader) { $0.contains("\"connected\"") }
        for laptop in ["lab", "ana", "eve"] {
            let outcome = try room.run("\(line) --session Monty", laptop)
            #expect(outcome.code == 0)
            let result = try object(outcome.stdout)
            #expect(result["digest"] as? String == alone["digest"] as? String)
            #expect(Set(result.keys) == Set(alone.keys).union(["nodes"]))
            let nodes = try #require(result["nodes"] as? [[String: Any]])
            #expect(nodes.reduce(0) { $0 + ($1["trials"] as? Int ?? 0) } == 3_000_000)
        }
        let shown = try room.run("run pi --trials 1e6 --seed 1 --session Monty", "ana")
        #expect(shown.stdout.hasPrefix("pi: 1 000 000 trials in "))
        #expect(!(shown.stdout + shown.stderr).contains("\u{1b}"))
        end(server.child, ana.child)
    }

    @Test func aSessionStartsItsOwnJob() throws {
        let output = Pipe()
        let words = ["serve", "Monty", "--no-compute", "--run", "pi", "--trials", "2e6", "--seed", "3", "--json"]
        let server = try room.start(words, "lab", output)
        let ana = try join("ana")
        let (here, there) = (try result(output.reader), try result(ana.reader))
        #expect(here["digest"] as? String == there["digest"] as? String)
        let nodes = try #require(here["nodes"] as? [[String: Any]])
        #expect(nodes.map { $0["name"] as? String } == ["ana"])
        end(server, ana.child)
    }

    @Test(arguments: [
        ("run pi --session Monty --cores 2", 2, "--cores applies to this machine"),
        ("run pi --wait-for 2", 2, "name the session with --session SESSION"),
        ("run pi --session", 2, "--session"),
        ("run pi --session Monty --wait-for 0", 2, "must be from 1 to 512"),
        ("run pi --session Monty --start-in soon", 2, "--start-in"),
        ("run pi --session Monty --start-in 25h", 2, "must be at most 1 day"),
        ("run pi --session Monty --nodes ,", 2, "use names like ana,bob"),
        ("serve Monty --trials 5", 2, "name the simulation with --run NAME"),
        ("serve Monty --run zebra", 2, "unknown simulation 'zebra'"),
        ("serve Monty --run pi --trials 0", 2, "must be at least 1"),
        ("serve Monty --cores 2 --no-compute", 2, "cannot be used together"),
        ("join Monty --priority high", 2, "one of interactive, normal, utility, background"),
        ("join Monty --on-battery maybe", 2, "pause or run"),
        ("watch", 2, "missing argument SESSION"), ("cancel", 2, "missing argument SESSION"),
    ])
    func mistakesAreOneLine(_ line: String, _ code: Int, _ complaint: String) throws {
        let outcome = try room.run(line, "lab")
        #expect(outcome.code == Int32(code))
        #expect(outcome.stdout == "")
        #expect(outcome.stderr.contains(complaint), "\(outcome.stderr)")
        #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
    }

    @Test func jobsThatAreNotThere() throws {
        let server = try serve()
        for (line, complaint) in [
            ("cancel Monty", "no job is running"), ("pause Monty zebra", "no job is running"),
            ("resume Monty 0", "no job is running"),
        ] {
            let outcome = try room.run(line, "lab")
            #expect(outcome.code == 1)
            #expect(outcome.stderr == "potluck: \(complaint)\n")
        }
        end(server.child)
    }

    /// `make demo` with fewer games.
    @Test func theDemo() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try Child(
            [Child.program, "2e7"], program: root.appending(path: "Tools/demo").path,
            stdout: .descriptor(stdout.writer), stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        let (out, err) = (stdout.reader.read(), stderr.reader.read())
        #expect(child.wait() == 0, "\(err)")
        #expect(out.contains("monty-hall: 20 000 000 trials in "))
        #expect(out.contains("ana found the server"))
        let digests = out.matches(of: #/digest +([0-9a-f]{64})/#).map(\.1)
        #expect(digests.count == 2)
        #expect(Set(digests).count == 1)
    }
}
