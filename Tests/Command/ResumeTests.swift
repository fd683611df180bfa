import Foundation
import Glibc
import PotluckCore
import PotluckMachine
import Testing

/// A coordinator that is killed and restarted resumes its jobs, and they give the result of an uninterrupted one.
/// `POTLUCK_KILLS` sets how often it is killed.
@Suite(.serialized) struct ResumeTests {
    private let room = Laptops()
    private static let kills = ProcessInfo.processInfo.environment["POTLUCK_KILLS"].flatMap { Int($0) } ?? 10

    private func start(_ words: String, _ laptop: String) throws -> (child: Child, output: Reader) {
        let output = Pipe()
        let child = try room.start(words.split(separator: " ").map(String.init), laptop, output)
        return (child, output.reader)
    }

    private func serve(_ words: String = "") throws -> (child: Child, output: Reader) {
        let server = try start("serve Monty --name lab --cores 1 --json " + words, "lab")
        server.output.read { $0.contains("\"started\"") }
        return server
    }

    private func lines(_ output: Reader, _ event: String) throws -> [[String: Any]] {
        // The last line may be incomplete.
        try output.text.split(separator: "\n").filter { $0.contains("\"event\":\"\(event)\"") && $0.hasSuffix("}") }
            .map { try object($0) }
    }

    private func isExact(_ result: [String: Any], like alone: [String: Any]) throws {
        #expect(result["digest"] as? String == alone["digest"] as? String)
        let nodes = try #require(result["nodes"] as? [[String: Any]])
        let trials = try #require(alone["trials"] as? Int)
        #expect(nodes.reduce(0) { $0 + ($1["trials"] as? Int ?? 0) } == trials)
        #expect(result["trials"] as? Int == trials)
    }

