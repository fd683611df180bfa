import Foundation
import Glibc
import Testing

/// A session's job is recorded in the histories of its coordinator, its submitter and the nodes that computed it.
@Suite(.serialized, .timeLimit(.minutes(60))) struct SessionHistoryTests {
    private let room = Laptops()
    private let job = "run monty-hall --trials 2e6 --seed 4 --session Monty --json"

    private func serve(_ options: String = "", _ laptop: String = "lab") throws -> (child: Child, reader: Reader) {
        let server = try room.node("serve Monty --guests submit " + options, laptop)
        server.reader.read { $0.contains("\"started\"") }
        return server
    }

    private func join(_ name: String) throws -> (child: Child, reader: Reader) {
        let guest = try room.node("join Monty", name)
        guest.reader.read { $0.contains("\"connected\"") }
        return guest
    }

    private func last(_ laptop: String) throws -> [String: Any] {
        try object(try room.run("history show last --json", laptop).stdout)
    }

    @Test func theCoordinatorAndTheSubmitterRecordAJob() throws {
        let (server, bea) = (try serve(), try join("bea"))
        let run = try room.run(job + " --name ana", "ana")
        #expect(run.code == 0 && run.stderr.split(separator: "\n").allSatisfy { !$0.hasPrefix("potluck:") })
        bea.reader.read { $0.contains("\"event\":\"result\"") }
        let digest = try #require(try object(run.stdout)["digest"] as? String)
        end(server.child, bea.child)
        let records = try ["lab", "ana"].map(last)
        for record in records {
            #expect(record["digest"] as? String == digest)
            #expect(record["session"] as? String == "Monty" && record["submitter"] as? String == "ana")
            let nodes = try #require(record["nodes"] as? [[String: Any]])
            #expect(nodes.compactMap { $0["trials"] as? Int }.reduce(0, +) == 2_000_000)
            #expect(Set(nodes.compactMap { $0["name"] as? String }).isSubset(of: ["lab", "bea"]))
        }
        #expect(records[0]["key"] as? String == records[1]["key"] as? String)
        // Whether bea got a chunk of so short a job is chance.
        let nodes = try #require(records[0]["nodes"] as? [[String: Any]])
        let hasShare = nodes.contains { $0["name"] as? String == "bea" && $0["trials"] as? Int != 0 }
        #expect(try room.run("history --count", "bea").stdout == (hasShare ? "1\n" : "0\n"))
        if hasShare { #expect(try room.run("history show 1", "bea").stdout.contains("bea computed ")) }
        #expect(try room.run("history show 1", "lab").stdout.contains("started by ana in Monty"))
        #expect(try room.run("history --count --where submitter~AN", "lab").stdout == "1\n")
    }

    /// The job is ordered through the local node, which shares its store with the command.
    @Test func oneStoreHasItOnce() throws {
        let server = try serve()
        let run = try room.run(job, "lab")
        #expect(run.code == 0)
        // A guest on the host's machine that uses the host's folder.
        let guest = try room.run(job.replacing("--seed 4", with: "--seed 5") + " --state \(room.folder("lab"))", "ana")
        #expect(guest.code == 0)
        end(server.child)
        #expect(try room.run("history --count", "lab").stdout == "2\n")
        let digest = try #require(try object(run.stdout)["digest"] as? String)
        #expect(try room.run("history --count --where digest=\(digest.prefix(8))", "lab").stdout == "1\n")
    }

    @Test func theCoordinatorRecordsForASubmitterThatLeft() throws {
        let server = try serve()
        let pipe = Pipe()
        let run = try room.start(
            ["run", "pi", "--trials", "1e17", "--session", "Monty", "--name", "ana"], "ana", pipe)
        // A job without trials is not recorded.
        server.reader.read { $0.contains(/"state":"running".*"trials":[1-9]/) }
        run.send(SIGINT)
        #expect(run.wait() == 130)
        #expect(try room.run("cancel Monty", "lab").code == 0)
        server.reader.read { $0.contains("\"event\":\"result\"") }
        end(server.child)
        #expect(try last("lab")["ended"] as? String == "stopped")
        #expect(try room.run("history --count", "ana").stdout == "0\n")
    }

    /// A guest records each result as it comes, without what the host hides. So one that is killed has all of them.
    @Test func aHiddenResultIsRecordedAtOnce() throws {
        let (server, ana) = (try serve(), try join("ana"))
        // A screen keeps twenty results.
        let count = 22
        for seed in 1...count {
            let run = try room.run(
                "run monty-hall --trials 2000 --seed \(seed) --nodes ana --hide-exact --session Monty", "lab")
            #expect(run.code == 0, "\(run.stderr)")
        }
        // The last result is written a moment after it has come.
        func recorded() throws -> Int { Int(try room.run("history --count", "ana").stdout.dropLast()) ?? 0 }
        let deadline = Patience.end
        while try recorded() < count, Date.now < deadline { usleep(50_000) }
        ana.child.send(SIGKILL)
        _ = ana.child.wait()
        #expect(try recorded() == count)
        for number in [1, count] {
            let shown = try room.run("history show \(number) --json", "ana").stdout
            #expect(shown.contains("\"exact\":null") && !shown.contains(/"exact":[0-9]/), "\(shown)")
        }
        end(server.child)
    }

    @Test func aStoreThatCannotBeWrittenIsOneLine() throws {
        let folder = room.folder("ana")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("a letter to my aunt".utf8).write(to: URL(fileURLWithPath: folder + "/history.db"))
        let server = try serve()
        let run = try room.run(job, "ana")
        end(server.child)
        #expect(run.code == 0 && run.stdout.contains("\"digest\""))
        #expect(run.stderr.split(separator: "\n").filter { $0.contains("cannot record this run") }.count == 1)
        #expect(try room.run("history --count", "lab").stdout == "1\n")
    }

    @Test func stateIsKeptInTheNamedFolder() throws {
        let state = room.folder("named")
        let server = try serve("--state \(state)")
        #expect(try room.run(job + " --state \(state)", "lab").code == 0)
        #expect(try room.run("say Monty hello", "lab").stderr.contains("--state DIR"))
        #expect(try room.run("say Monty hello --state \(state)", "lab").stderr.contains("no other node is connected"))
        end(server.child)
        let kept = try FileManager.default.contentsOfDirectory(atPath: state)
        for kind in [".session", ".lock", ".ticket", "history.db"] {
            #expect(kept.contains { $0.hasSuffix(kind) }, "\(kind) of \(kept)")
        }
        #expect(!FileManager.default.fileExists(atPath: room.folder("lab") + "/history.db"))
        #expect(try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int == 0o700)
    }

    @Test func anEphemeralSessionLeavesNoFiles() throws {
        let server = try serve("--ephemeral")
        let guest = try room.run(job + " --ephemeral", "ana")
        #expect(guest.code == 0)
        // The node can still be reached, and by commands that keep state as well.
        #expect(try room.run("say Monty hello", "lab").stderr.contains("no other node is connected"))
        #expect(try room.run("serve Monty --ephemeral", "lab").stderr.contains("is already served on this machine"))
        #expect(try room.run(job, "lab").code == 0)
        end(server.child)
        #expect(!FileManager.default.fileExists(atPath: room.folder("ana")))
        #expect(!FileManager.default.fileExists(atPath: room.passing("lab")))
        #expect(try room.run("history --count", "lab").stdout == "1\n")
    }

    @Test func aFolderOfOthersIsNoPlaceForACode() throws {
        let folder = room.folder("open")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o777)
        for words in ["serve Monty", "peer Monty", "join Monty", "watch Monty", "say Monty hello"] {
            let refused = try room.run(words + " --state \(folder)", "lab")
            #expect(refused.code == 1, "\(words)")
            #expect(refused.stderr.contains("anyone can write into") && refused.stderr.contains("--state DIR"))
        }
        let file = folder + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        for wrong in [file, file + "/a", "/proc/nothing/at/all"] {
            let refused = try room.run("serve Monty --state \(wrong)", "lab")
            #expect(refused.code == 1 && refused.stderr.filter { $0 == "\n" }.count == 1, "\(wrong)")
        }
    }
}
