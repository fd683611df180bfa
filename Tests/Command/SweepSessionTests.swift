import Foundation
import Glibc
import Testing

/// Sweeps in a session: each point is what it is on one machine.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SweepSessionTests {
    private let room = Laptops()

    private func digests(_ outcome: EndToEndTests.Outcome) throws -> [String] {
        try outcome.stdout.split(separator: "\n").map { try #require(try object($0)["digest"] as? String) }
    }

    /// As a guest, and through a node on the same machine, whose history then has the sweep, too.
    @Test(arguments: [
        "run monty-hall --trials 300000 -p doors=3..32 --seed 7 --json",
        "run option-price --until 0.2 -p volatility=0.1..0.3:0.1 --seed 7 --json", "run tsp -p cities=5..9 --json",
    ])
    func thePointsAreThoseOfOneMachine(line: String) throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let ana = try room.node("join Monty", "ana")
        ana.reader.read { $0.contains("\"state\":\"connected\"") }
        let alone = try digests(try room.run("\(line) --ephemeral", "bob"))
        for laptop in ["eve", "lab"] {
            let together = try room.run("\(line) --session Monty", laptop)
            #expect(together.code == 0, "\(together.stderr)")
            #expect(try digests(together) == alone)
            let again = try room.run(line, laptop)
            #expect(again.stderr.hasPrefix("potluck: \(alone.count) of \(alone.count) points were computed before"))
            #expect(try digests(again) == alone)
            let listed = try room.run("history --limit 100", laptop).stdout
            #expect(listed.contains(", \(alone.count) points"))
        }
        end(ana.child, server.child)
    }

    /// Ctrl-C cancels the points in hand, and says how to resume the sweep.
    @Test(arguments: ["eve", "lab"]) func aSweepThatIsStoppedLeavesNoJob(laptop: String) throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let words = ["run", "tsp", "-p", "cities=5,20", "-p", "bound=cost", "--json", "--session", "Monty"]
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try room.start(words, laptop, stdout, stderr: stderr)
        #expect(stdout.reader.read { $0.contains("\n") }.hasPrefix("{\"point\":0,"))
        child.send(SIGINT)
        #expect(child.wait() == 130)
        let said = stderr.reader.read()
        #expect(!said.contains("was not cancelled"), "\(said)")
        // A busy machine may not answer in time. Then the command says how to cancel the job.
        if said.contains("may go on") { _ = try room.run("cancel Monty", "lab") }
        #expect(said.contains("1 of 2 points are left; to resume this sweep: potluck \(words.joined(separator: " "))"))
        server.reader.read { $0.contains("\"complete\":false") }
        end(server.child)
    }

    /// The server is killed while it has points, and started again.
    @Test func aKilledServerCostsNoPoint() throws {
        let line = "run monty-hall --trials 40000000 -p doors=3..14 --seed 3 --json"
        let alone = try digests(try room.run("\(line) --ephemeral", "bob"))
        let first = try room.node("serve Monty --guests submit", "lab")
        first.reader.read { $0.contains("\"started\"") }
        let stdout = Pipe()
        let child = try room.start(line.split(separator: " ").map(String.init) + ["--session", "Monty"], "eve", stdout)
        stdout.reader.read { $0.contains("\n") }
        first.child.send(SIGKILL)
        _ = first.child.wait()
        let second = try room.node("serve Monty --guests submit", "lab")
        let lines = stdout.reader.read().split(separator: "\n")
        #expect(child.wait() == 0)
        #expect(try lines.map { try #require(try object($0)["digest"] as? String) } == alone)
        end(second.child)
    }

    /// Somebody cancels the last point. The sweep says which is missing, and fails.
    @Test func aCancelledPointIsMissed() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let words = ["run", "tsp", "-p", "cities=5,20", "-p", "bound=cost", "--json", "--session", "Monty"]
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try room.start(words, "eve", stdout, stderr: stderr)
        stdout.reader.read { $0.contains("\n") }
        server.reader.read { text in text.split(separator: "\n").contains { $0.contains("\"state\":\"running\"") } }
        #expect(try room.run("cancel Monty", "lab").code == 0)
        let lines = stdout.reader.read().split(separator: "\n")
        #expect(child.wait() == 1)
        #expect(lines.last == "{\"missing\":[1]}", "\(lines)")
        let said = stderr.reader.read()
        #expect(said.contains("cities=20 was cancelled in Monty"), "\(said)")
        #expect(said.contains("1 of 2 points was cancelled: cities=20; to resume this sweep: potluck run"), "\(said)")
        end(server.child)
    }

    @Test func optionsOfTheOtherPlaceAreRefused() throws {
        for (words, why) in [
            ("--session Monty --cores 1", "--cores applies to this machine"),
            ("--wait-for 2", "--wait-for applies to a session"),
            ("--session Monty --start-in 1s", "--start-in is for a single run"),
        ] {
            let outcome = try room.run("run monty-hall --trials 10 -p doors=3,4 \(words)", "eve")
            #expect(outcome.code == 2 && outcome.stderr.contains(why), "\(outcome.stderr)")
        }
    }
}
