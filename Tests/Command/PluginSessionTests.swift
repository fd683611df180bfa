import Foundation
import Testing

/// Plugins in a session, on loopback. The nodes have neither the source nor any file of its author.
@Suite(.serialized, .timeLimit(.minutes(60))) struct PluginSessionTests {
    private let room = Laptops()
    private let author: PluginAuthor

    init() throws { author = try PluginAuthor() }

    private func see(
        _ reader: Reader, _ text: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        try #require(
            reader.read { $0.contains(text) }.contains(text), "\(reader.text.suffix(2000))", sourceLocation: location)
    }

    /// Runs a command on a node's laptop, with the author's cache of compiled modules.
    private func run(_ line: String, _ laptop: String) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: room.environment(laptop).merging(author.environment) { $1 })
    }

    private func digest(_ text: String) -> Substring? {
        text.split(separator: ",").first { $0.hasPrefix("\"digest\"") }
    }

    /// The module travels as that of a Swift file does.
    @Test(.enabled(if: PluginAuthor.hasPython, "wasmtime or python3 is not here"))
    func everybodyComputesAFileInPython() throws {
        let path = try author.writePython("dice", trial: "self.hits.add(random.below(6) == random.below(6))")
        let alone = try run("run \(path) --trials 3e5 --seed 7 --json", "lab")
        let server = try room.node("serve Monty", "lab")
        try see(server.reader, "\"started\"")
        let guest = try room.node("join Monty", "ana")
        try see(guest.reader, "\"state\":\"connected\"")
        let together = try run("run \(path) --trials 3e5 --seed 7 --session Monty --wait-for 2 --json", "lab")
        #expect(digest(together.stdout) == digest(alone.stdout) && digest(alone.stdout) != nil, "\(together.stderr)")
        let trap = try author.writePython(
            "trap", trial: "x = 1 if random.below(9000) == 77 else 0\nself.hits.add(1 // (1 - x) == 1)")
        let failed = try run("run \(trap) --trials 1e6 --seed 1 --session Monty", "lab")
        #expect(failed.code == 1 && failed.stdout == "")
        let line = try #require(failed.stderr.split(separator: "\n").last)
        #expect(line.hasPrefix("potluck: mine, seed 1, block ") && line.contains(": line 14: "), "\(line)")
        let command = try #require(line.components(separatedBy: "potluck ").last)
        let replayed = try run(command, "lab")
        #expect(replayed.code == 1 && replayed.stderr.contains(": line 14: "), "\(replayed.stderr)")
        end(guest.child, server.child)
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func everybodyComputesIt() throws {
        let path = try author.write("dice", trial: "tally.hits.add(random.below(6) == random.below(6))")
        let alone = try run("run \(path) --trials 3e5 --seed 7 --json", "lab")
        let server = try room.node("serve Monty", "lab")
        try see(server.reader, "\"started\"")
        let guest = try room.node("join Monty", "ana")
        let careful = try room.node("join Monty --no-plugins", "cy")
        for node in [guest, careful] { try see(node.reader, "\"state\":\"connected\"") }
        // A short job could be over before every guest has answered.
        let endless = try Child(
            ["run", path, "--trials", "1e15", "--seed", "7", "--session", "Monty"],
            environment: room.environment("lab").merging(author.environment) { $1 })
        try see(guest.reader, "\"plugin\":true")
        try see(server.reader, "plugins are disabled here (--no-plugins)")
        #expect(try run("cancel Monty", "lab").code == 0)
        _ = endless.wait()
        let together = try run("run \(path) --trials 3e5 --seed 7 --session Monty --wait-for 2 --json", "lab")
        #expect(together.code == 0, "\(together.stderr)")
        #expect(digest(together.stdout) == digest(alone.stdout) && digest(alone.stdout) != nil)
        // For the submitter the result looks like that of a built-in simulation.
        for part in ["\"tally\":{\"hits\":", "\"parameters\":{}", "\"trials\":300000"] {
            #expect(together.stdout.contains(part) && alone.stdout.contains(part))
        }

        let trap = try author.write("trap", trial: "tally.hits.add([true][random.below(9000) == 77 ? 1 : 0])")
        let failed = try run("run \(trap) --trials 1e6 --seed 1 --session Monty", "lab")
        #expect(failed.code == 1 && failed.stdout == "")
        let line = try #require(failed.stderr.split(separator: "\n").last)
        #expect(line.hasPrefix("potluck: mine, seed 1, block "))
        let command = try #require(line.components(separatedBy: "potluck ").last)
        #expect(try run(command, "lab").code == 1 && command.hasPrefix("replay \(trap) --seed 1 --block "))
        // The nodes are unharmed.
        #expect(try run("run pi --trials 1e5 --session Monty", "lab").code == 0)
        end(guest.child, careful.child, server.child)
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func aServerTakesAnAllowedPlugin() throws {
        let path = try author.write("dice", trial: "tally.hits.add(random.below(6) == random.below(6))")
        var server = try room.node("serve Monty --allow-plugin \(String(repeating: "0", count: 64))", "lab")
        try see(server.reader, "\"started\"")
        let refused = try run("run \(path) --trials 1e5 --session Monty", "lab")
        #expect(refused.code == 1)
        let hash = try #require(refused.stderr.components(separatedBy: "--allow-plugin ").last?.prefix(64))
        server.child.send(SIGTERM)
        _ = server.child.wait()
        server = try room.node("serve Monty --allow-plugin \(hash)", "lab")
        try see(server.reader, "\"started\"")
        #expect(try run("run \(path) --trials 1e5 --session Monty", "lab").code == 0)
        server.child.send(SIGTERM)
        _ = server.child.wait()
    }

    @Test(arguments: [
        ("join Monty --no-plugins --plugins", "--no-plugins and --plugins cannot be used together"),
        ("serve Monty --allow-plugin abc", "not a SHA-256; use the 64 digits that sha256sum prints"),
    ])
    func wrongUsageIsOneLine(_ line: String, _ message: String) throws {
        let outcome = try run(line, "lab")
        #expect(outcome.code == 2)
        #expect(outcome.stderr.contains(message) && outcome.stderr.filter { $0 == "\n" }.count == 1)
    }
}
