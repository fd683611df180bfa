import Foundation
import Glibc
import Potluck
import Testing

/// `potluck serve`, `join`, `say` and `kick` as users start them, on loopback and with a beacon port of their own.
@Suite(.serialized) struct SessionCommandTests {
    private let room = Laptops()
    private var code: String { room.code }

    @Test func aSessionFromStartToEnd() throws {
        let (serving, joining, again) = (Pipe(), Pipe(), Pipe())
        // A guest that joins before the session exists waits, and says so.
        let ana = try room.start(["join", "Monty", "--name", "ana"], "ana", joining)
        joining.reader.read { $0.contains("Looking for Monty.") }
        var server = try room.start(["serve", "Monty", "--name", "lab", "--json"], "lab", serving)
        joining.reader.read { $0.contains("lab connected") }
        // Each side sees the connection by itself.
        serving.reader.read { $0.contains("\"connected\"") }

        #expect(try room.run("say Monty hello", "lab").code == 0)
        joining.reader.read { $0.contains("lab: hello") }
        #expect(try room.run("say Monty back --to lab", "ana").code == 0)
        serving.reader.read { $0.contains("\"text\":\"back\"") }
        let shouted = try room.run("say MONTY again", "lab")
        #expect(shouted.code == 0)
        #expect(shouted.stderr == "potluck: the session on this machine is called 'Monty'\n")
        joining.reader.read { $0.contains("lab: again") }
        let refused = try room.run("kick monty LAB", "ana")
        #expect(refused.code == 1)
        #expect(refused.stderr.contains("only the host"))

        let word = code.split(separator: "-").first.map(String.init) ?? ""
        let wrong = code.split(separator: "-").reversed().joined(separator: "-")
        let knocking = Pipe()
        let stranger = try room.start(["join", "Monty", "--name", "eve"], "eve", code: wrong, knocking)
        knocking.reader.read { $0.contains("has another join code; still looking") }
        end(stranger)
        // The command looks for ten seconds, in which a busy machine may not let it find the session.
        let patience = Patience.end
        var cancel: EndToEndTests.Outcome
        repeat {
            cancel = try room.run("cancel Monty", "eve", code: wrong)
        } while cancel.stderr.contains("no session called") && Date.now < patience
        #expect(cancel.code == 1)
        #expect(cancel.stderr.contains("wrong join code"))
        serving.reader.read { $0.contains("\"turnedAway\"") }
        #expect(try room.run("serve Monty", "lab").stderr.contains("already"))

        // After a crash the server starts with the code that it kept, and its guests reconnect.
        server.send(SIGKILL)
        #expect(server.wait() == -SIGKILL)
        server = try room.start(["serve", "Monty", "--name", "lab", "--json"], "lab", code: "", again)
        again.reader.read { $0.contains("\"connected\"") }
        #expect(try room.run("kick Monty ana", "lab").code == 0)
        #expect(ana.wait() == 1)
        end(server)
        #expect(!(serving.reader.text + joining.reader.text).contains(word + "-"))
        #expect(try room.run("say Monty hello", "lab").stderr.contains("no node of Monty runs"))
    }

    @Test func aHiddenSessionIsFoundByItsName() throws {
        let (serving, joining, listing) = (Pipe(), Pipe(), Pipe())
        let browse = try room.start(["browse", "--json"], "bea", listing)
        let server = try room.start(["serve", "Monty", "--name", "lab", "--hidden", "--json"], "lab", serving)
        listing.reader.read { $0.contains("\"appeared\"") }
        let ana = try room.start(["join", "Monty", "--name", "ana", "--hidden"], "ana", joining)
        joining.reader.read { $0.contains("lab connected") }
        serving.reader.read { $0.contains("\"connected\"") }
        browse.send(SIGINT)
        #expect(browse.wait() == 130)
        let said = listing.reader.read()
        #expect(!said.contains("Monty") && !said.contains("\"lab\"") && !said.contains("\"ana\""))
        end(ana, server)
    }

    @Test func theCodeIsNotLeftOnTheCommandLine() throws {
        for words in [["--code", code], ["--code=\(code)"]] {
            let pipe = Pipe()
            let child = try room.start(["join", "Monty", "--json"] + words, "ana", code: "", pipe)
            pipe.reader.read { $0.contains("\"started\"") }
            let line = try String(contentsOfFile: "/proc/\(child.id)/cmdline", encoding: .utf8)
            #expect(line.contains("--code") && !line.contains(code))
            end(child)
        }
    }

    /// The code is hidden from the command line even if a local node makes it unnecessary.
    @Test func aCodeThatNobodyNeedsIsNotLeftThereEither() throws {
        let serving = Pipe()
        let server = try room.start(["serve", "Monty", "--name", "lab", "--cores", "1", "--json"], "lab", serving)
        serving.reader.read { $0.contains("\"started\"") }
        for line in ["watch Monty", "run pi --trials 1e13 --seed 1 --session Monty"] {
            let (output, complaint) = (Pipe(), Pipe())
            let words = line.split(separator: " ").map(String.init) + ["--code", code]
            let child = try room.start(words, "lab", code: "", output, stderr: complaint)
            let reader = line.hasPrefix("watch") ? output.reader : complaint.reader
            reader.read { !$0.isEmpty }
            let said = try String(contentsOfFile: "/proc/\(child.id)/cmdline", encoding: .utf8)
            #expect(said.contains("--code") && !said.contains(code), "\(line)")
            child.send(SIGINT)
            #expect(child.wait() == 130)
        }
        end(server)
    }

