import Foundation
import Glibc
import Testing

/// A run on one machine that is killed or stopped can be resumed, and gives the same result as one that was not.
/// `POTLUCK_KILLS` sets how often it is killed.
@Suite(.serialized) struct LocalResumeTests {
    private let room = Laptops()
    private static let kills = ProcessInfo.processInfo.environment["POTLUCK_KILLS"].flatMap { Int($0) } ?? 6

    /// A child and its output.
    private struct Running {
        let child: Child
        let (stdout, stderr): (Reader, Reader)
    }

    private func start(_ line: String, _ more: [String: String] = [:]) throws -> Running {
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try Child(
            line.split(separator: " ").map(String.init), environment: room.environment("lab").merging(more) { $1 },
            stdout: .descriptor(stdout.writer), stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        return Running(child: child, stdout: stdout.reader, stderr: stderr.reader)
    }

    /// Returns the numbers of the runs that are kept in the folder.
    private func kept(in folder: String? = nil) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder ?? room.folder("lab"))
        return (names ?? []).filter { $0.hasSuffix(".run.db") }.map { String($0.dropLast(7)) }
    }

    /// Waits until a run has lasted long enough to be kept, and returns its number. Throws if the child ends before. A
    /// commit may be seen half written; it is complete once the next ones follow.
    private func numberKept(_ folder: String? = nil, of child: Child? = nil) throws -> String {
        let folder = folder ?? room.folder("lab")
        // By run, when its log was written. Its size may stay the same, because after a while it is written from its
        // beginning again.
        var times: [String: Set<[Int]>] = [:]
        let end = Patience.end
        while Date.now < end, child?.hasExited != true {
            for id in kept(in: folder) {
                var found = stat()
                guard stat("\(folder)/\(id).run.db-wal", &found) == 0, found.st_size > 0 else { continue }
                times[id, default: []].insert([found.st_mtim.tv_sec, found.st_mtim.tv_nsec])
                if times[id]?.count == 3 { return id }
            }
            usleep(5000)
        }
        throw Trouble(what: "nothing was kept")
    }

    /// Returns the digest of the same trials, computed in one uninterrupted run.
    private func digest(_ result: [String: Any], _ command: String = "run pi --seed 4") throws -> String? {
        let trials = try #require(result["trials"] as? Int)
        return try object(try room.run("\(command) --trials \(trials) --json --ephemeral", "eve").stdout)["digest"]
            as? String
    }

    /// The run is killed at random moments. No trial that was kept is lost, and none counts twice.
    @Test func aKilledRunIsResumedWithoutLoss() throws {
        var running = try start("run pi --seed 4 --cores 1 --json")
        let id = try numberKept()
        var before = 0
        for _ in 0..<Self.kills {
            usleep(.random(in: 0..<200_000))
            running.child.send(SIGKILL)
            #expect(running.child.wait() == -SIGKILL)
            running = try start("resume --cores 1 --json")
            running.stderr.read { $0.contains("\n") }
            let said = try #require(running.stderr.text.components(separatedBy: " of pi after ").last)
            #expect(running.stderr.text.hasPrefix("potluck: resuming run \(id.prefix(5)) of pi after "))
            let trials = try #require(Int(said.prefix { $0 != "t" }.filter(\.isNumber)))
            #expect(trials >= before)
            before = trials
        }
        running.child.send(SIGINT)
        let result = try object(running.stdout.read())
        #expect(running.child.wait() == 130)
        #expect(try digest(result) == result["digest"] as? String)
        #expect(running.stderr.read().contains("to resume this run: potluck resume \(id.prefix(5))\n"))
    }

    /// A pipe gets a line with how far it is, and the first one counts what was left.
    @Test func noLineShowsLessThanIsKnown() throws {
        let first = try start("run pi --seed 4 --cores 1 --trials 1e13")
        let id = try numberKept()
        // The lines that say how far it is. Others say what it waits for.
        func lines(_ text: String) -> [String] {
            text.components(separatedBy: "\n").filter { $0.starts(with: /pi: [0-9]/) }
        }
        // By the second line so much is kept that the next run begins with one.
        first.stderr.read { lines($0).count > 1 }
        first.child.send(SIGKILL)
        #expect(first.child.wait() == -SIGKILL)
        let again = try start("resume \(id) --cores 1")
        again.stderr.read { !lines($0).isEmpty && $0.hasSuffix("\n") }
        again.child.send(SIGINT)
        #expect(again.child.wait() == 130)
        let text = again.stderr.text
        func number(in text: String, from begin: String, to end: String) throws -> Int {
            let rest = try #require(text.components(separatedBy: begin).dropFirst().first)
            let words = try #require(rest.components(separatedBy: end).first)
            return try #require(Int(words.filter(\.isNumber)), "\(text)")
        }
        let left = try number(in: text, from: " after ", to: "trials")
        let shown = try number(in: try #require(lines(text).first), from: "pi: ", to: " of ")
        #expect(left > 0 && shown >= left, "\(text)")
    }

    /// Starts a run of that many seconds and stops it once it is kept. Returns false, and leaves nothing behind, if it
    /// ended before.
    private func isStopped(_ seconds: Int) throws -> Bool {
        let run = try start("run pi --seed 4 --cores 1 --for \(seconds)s")
        _ = try? numberKept(of: run.child)
        run.child.send(SIGINT)
        let wasInTime = run.stdout.read().contains("stopped after ")
        #expect(run.child.wait() == (wasInTime ? 130 : 0))
        if !wasInTime { try FileManager.default.removeItem(atPath: room.folder("lab")) }
        return wasInTime
    }

    /// A run that is stopped and resumed has one entry in the history, which keeps its number and notes. It gives the
    /// result that it would have given, and leaves no file behind.
    @Test func aStoppedRunIsResumedToItsEnd() throws {
        // If a run ends before it can be stopped, the next one lasts three times as long.
        let seconds = try #require(try [3, 9, 27, 81].first { try isStopped($0) })
        #expect(try room.run("history note last quick", "lab").code == 0)
        let listed = try room.run("resume --list", "lab").stdout
        #expect(listed.contains("pi") && listed.contains("potluck resume RUN"))
        let left = try #require(
            try JSONSerialization.jsonObject(with: Data(try room.run("resume --list --json", "lab").stdout.utf8))
                as? [[String: Any]])
        let last = try room.run("resume --json", "lab")
        #expect(last.code == 0)
        let result = try object(last.stdout)
        #expect(result["complete"] as? Bool == true)
        #expect(try #require(result["elapsed"] as? Double) >= Double(seconds))
        #expect(try digest(result) == result["digest"] as? String)
        let history = try room.run("history --json", "lab").stdout
        let runs = try #require(try JSONSerialization.jsonObject(with: Data(history.utf8)) as? [[String: Any]])
        #expect(runs.count == 1 && runs[0]["digest"] as? String == result["digest"] as? String)
        #expect(runs[0]["id"] as? Int == 1 && history.contains("quick"))
        #expect(left.count == 1 && left[0]["started"] as? Double == runs[0]["started"] as? Double)
        #expect(kept().isEmpty)
        #expect(try room.run("resume", "lab").stdout == "No resumable runs.\n")
    }

    @Test func aRefusalToResumeIsOneLine() throws {
        let running = try start("run pi --seed 4 --cores 1")
        let id = try numberKept()
        let cases: [(line: String, code: Int32, says: String)] = [
            (
                "resume \(id.prefix(5))", 1,
                "run \(id.prefix(5)) is already running in process \(running.child.id)"
            ),
            ("resume \(id) --forget", 1, "is in use by process \(running.child.id)"),
            ("resume 00000", 1, "no resumable run '00000'; 'potluck resume --list' lists them"),
            // A number as in the history is no session, whose code would be asked for.
            ("resume 99", 1, "no resumable run '99'; 'potluck resume --list' lists them"),
            ("resume 2026 --forget", 1, "no resumable run '2026'; 'potluck resume --list' lists them"),
            ("resume --forget", 2, "missing argument RUN; usage: potluck resume RUN --forget"),
            ("resume --connect 127.0.0.1:9", 2, "--connect applies to sessions"),
            ("resume Monty --cores 2", 2, "--cores applies to runs of this machine"),
        ]
        for (line, code, says) in cases {
            let outcome = try room.run(line, "lab")
            #expect(outcome.code == code && outcome.stdout.isEmpty, "\(line)")
            #expect(
                outcome.stderr.contains(says) && outcome.stderr.filter { $0 == "\n" }.count == 1, "\(outcome.stderr)")
        }
        // A running run is listed and is not started a second time.
        #expect(try room.run("resume", "lab").stdout == "\(id.prefix(5)) running: process \(running.child.id)\n")
        running.child.send(SIGKILL)
        #expect(running.child.wait() == -SIGKILL)
        #expect(try room.run("resume \(id.prefix(7)) --forget", "lab").code == 0)
        #expect(kept().isEmpty)
    }

    /// A run with `--ephemeral` is not kept, and neither is one that writes output. The hint on how to resume names a
    /// folder that the user chose.
    @Test func onlyRunsThatCanResumeAreKept() throws {
        let passing = try start("run pi --ephemeral --json --progress-json")
        let list = try start(
            "run primes -p limit=1e11 -p list=yes --cores 1 --output /dev/null --json --progress-json")
        // From its first line on a run is stopped cleanly.
        for running in [passing, list] { running.stdout.read { $0.contains("\n") } }
        let folder = room.folder("own")
        let own = try start("run pi --seed 4 --json --progress-json", ["POTLUCK_STATE": folder])
        own.stdout.read { $0.contains("\n") }
        let id = try numberKept(folder).prefix(5)
        // By then the other runs have lasted as long.
        for running in [passing, list, own] { running.child.send(SIGINT) }
        #expect(passing.stderr.read().contains("to resume this run") == false)
        #expect(list.stderr.read().contains("it reads or writes files; the same command starts over"))
        #expect(own.stderr.read().contains("to resume this run: potluck resume \(id)\n"))
        for running in [passing, list, own] { #expect(running.child.wait() == 130) }
        #expect(kept().isEmpty)
        // If two runs can be resumed, `resume` lists them and starts neither.
        let second = try start("run pi --seed 5 --json --progress-json --state \(folder)")
        second.stdout.read { $0.contains("\n") }
        _ = try numberKept(folder)
        second.child.send(SIGINT)
        let other = try #require(kept(in: folder).first { !$0.hasPrefix(id) }).prefix(5)
        #expect(second.stderr.read().contains("to resume this run: potluck resume \(other) --state \(folder)\n"))
        #expect(second.child.wait() == 130)
        let listed = try room.run("resume --state \(folder)", "lab")
        #expect(listed.code == 0 && listed.stdout.contains("\(id)  pi") && listed.stdout.contains("\(other)  pi"))
        #expect(kept(in: folder).count == 2)
    }

    /// A damaged run is kept aside, and reported each time until the user discards it.
    @Test func aDamagedRunDoesNotVanish() throws {
        let running = try start("run pi --seed 4 --cores 1")
        let id = try numberKept()
        running.child.send(SIGKILL)
        #expect(running.child.wait() == -SIGKILL)
        let path = "\(room.folder("lab"))/\(id).run.db"
        var octets = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        for place in 4096..<octets.count { octets[place] = 0x5a }
        for ending in ["-wal", "-shm"] { unlink(path + ending) }
        try Data(octets).write(to: URL(fileURLWithPath: path))
        let first = try room.run("resume \(id.prefix(5))", "lab")
        #expect(first.code == 1 && first.stdout.isEmpty && first.stderr.filter { $0 == "\n" }.count == 1)
        #expect(first.stderr.hasPrefix("potluck: \(path): it cannot be resumed: "))
        #expect(first.stderr.contains("the damaged file is kept as \(path).damaged; 0 unfinished jobs were saved"))
        #expect(first.stderr.hasSuffix("potluck resume \(id.prefix(5)) --forget\n"))
        #expect(Array(try Data(contentsOf: URL(fileURLWithPath: path + ".damaged"))) == octets)
        for line in ["resume", "resume \(id.prefix(5))"] {
            let again = try room.run(line, "lab")
            #expect(again.code == 1, "\(line)")
            let said = (again.stdout + again.stderr).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(said.contains("it cannot be resumed"), "\(said)")
        }
        #expect(try room.run("resume \(id.prefix(5)) --forget", "lab").code == 0)
        #expect(try room.run("resume", "lab").stdout == "No resumable runs.\n")
    }

    /// If the write-ahead log of a run was removed, the run says so and resumes from the rest.
    @Test func aRunReportsItsLostNewestWork() throws {
        let first = try start("run pi --seed 4 --cores 1")
        let id = try numberKept()
        first.child.send(SIGKILL)
        #expect(first.child.wait() == -SIGKILL)
        let path = "\(room.folder("lab"))/\(id).run.db"
        unlink(path + "-wal")
        let second = try start("resume --cores 1 --json")
        second.stderr.read { $0.contains("resuming run ") }
        #expect(
            second.stderr.text.hasPrefix(
                "potluck: \(path): its write-ahead log \(path)-wal was removed; the work since "))
        second.child.send(SIGINT)
        let result = try object(second.stdout.read())
        #expect(second.child.wait() == 130)
        #expect(try digest(result) == result["digest"] as? String)
    }

    /// A run that nobody has resumed for a month is removed.
    @Test func runsOlderThanAMonthAreRemoved() throws {
        let running = try start("run pi --seed 4 --cores 1")
        let id = try numberKept()
        running.child.send(SIGINT)
        #expect(running.child.wait() == 130)
        let path = "\(room.folder("lab"))/\(id).run.db"
        for (days, remains) in [(29, true), (31, false)] {
            var times = timespec()
            clock_gettime(CLOCK_REALTIME, &times)
            times.tv_sec -= days * 86_400
            let both = [times, times]
            #expect(utimensat(AT_FDCWD, path, both, 0) == 0)
            #expect(try room.run("resume --list", "lab").code == 0)
            #expect(kept().isEmpty != remains)
        }
    }

    /// The run finds its plugin by hash, wherever the file is now.
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func aPluginResumesWithoutItsFile() throws {
        let author = try PluginAuthor()
        let path = try author.write("dice", trial: "tally.hits.add(random.below(6) == random.below(6))")
        let running = try start("run \(path) --seed 4 --cores 1", author.environment)
        _ = try numberKept()
        running.child.send(SIGKILL)
        #expect(running.child.wait() == -SIGKILL)
        let gone = "\(author.folder)/elsewhere.swift"
        try FileManager.default.moveItem(atPath: path, toPath: gone)
        let second = try start("resume --cores 1 --json", author.environment)
        second.stderr.read { $0.contains("resuming run ") }
        second.child.send(SIGINT)
        let result = try object(second.stdout.read())
        #expect(second.child.wait() == 130)
        let trials = try #require(result["trials"] as? Int)
        let alone = try EndToEndTests().run(
            "run \(gone) --seed 4 --trials \(trials) --json --ephemeral", environment: author.environment)
        #expect(try object(alone.stdout)["digest"] as? String == result["digest"] as? String)
        let lost = try EndToEndTests().run(
            "resume", environment: room.environment("lab").merging(["XDG_CACHE_HOME": "/dev/null/cache"]) { $1 })
        #expect(lost.code == 1)
        #expect(lost.stderr == "potluck: the module of \(path) is no longer available; start the run again\n")
    }
}
