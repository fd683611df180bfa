import Foundation
import Glibc
import Potluck
import Testing

/// `potluck serve`, `join`, `say` and `kick` as people start them, on loopback only and on a beacon port of their own.
@Suite(.serialized, .timeLimit(.minutes(1))) final class SessionCommandTests {
    private let home = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    private let code = JoinCode.random().spelled

    deinit { try? FileManager.default.removeItem(atPath: home) }

    private func environment(_ node: String, code: String? = nil) -> [String: String] {
        [
            "POTLUCK_BEACON_PORT": "\(20_000 + UInt16(truncatingIfNeeded: getpid() + 1) % 10_000)",
            "POTLUCK_INTERFACE": "lo", "POTLUCK_NO_MDNS": "1", "XDG_STATE_HOME": "\(home)/\(node)",
            "POTLUCK_CODE": code ?? self.code,
        ]
    }

    private func start(_ words: [String], _ node: String, code: String? = nil, _ pipe: Pipe) throws -> Child {
        let child = try Child(words, environment: environment(node, code: code), stdout: .descriptor(pipe.writer))
        pipe.closeWriter()
        return child
    }

    private func run(_ line: String, _ node: String, code: String? = nil) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: environment(node, code: code))
    }

    @Test func aSessionFromStartToEnd() throws {
        let (serving, joining, again) = (Pipe(), Pipe(), Pipe())
        // Whoever joins before there is a session waits, and says so.
        let ana = try start(["join", "Monty", "--name", "ana"], "ana", joining)
        joining.reader.read { $0.contains("Looking for Monty.") }
        var server = try start(["serve", "Monty", "--name", "lab", "--json"], "lab", serving)
        joining.reader.read { $0.contains("lab is connected") }

        #expect(try run("say Monty hello", "lab").code == 0)
        joining.reader.read { $0.contains("lab: hello") }
        #expect(try run("say Monty back --to lab", "ana").code == 0)
        serving.reader.read { $0.contains("\"text\":\"back\"") }
        let refused = try run("kick Monty lab", "ana")
        #expect(refused.code == 1)
        #expect(refused.stderr.contains("only the host"))

        let word = code.split(separator: "-").first.map(String.init) ?? ""
        let wrong = code.split(separator: "-").reversed().joined(separator: "-")
        let stranger = try run("join Monty --name eve", "eve", code: wrong)
        #expect(stranger.code == 1)
        #expect(stranger.stderr.contains("wrong join code"))
        #expect(stranger.stderr.filter { $0 == "\n" }.count == 1)
        serving.reader.read { $0.contains("\"turnedAway\"") }
        #expect(try run("serve Monty", "lab").stderr.contains("already"))

        // A crash: it comes back by itself with the code that it kept, and its guests with it.
        server.send(SIGKILL)
        #expect(server.wait() == -SIGKILL)
        server = try start(["serve", "Monty", "--name", "lab", "--json"], "lab", code: "", again)
        again.reader.read { $0.contains("\"connected\"") }
        #expect(try run("kick Monty ana", "lab").code == 0)
        #expect(ana.wait() == 1)
        server.send(SIGTERM)
        #expect(server.wait() == 143)
        #expect(!(serving.reader.text + joining.reader.text).contains(word + "-"))
        #expect(try run("say Monty hello", "lab").stderr.contains("no node of Monty runs"))
    }

    @Test func theCodeIsNotLeftOnTheCommandLine() throws {
        for words in [["--code", code], ["--code=\(code)"]] {
            let pipe = Pipe()
            let child = try start(["join", "Monty", "--json"] + words, "ana", code: "", pipe)
            pipe.reader.read { $0.contains("\"started\"") }
            let line = try String(contentsOfFile: "/proc/\(child.id)/cmdline", encoding: .utf8)
            #expect(line.contains("--code") && !line.contains(code))
            child.send(SIGTERM)
            #expect(child.wait() == 143)
        }
    }

    @Test func whatMakesNoSenseIsSaidInOneLine() throws {
        for (line, code, complaint) in [
            ("serve", 2, "SESSION is missing"), ("serve Monty --open --code x", 2, "exclude"),
            ("serve Monty --guests dance", 2, "guests watch or submit"),
            ("join Monty --connect nowhere", 2, "not an address"),
            ("join Monty --code one", 2, "join code"), ("join", 1, "SESSION is missing"),
            ("say Monty", 2, "TEXT is missing"),
            ("kick Monty", 2, "NAME is missing"), ("peer Monty --port 0", 2, "not a port"),
        ] {
            let outcome = try run(line, "nobody")
            #expect(outcome.code == Int32(code))
            #expect(outcome.stderr.contains(complaint))
            #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
        }
        #expect(try run("join Monty", "nobody", code: "").stderr.contains("POTLUCK_CODE"))
        #expect(try run("serve Monty", "nobody", code: "").stderr.contains("POTLUCK_CODE"))
    }
}