    /// The path of the server's ledger.
    private func ledger() throws -> String {
        let folder = room.folder("lab")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".ledger.db") })
        return "\(folder)/\(name)"
    }

    /// The number of trials that the ledger of a killed server has. Opens a copy, so that the next server finds the
    /// file as it was left.
    private func kept() throws -> Int {
        let (path, folder) = (try ledger(), room.folder("copy"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for end in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: path + end, toPath: "\(folder)/ledger.db\(end)")
        }
        let journal = try DiskJournal.open(at: "\(folder)/ledger.db") { _ in }
        #expect(journal.close() == nil)
        let job = try #require(journal.unfinishedJobs.first)
        let blocks = job.settled.blocks + job.pieces.reduce(0) { $0 + UInt64($1.blocks.count) }
        return Int(blocks * (try TakenJob(job.record.spec).order.experiment.blockSize))
    }

    /// The server is killed at random moments. No acknowledged work is missing, and none counts twice. The job runs
    /// until the server has been killed that often.
    @Test func aKilledServerResumesItsJobs() throws {
        let job = "monty-hall --trials 1e17 --seed 5"
        let ana = try start("join Monty --name ana --cores 1 --json", "ana")
        var server = try serve("--run \(job)")
        server.output.read { $0.contains("\"running\"") }
        // Another test's session Monty, with another code, may get the port of a server that is gone. Only a guest that
        // was connected before can tell them apart.
        ana.output.read { $0.contains("\"connected\"") && $0.contains("\"running\"") }
        let id = try #require(try lines(server.output, "job").first?["job"] as? String)
        var known = 0
        for round in 0..<Self.kills {
            usleep(.random(in: 0..<200_000))
            server.child.send(SIGKILL)
            #expect(server.child.wait() == -SIGKILL)
            #expect(try kept() >= known)
            known = try kept()
            server = try serve("--run \(job)")
            server.output.read { $0.contains("\"running\"") }
            let jobs = Set(try lines(server.output, "job").compactMap { $0["job"] as? String })
            #expect(jobs == [id])
            // It shows what it found in its ledger, from its first picture on.
            let trials = try lines(server.output, "job").compactMap { $0["trials"] as? Int }
            #expect(trials.first ?? 0 >= known && trials == trials.sorted(), "\(known) trials kept, \(trials) shown")
            // Later servers may be killed before the guest is back.
            if round == 0 { ana.output.read { $0.contains("\"goesOn\"") } }
        }
        #expect(known > 0)
        // A guest that is away for long forgets the job, and would not know whose result comes.
        server.output.read { $0.contains("\"connected\"") }
        #expect(try room.run("cancel Monty", "lab").code == 0)
        server.output.read { $0.contains("\"event\":\"result\"") && $0.hasSuffix("\n") }
        ana.output.read { $0.contains("\"event\":\"result\"") && $0.hasSuffix("\n") }
        var alone: [String: Any]?
        for output in [server.output, ana.output] {
            let last = try #require(try lines(output, "result").last)
            #expect(last["job"] as? String == id)
            let result = try #require(last["result"] as? [String: Any])
            let trials = try #require(result["trials"] as? Int)
            if alone == nil {
                let again = "run monty-hall --trials \(trials) --seed 5 --json --ephemeral"
                alone = try object(try room.run(again, "eve").stdout)
            }
            try isExact(result, like: try #require(alone))
        }
        end(server.child, ana.child)
    }

    /// A key takes a tenth of a second, and a hundred guests may be back at once: each derives its own when it starts, and never again.
    @Test func nobodyDerivesAKeyToComeBack() throws {
        var server = try serve()
        let (output, errors) = (Pipe(), Pipe())
        let ana = try Child(
            ["join", "Monty", "--name", "ana", "--json"],
            environment: room.environment("ana").merging(["POTLUCK_LOG": "info"]) { $1 },
            stdout: .descriptor(output.writer), stderr: .descriptor(errors.writer))
        output.closeWriter()
        errors.closeWriter()
        for times in 1...3 {
            output.reader.read { $0.components(separatedBy: "\"state\":\"connected\"").count > times }
            server.child.send(SIGKILL)
            #expect(server.child.wait() == -SIGKILL)
            server = try serve()
        }
        output.reader.read { $0.components(separatedBy: "\"state\":\"connected\"").count > 4 }
        end(ana, server.child)
        #expect(errors.reader.read().components(separatedBy: "derived the session's key").count == 2)
    }

    /// A submitter that watches through a local node sees that the server is awaited, and then the end of the job.
    @Test func aViewerWaitsForTheServer() throws {
        var server = try serve("--guests submit")
        let ana = try start("join Monty --name ana --cores 1 --json", "ana")
        ana.output.read { $0.contains("\"connected\"") }
        let (stdout, stderr) = (Pipe(), Pipe())
        let run = try room.start(
            "run monty-hall --trials 1e17 --seed 2 --session Monty --json".split(separator: " ").map(String.init),
            "ana",
            stdout, stderr: stderr)
        server.output.read { $0.contains("\"running\"") }
        ana.output.read { $0.contains("\"running\"") }
        server.child.send(SIGKILL)
        #expect(server.child.wait() == -SIGKILL)
        ana.output.read { $0.contains("\"orphaned\"") }
        stderr.reader.read { $0.contains("waiting for it to return") }
        server = try serve("--guests submit")
        stderr.reader.read { $0.contains("lab continues monty-hall") }
        #expect(try room.run("cancel Monty", "ana").code == 0)
        let result = try object(stdout.reader.read())
        #expect(run.wait() == 0)
        let trials = try #require(result["trials"] as? Int)
        let alone = try object(try room.run("run monty-hall --trials \(trials) --seed 2 --json", "eve").stdout)
        #expect(result["digest"] as? String == alone["digest"] as? String)
        end(server.child, ana.child)
    }

    /// A server that is told to end reports its unfinished jobs. With `--forget` it discards them.
    @Test func unfinishedJobsAreReportedAndCanBeForgotten() throws {
        let errors = Pipe()
        let words = "serve Monty --cores 1 --json --run monty-hall --trials 1e17".split(separator: " ").map(String.init)
        let output = Pipe()
        let server = try room.start(words, "lab", output, stderr: errors)
        output.reader.read { $0.contains("\"running\"") }
        end(server)
        #expect(errors.reader.read().contains("1 job is unfinished; the same command resumes it"))

        let next = try serve()
        next.output.read { $0.contains("\"goesOn\"") }
        // A second node of the same session and state directory keeps no journal, and says so.
        let (beside, said) = (Pipe(), Pipe())
        let peer = try room.start(["peer", "Monty", "--json", "--no-compute"], "lab", beside, stderr: said)
        said.reader.read { $0.contains("jobs started here end with this node") }
        end(peer, next.child)
        let anew = try serve("--forget")
        end(anew.child)
        #expect(!anew.output.read().contains("\"event\":\"job\""))
    }

    /// In a session of peers another peer takes over by itself. If no job can be taken over, `takeover` says so.
    @Test func aPeerTakesOver() throws {
        let first = try start("peer Monty --name one --cores 1 --json", "one")
        let second = try start("peer Monty --name two --cores 1 --json", "two")
        for peer in [first, second] { peer.output.read { $0.contains("\"connected\"") } }
        #expect(
            try room.run("takeover Monty", "two").stderr
                == "potluck: this node knows no job that has lost its coordinator\n")
        #expect(try room.run("takeover Monty", "eve").stderr.contains("no node of Monty runs on this machine"))
        let submitter = Pipe()
        let run = try room.start(
            "run monty-hall --trials 1e17 --seed 3 --session Monty".split(separator: " ").map(String.init), "one",
            submitter)
        // Once the other peer shows several tallies, it also has the replica.
        second.output.read { $0.components(separatedBy: "\"running\"").count > 8 }
        first.child.send(SIGKILL)
        #expect(first.child.wait() == -SIGKILL)
        // The node that `run` watches through is gone.
        #expect(run.wait() == 1)
        second.output.read { $0.contains("\"goesOn\"") }
        #expect(try room.run("cancel Monty", "two").code == 0)
        second.output.read { $0.contains("\"event\":\"result\"") && $0.hasSuffix("\n") }
        let last = try #require(try lines(second.output, "result").last?["result"] as? [String: Any])
        let trials = try #require(last["trials"] as? Int)
        let alone = try object(try room.run("run monty-hall --trials \(trials) --seed 3 --json", "eve").stdout)
        #expect(last["digest"] as? String == alone["digest"] as? String)
        end(second.child)
    }

    /// A file that is no ledger is refused with one line, and no session starts.
    @Test func aLedgerOfSomebodyElseIsNotTouched() throws {
        let first = try serve()
        end(first.child)
        let path = try ledger()
        let letter = Data("a letter to my aunt".utf8)
        try letter.write(to: URL(fileURLWithPath: path))
        let refused = try room.run("serve Monty", "lab")
        #expect(refused.code == 1 && refused.stdout == "")
        #expect(refused.stderr.hasPrefix("potluck: cannot keep jobs: "))
        #expect(refused.stderr.contains("--ephemeral") && refused.stderr.filter { $0 == "\n" }.count == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == letter)
    }

    /// A ledger of a newer version is left alone. From a truncated or damaged one the server resumes what it can read,
    /// and keeps a copy of it.
    @Test func aLedgerThatIsNewerOrDamaged() throws {
        let job = "--run monty-hall --trials 1e17 --seed 5"
        let first = try serve(job)
        first.output.read { $0.components(separatedBy: "\"running\"").count > 3 }
        end(first.child)
        let file = URL(fileURLWithPath: try ledger())
        let whole = try Data(contentsOf: file)
        var newer = whole
        newer[63] = 99
        try newer.write(to: file)
        let refused = try room.run("serve Monty", "lab")
        #expect(refused.code == 1 && refused.stdout == "")
        #expect(
            refused.stderr.contains("was written by a newer Potluck") && refused.stderr.filter { $0 == "\n" }.count == 1
        )
        #expect(try Data(contentsOf: file) == newer)
        var changed = whole
        for place in stride(from: 5000, to: changed.count, by: 997) { changed[place] ^= 0x10 }
        // The copies have different names, so that an earlier one is not overwritten.
        for (damaged, ending) in [(whole.prefix(whole.count / 2), ".damaged"), (changed, ".damaged-2")] {
            try damaged.write(to: file)
            let errors = Pipe()
            let output = Pipe()
            let words = "serve Monty --cores 1 --json \(job)".split(separator: " ").map(String.init)
            let server = try room.start(words, "lab", output, stderr: errors)
            output.reader.read { $0.contains("\"running\"") }
            end(server)
            #expect(errors.reader.read().contains("the damaged file is kept as \(file.path)\(ending);"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: file.path + ending)) == damaged)
        }
    }
}
