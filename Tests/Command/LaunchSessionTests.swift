import Foundation
import Testing

/// `potluck launch --session`, on loopback. The nodes have neither the program nor any file of its author.
@Suite(.serialized, .enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"), .timeLimit(.minutes(60)))
struct LaunchSessionTests {
    private let room = Laptops()
    private let author: PluginAuthor
    private let program = EndToEndTests()

    init() throws { author = try PluginAuthor() }

    /// Starts a command on a laptop where nobody has typed the words.
    private func environment(_ laptop: String, code: String? = "") -> [String: String] {
        room.environment(laptop, code: code).merging(author.environment) { $1 }
    }

    private func run(_ line: String, _ laptop: String, code: String? = "") throws -> EndToEndTests.Outcome {
        try program.run(line, environment: environment(laptop, code: code))
    }

    private func node(_ line: String, _ name: String) throws -> (child: Child, reader: Reader) {
        let node = try room.node(line, name)
        node.reader.read { $0.contains(line.hasPrefix("serve") ? "\"started\"" : "\"state\":\"connected\"") }
        return node
    }

    /// The path of an example without its ending.
    private func example(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/Ranks/\(name)").path
    }

    /// Writes a program that keeps a state at each of four steps. Then its last rank computes for ever, unless the
    /// program begins at a checkpoint.
    private func endless() throws -> String {
        let path = "\(author.folder)/endless.swift"
        let text = """
            import PotluckKit

            struct Endless: RankProgram {
                static let name: StaticString = "endless"
                static let summary: StaticString = "Ends only after a restart."

                func run(_ world: Communicator, _ output: inout Output) {
                    let restored: Int? = world.restore()
                    var number = UInt64(restored ?? 0)
                    for step in (restored ?? 0)..<4 {
                        if world.rank == 0 { world.log("step \\(step)") }
                        number = UInt64(step) + 1
                        world.checkpoint(step + 1)
                    }
                    if world.rank == 0 { world.log("no more steps") }
                    while restored == nil && world.rank == world.size - 1 { number = number &* 3 | 1 }
                    if let sum = world.reduce(Int(number), +) { output.line(sum) }
                }
            }

            """
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    /// Starts the endless program on the server and a guest, and waits until all its steps are done.
    private func begin(
        _ options: String, _ laptop: String, with guest: String = "ana"
    ) throws -> (child: Child, stderr: Reader, stdout: Reader) {
        let (stdout, stderr) = (Pipe(), Pipe())
        let child = try Child(
            ["launch", try endless(), "--session", "Monty", "--map", "lab:1,\(guest):1"]
                + options.split(separator: " ").map(String.init),
            environment: environment(laptop, code: nil), stdout: .descriptor(stdout.writer),
            stderr: .descriptor(stderr.writer))
        stdout.closeWriter()
        stderr.closeWriter()
        stdout.reader.read { $0.contains("[0] no more steps\n") }
        return (child, stderr.reader, stdout.reader)
    }

    private func complaints(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { $0.hasPrefix("potluck: ") }
    }

    /// Launched on the server's laptop, and by a guest that may.
    @Test func outputsAreThoseOfOneMachine() throws {
        let server = try node("serve Monty --guests submit", "lab")
        let guest = try node("join Monty", "ana")
        for name in ["ring", "pi", "matrix", "heat", "oddeven", "life", "nbody"] {
            let line = "launch -n 4 \(example(name)).swift --quiet --output -"
            let alone = try run(line, "eve")
            let together = try run("\(line) --session Monty", name < "n" ? "lab" : "ana")
            #expect(alone.code == 0 && together.code == 0, "\(name): \(together.stderr)")
            #expect(alone.stdout == together.stdout && together.stdout != "", "\(name)")
        }
        // The example of the heritage, with a master and three slaves, in all four versions.
        for version in 1...4 {
            let line = "launch -n 4 \(example("matrix")).swift -p version=\(version) --quiet --output -"
            let outcome = try run("\(line) --session Monty", "lab")
            let numbers = outcome.stdout.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            #expect(numbers == [30, 24, 18, 84, 69, 54, 138, 114, 90], "\(outcome.stdout)\(outcome.stderr)")
        }
        end(guest.child, server.child)
    }

    /// Where the ranks are is in the lines, the table, the JSON and the timeline.
    @Test func everyRankHasItsLaptop() throws {
        let server = try node("serve Monty", "lab")
        let guest = try node("join Monty", "ana")
        let trace = author.folder + "/trace.json"
        let path = example("ring") + ".swift"
        let outcome = try run(
            "launch \(path) -p hops=40 --session monty --map ana:1,lab:2 --summary --trace \(trace)", "lab")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        let said = outcome.stderr.split(separator: "\n").map(String.init)
        #expect(said.contains("ana: 1 rank, lab: 2 ranks"))
        let head = try #require(said.firstIndex { $0.hasPrefix("rank  laptop  sent ") })
        #expect(said[(head + 1)...].prefix(3).map { $0.split(separator: " ")[1] } == ["ana", "lab", "lab"])
        #expect(said.last?.hasPrefix("3 ranks, ") == true)

        let whole = try object(String(contentsOfFile: trace, encoding: .utf8))
        let events = try #require(whole["traceEvents"] as? [[String: Any]])
        let named = events.filter { $0["name"] as? String == "process_name" }
        #expect(named.map { ($0["args"] as? [String: String])?["name"] } == ["ana", "lab"])
        for event in events where event["tid"] != nil {
            #expect(event["pid"] as? Int == (event["tid"] as? Int == 0 ? 0 : 1))
        }
        #expect(events.count { $0["ph"] as? String == "s" } == events.count { $0["ph"] as? String == "f" })

        let json = try run("launch \(path) -p hops=40 --session Monty --ranks-per-node 1 --json --quiet", "lab")
        #expect(json.stderr == "")
        let lines = try json.stdout.split(separator: "\n").map { try object($0) }
        let placed = try #require(lines.first)
        #expect(placed["event"] as? String == "placed")
        let shares = try #require(placed["laptops"] as? [[String: Any]])
        #expect(shares.map { $0["name"] as? String } == ["ana", "lab"])
        #expect(shares.map { $0["ranks"] as? Int } == [1, 1])
        let rows = try #require(lines.last?["ranks"] as? [[String: Any]])
        #expect(rows.map { $0["laptop"] as? String } == ["ana", "lab"])
        end(guest.child, server.child)
    }

    /// Each reason is one sentence that says what to do.
    @Test func refusalsAreExplained() throws {
        let server = try node("serve Monty --no-plugins", "lab")
        let guest = try node("join Monty", "ana")
        let start = "launch -n 2 \(example("ring")).swift -p hops=4 --session Monty"
        func refused(_ line: String, _ laptop: String, _ why: String, code: String? = "") throws {
            let outcome = try run(line, laptop, code: code)
            #expect(outcome.code == 1 && outcome.stdout == "")
            let said = complaints(outcome.stderr)
            #expect(said.count == 1 && said[0].contains(why), "\(outcome.stderr)")
            #expect(!outcome.stderr.contains("still looking"), "\(outcome.stderr)")
        }
        // The node on ana's laptop tells the words, but its server decides.
        let decides = ": lab: guests may not start programs here; the host can allow it with --guests submit"
        try refused(start, "ana", decides)
        try refused(start, "eve", decides, code: nil)
        try refused("\(start) --map lab:2", "lab", ": lab: plugins are disabled here (--no-plugins)")
        try refused(
            "\(start) --map ana:1,zoe:1", "lab", ": no laptop called 'zoe' computes in this session; those that do: ")
        try refused(
            "\(start) --ranks-per-node 1".replacing("-n 2", with: "-n 3"), "lab",
            ": 3 ranks do not fit: --ranks-per-node leaves 2 places; launch fewer, or raise it")
        try refused(start, "eve", "missing join code for Monty; use --code-file, set POTLUCK_CODE to the five words")
        try refused(
            start, "eve", ": wrong join code for Monty; check the five words on the host's screen and try again",
            code: "maple-river-candle-ocean-tiger")
        end(guest.child, server.child)
    }

    /// The user of a host need not approve the visit of their own command.
    @Test func aHostAdmitsItsOwnUser() throws {
        let server = try node("serve Monty --ask", "lab")
        let outcome = try run("launch -n 2 \(example("ring")).swift -p hops=4 --session Monty --quiet", "lab")
        #expect(outcome.code == 0, "\(outcome.stderr)")
        end(server.child)
    }

    /// Among peers, the own one vouches for the command, because the others do not know it.
    @Test func aPeerVouchesForItsUser() throws {
        let first = try room.node("peer Monty", "lab")
        let second = try node("peer Monty", "ana")
        first.reader.read { $0.contains("\"state\":\"connected\"") }
        for laptop in ["lab", "ana"] {
            let outcome = try run("launch \(example("pi")).swift --session Monty", laptop)
            #expect(outcome.code == 0, "\(outcome.stderr)")
            #expect(outcome.stderr.contains("ana: 1 rank, lab: 1 rank\n"))
        }
        end(second.child, first.child)
    }

    @Test func aLostLaptopIsNamedAndMayBeDoneWithout() throws {
        let server = try node("serve Monty --guests submit", "lab")
        let ana = try node("join Monty", "ana")
        let without = try begin("", "eve")
        ana.child.send(SIGKILL)
        #expect(without.child.wait() == 1)
        let said = complaints(without.stderr.read())
        let why = "rank 1 is lost: the connection to ana broke"
        #expect(said.count == 1 && said[0].hasSuffix(": \(why)"), "\(without.stderr.text)")

        let bob = try node("join Monty", "bob")
        let with = try begin("--restarts 1", "eve", with: "bob")
        bob.child.send(SIGKILL)
        #expect(with.child.wait() == 0)
        let again =
            "rank 1 is lost: the connection to bob broke; starting again from checkpoint 4, so lines since then are "
            + "printed again\nlab: 2 ranks\n"
        #expect(with.stderr.read().contains(again), "\(with.stderr.text)")
        #expect(with.stdout.read().hasSuffix("[0] step 3\n[0] no more steps\n[0] no more steps\n8\n"))
        end(server.child)
    }

    @Test func itEndsWithItsUserOrItsSession() throws {
        var server = try node("serve Monty --guests submit", "lab")
        let guest = try node("join Monty", "ana")
        let stopped = try begin("", "eve")
        stopped.child.send(SIGINT)
        #expect(stopped.stderr.read().contains("endless.swift: stopped\n"))
        #expect(stopped.child.wait() == 130)

        let left = try begin("--restarts 3", "ana")
        end(server.child)
        #expect(left.child.wait() == 1)
        #expect(complaints(left.stderr.read()).last?.hasSuffix(": lab left, and nobody else hosts Monty") == true)

        server = try node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"state\":\"connected\"") }
        let removed = try begin("--name zoe", "eve")
        #expect(try run("kick Monty zoe", "lab").code == 0)
        #expect(removed.child.wait() == 1)
        #expect(complaints(removed.stderr.read()).last?.hasSuffix(": the host of Monty removed this node") == true)
        end(guest.child, server.child)
    }

    /// Each wrong line is one sentence, before anything is compiled or joined.
    @Test func misuseIsExplained() throws {
        let both = "--map and --ranks-per-node cannot be used together"
        let wrong: [(String, String)] = [
            ("--session Monty --ranks-per-node 0", "must be from 1 to 512"),
            ("--session Monty --ranks-per-node 513", "must be from 1 to 512"),
            ("--session Monty --restarts -1", "must be from 0 to 100"),
            ("--session Monty --restarts 101", "must be from 0 to 100"),
            ("--session Monty --map ana", "use NAME:N,NAME:N, such as ana:4,bob:2"),
            ("--session Monty --map ana:4,", "use NAME:N,NAME:N, such as ana:4,bob:2"),
            ("--session Monty --map :4", "use NAME:N,NAME:N, such as ana:4,bob:2"),
            ("--session Monty --map ana:x", "use NAME:N,NAME:N, such as ana:4,bob:2"),
            ("--session Monty --map ana:0", "a laptop gets from 1 to 512 ranks"),
            ("--session Monty --map ana:1,bob:2,ana:3", "'ana' occurs twice"),
            ("--session Monty --map ana:500,bob:13", "it has 513 ranks; a program has at most 512"),
            ("--session Monty --map ana:2 --ranks-per-node 2", both),
            ("--session Monty --map ana:2,bob:2 -n 3", "--map has 4 ranks, but -n asks for 3; leave out -n, or change"),
            ("--ranks-per-node 2", "--ranks-per-node applies to a session; name the session with --session SESSION"),
            ("--map ana:2", "--map applies to a session"), ("--restarts 1", "--restarts applies to a session"),
            ("--code a", "--code applies to a session"), ("--open", "--open applies to a session"),
            ("--name ana", "--name applies to a session"), ("--state a", "--state applies to a session"),
            ("--connect 10.0.0.1:7077", "--connect applies to a session"),
            ("--interface lo", "--interface applies to a session"),
        ]
        for (options, why) in wrong {
            let outcome = try run("launch nothing.swift \(options)", "eve")
            #expect(outcome.code == 2 && outcome.stderr.contains(why), "\(options): \(outcome.stderr)")
            #expect(outcome.stderr.filter { $0 == "\n" }.count == 1 && outcome.stdout == "")
        }
        // Whatever variables say that other commands heed.
        #expect(try run("launch nothing.swift", "eve", code: nil).stderr.contains("cannot read nothing.swift"))
    }
}