    /// Other words mean another session than the one whose node runs on this machine.
    @Test func wordsThatDoNotMatchTheOwnNodeAreRefused() throws {
        let serving = Pipe()
        let server = try room.start(["serve", "Monty", "--name", "lab", "--cores", "1", "--json"], "lab", serving)
        serving.reader.read { $0.contains("\"started\"") }
        let wrong = code.split(separator: "-").reversed().joined(separator: "-")
        for (line, option) in [
            ("watch Monty --code \(wrong)", "--code"), ("cancel Monty --open", "--open"),
            ("run pi --trials 1000 --session Monty --code \(wrong)", "--code"),
        ] {
            let outcome = try room.run(line, "lab")
            #expect(outcome.code == 1)
            #expect(
                outcome.stderr
                    == "potluck: \(option) does not match the session Monty on this machine; leave it out to use that "
                    + "session\n")
        }
        end(server)
    }

    /// A command that looks for a session says so while it waits, and exits with 130 after Ctrl-C.
    @Test func nobodyWaitsInSilence() throws {
        func interrupt(_ line: String, saying says: String) throws -> Int32 {
            let (output, complaint) = (Pipe(), Pipe())
            let child = try room.start(line.split(separator: " ").map(String.init), "ana", output, stderr: complaint)
            complaint.reader.read { $0.contains(says) }
            child.send(SIGINT)
            let code = child.wait()
            #expect(output.reader.read() == "")
            return code
        }
        for (line, says) in [
            ("pause Monty", "Looking for one, for at most 10 s"),
            ("run pi --trials 1000 --session Monty", "Looking for Monty"),
        ] {
            // The ten seconds may be over before the signal comes.
            let end = Patience.end
            var code: Int32
            repeat { code = try interrupt(line, saying: says) } while code == 1 && Date.now < end
            #expect(code == 130)
        }
    }

    /// From a laptop without a node, a command for the only job waits until all jobs are known, and acts on none of
    /// several.
    @Test func aCommandForTheOnlyJobActsOnNoneOfTwo() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        var jobs: [String] = []
        let runs = try [("pi", "ana"), ("monty-hall", "ana")].map { simulation, name in
            let (output, errors) = (Pipe(), Pipe())
            let words = "run \(simulation) --trials 1e17 --seed 4 --session Monty --json --name \(name)"
            let child = try room.start(words.split(separator: " ").map(String.init), name, output, stderr: errors)
            let text = server.reader.read { text in
                // While its simulation is prepared, a job is shown, but it is not open yet.
                text.split(separator: "\n").contains {
                    $0.contains("\"simulation\":\"\(simulation)\"") && $0.contains("\"state\":\"running\"")
                }
            }
            let job = text.matches(of: /"job":"([0-9a-f]{16})"/).map { String($0.1) }.last { !jobs.contains($0) }
            jobs.append(try #require(job))
            return (child: child, output: output)
        }
        for command in ["cancel", "pause"] {
            let refused = try room.run("\(command) Monty", "ana")
            #expect(refused.code == 1 && refused.stderr.contains("there are 2 jobs; choose one"), "\(refused.stderr)")
            for job in jobs { #expect(refused.stderr.contains(job.prefix(5))) }
        }
        let cancelled = try room.run("cancel Monty \(jobs[1])", "ana")
        #expect(cancelled.code == 0 && cancelled.stdout.hasPrefix("job \(jobs[1].prefix(5)) is cancelled"))
        #expect(runs[1].child.wait() == 0)
        #expect(try room.run("cancel Monty", "ana").stdout.hasPrefix("job \(jobs[0].prefix(5)) is cancelled"))
        #expect(runs[0].child.wait() == 0)
        #expect(try room.run("cancel Monty", "ana").stderr.contains("no job is running"))
        end(server.child)
    }

    @Test func aViewerOfAnIdleSessionIsToldSo() throws {
        let (serving, watching) = (Pipe(), Pipe())
        let server = try room.start(["serve", "Monty"], "lab", serving)
        serving.reader.read { $0.contains("Waiting for others") }
        let child = try room.start(["watch", "Monty"], "lab", watching)
        watching.reader.read { $0 == "Watching Monty\n" }
        child.send(SIGINT)
        #expect(child.wait() == 130)
        server.send(SIGTERM)
        #expect(server.wait() == 143)
    }

    @Test func wrongUsageIsOneLine() throws {
        for (line, code, complaint) in [
            ("serve", 2, "missing argument SESSION"), ("serve Monty --open --code x", 2, "cannot be used together"),
            ("serve Monty --guests dance", 2, "must be watch or submit"),
            ("join Monty --connect nowhere", 2, "not an address"),
            ("join Monty --code one", 2, "join code"), ("join", 2, "missing argument SESSION"),
            ("say Monty", 2, "missing argument TEXT"),
            ("kick Monty", 2, "missing argument NAME"), ("peer Monty --port 0", 2, "must be from 1 to 65535"),
        ] {
            let outcome = try room.run(line, "nobody")
            #expect(outcome.code == Int32(code))
            #expect(outcome.stderr.contains(complaint))
            #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
        }
        #expect(try room.run("join Monty", "nobody", code: "").stderr.contains("POTLUCK_CODE"))
        #expect(try room.run("serve Monty", "nobody", code: "").stderr.contains("POTLUCK_CODE"))
    }
}
