import Foundation
import Glibc
import Potluck
import Testing

/// Sessions on terminals, and sessions of peers.
@Suite(.serialized) struct SessionTerminalTests {
    private let room = Laptops()

    private func join(_ name: String) throws -> (child: Child, output: Pipe) {
        let output = Pipe()
        let child = try room.start(["join", "Monty", "--name", name, "--json"], name, output)
        return (child, output)
    }

    /// `n` declines one newcomer, `y` admits one, `a` admits all that wait.
    @Test func theHostApprovesAndDeclinesNewcomers() throws {
        let terminal = try PseudoTerminal(columns: 100)
        let server = try room.start(["serve", "Monty", "--ask", "--name", "lab"], "lab", terminal)
        terminal.reader.read { $0.contains("Waiting for others to join.") }

        let eve = try join("eve")
        terminal.reader.read { $0.contains("eve asks to join: y approves, n declines.") }
        eve.output.reader.read { $0.contains("\"asking\"") }
        terminal.type("n")
        #expect(eve.child.wait() == 1)
        #expect(eve.output.reader.read().contains("\"why\":\"declined\""))

        let ana = try join("ana")
        terminal.reader.read { $0.contains("ana asks to join: y approves, n declines.") }
        terminal.type("y")
        ana.output.reader.read { $0.contains("\"connected\"") }
        terminal.reader.read { $0.contains("ana connected") }

        let others = try [join("bea"), join("cem")]
        terminal.reader.read { $0.contains("bea and 1 more ask to join: y approves bea, n declines, a approves all.") }
        terminal.type("a")
        for other in others { other.output.reader.read { $0.contains("\"connected\"") } }
        terminal.reader.read { $0.contains("bea connected") && $0.contains("cem connected") }
        #expect(!terminal.reader.text.contains("eve connected"))

        terminal.type("\u{3}")
        terminal.reader.read()
        #expect(server.wait() == 130)
        #expect(terminal.echoes)
        for guest in [ana.child, others[0].child, others[1].child] {
            end(guest)
        }
    }

    /// A session that begins closed admits nobody until d opens it, and a typed message is on every screen.
    @Test func theDoorOpensAndAMessageIsTyped() throws {
        let terminal = try PseudoTerminal(columns: 100)
        let server = try room.start(["serve", "Monty", "--closed", "--name", "lab"], "lab", terminal)
        terminal.reader.read { $0.contains("Closed: nobody new can join") }
        let port = try #require(terminal.reader.text.firstMatch(of: /port ([0-9]+)/)?.1)
        let output = Pipe()
        let ana = try room.start(
            ["join", "Monty", "--name", "ana", "--json", "--connect", "127.0.0.1:\(port)"], "ana", output)
        output.reader.read { $0.contains("accepts no nodes at the moment") }
        #expect(!output.reader.text.contains("\"connected\""))
        terminal.type("d")
        output.reader.read { $0.contains("\"connected\"") }
        terminal.reader.read { $0.contains("others can join again") && $0.contains("ana connected") }
        terminal.type("mhello q\r")
        output.reader.read { $0.contains("hello q") }
        terminal.reader.read { $0.contains("you: hello q") }
        terminal.type("\u{3}")
        terminal.reader.read()
        #expect(server.wait() == 130)
        end(ana)
    }

    @Test func closedNeedsATerminal() throws {
        let said = Pipe()
        let server = try room.start(["serve", "Monty", "--closed", "--json"], "lab", said)
        #expect(server.wait() == 2)
    }

    @Test func theWordsAreAskedForWhereNobodyGaveThem() throws {
        let serving = Pipe()
        let server = try room.start(["serve", "Monty", "--name", "lab", "--json"], "lab", serving)
        serving.reader.read { $0.contains("\"started\"") }
        let terminal = try PseudoTerminal(columns: 100)
        let ana = try room.start(["join", "Monty", "--name", "ana"], "ana", code: "", terminal)
        terminal.reader.read { $0.contains("Five words for Monty: ") }
        terminal.type("no such words at all\r")
        terminal.reader.read { $0.components(separatedBy: "Five words for Monty: ").count > 2 }
        terminal.type(room.code.uppercased().split(separator: "-").joined(separator: " ") + "\r")
        terminal.reader.read { $0.contains("lab connected") }
        terminal.type("\u{3}")
        terminal.reader.read()
        #expect(ana.wait() == 130)
        end(server)
    }

    /// After wrong words that were not typed `w` asks for the words. Typed ones are asked for again at once.
    @Test func aKeyAsksForTheWordsAgain() throws {
        let serving = Pipe()
        let server = try room.start(["serve", "Monty", "--name", "lab", "--json"], "lab", serving)
        serving.reader.read { $0.contains("\"started\"") }
        let terminal = try PseudoTerminal(columns: 100)
        let wrong = JoinCode.random().spelled
        let ana = try room.start(["join", "Monty", "--name", "ana"], "ana", code: wrong, terminal)
        terminal.reader.read { $0.contains("has another join code") && $0.contains("type other words") }
        #expect(!terminal.reader.text.contains("Five words for Monty: "))
        let prompt = "Five words for Monty (Enter keeps your words): "
        terminal.type("w")
        terminal.reader.read { $0.contains(prompt) }
        #expect(terminal.echoes)
        terminal.type(JoinCode.random().spelled + "\r")
        terminal.reader.read { $0.components(separatedBy: prompt).count > 2 }
        // Enter keeps the words and the search continues.
        let asked = terminal.reader.text.count
        terminal.type("\r")
        terminal.reader.read { $0.dropFirst(asked).contains("type other words") }
        terminal.type("w")
        terminal.reader.read { $0.components(separatedBy: prompt).count > 3 }
        terminal.type(room.code + "\r")
        terminal.reader.read { $0.contains("lab connected") }
        let before = terminal.reader.text
        terminal.type("w?")
        terminal.reader.read { $0.dropFirst(before.count).contains("closes this help") }
        #expect(!terminal.reader.text.dropFirst(before.count).contains("five words"))
        terminal.type("\u{3}")
        terminal.reader.read()
        #expect(ana.wait() == 130)
        end(server)
    }

    /// Without a screen, `w` and Enter ask for the words again. The record is then that of the new node alone.
    @Test func aLineAsksForTheWordsAgain() throws {
        let record = NSTemporaryDirectory() + "record-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: record) }
        let serving = Pipe()
        let server = try room.start(["serve", "Monty", "--name", "lab", "--json"], "lab", serving)
        serving.reader.read { $0.contains("\"started\"") }
        let (terminal, output) = (try PseudoTerminal(columns: 100), Pipe())
        let ana = try Child(
            ["join", "Monty", "--name", "ana", "--record", record],
            environment: room.environment("ana", code: JoinCode.random().spelled), stdin: .terminal(terminal.name),
            stdout: .descriptor(output.writer), stderr: .terminal(terminal.name))
        output.closeWriter()
        output.reader.read { $0.contains("type w and Enter to type others") }
        terminal.type("w\r")
        terminal.reader.read { $0.contains("Five words for Monty (Enter keeps your words): ") }
        terminal.type(room.code + "\r")
        output.reader.read { $0.contains("lab connected") }
        end(ana, server)
        let lines = try String(contentsOfFile: record, encoding: .utf8).split(separator: "\n")
        #expect(lines.first == "potluck trace 3" && lines.count > 2)
        #expect(lines.dropFirst(2).dropLast().allSatisfy { $0.split(separator: " ").count == 3 })
    }

    /// A guest is away while a job ends. Then its screen shows the end, and leaves one result in the terminal. A
    /// laptop that is stopped answers nothing, so the server gives up its link.
    @Test func aGuestThatWasAwayShowsTheEnd() throws {
        let server = try room.node("serve Monty", "lab")
        server.reader.read { $0.contains("\"started\"") }
        let terminal = try PseudoTerminal(columns: 100)
        let ana = try room.start(["join", "Monty", "--name", "ana"], "ana", terminal)
        terminal.reader.read { $0.contains("lab connected") }
        let output = Pipe()
        let run = try room.start(
            ["run", "monty-hall", "--trials", "1e17", "--seed", "4", "--session", "Monty", "--json"], "lab", output)
        terminal.reader.read { $0.contains("monty-hall") && $0.contains("switch") }
        ana.send(SIGSTOP)
        server.reader.read { $0.contains("\"state\":\"suspect\"") }
        #expect(try room.run("cancel Monty", "lab").code == 0)
        #expect(run.wait() == 0)
        let digest = try #require(try object(output.reader.read())["digest"] as? String).prefix(16)
        let before = terminal.reader.text.count
        ana.send(SIGCONT)
        terminal.reader.read { $0.dropFirst(before).contains("lab reconnected") && $0.contains(digest) }
        let last = terminal.reader.text.count
        terminal.type("q")
        let left = terminal.reader.read().dropFirst(last)
        #expect(ana.wait() == 0)
        // The screen's last picture may be among what is read.
        let printed = left.split(separator: "\u{1b}[J").last ?? ""
        #expect(printed.contains(digest) && !printed.contains("not finished"), "\(printed)")
        #expect(printed.components(separatedBy: digest).count == 2, "\(printed)")
        end(server.child)
    }

    @Test func equalsNeedNoServer() throws {
        let (first, second) = (Pipe(), Pipe())
        let ana = try room.start(["peer", "Monty", "--name", "ana"], "ana", first)
        let bea = try room.start(["peer", "Monty", "--name", "bea"], "bea", second)
        first.reader.read { $0.contains("bea connected") }
        second.reader.read { $0.contains("ana connected") }
        #expect(try room.run("say Monty hello", "ana").code == 0)
        second.reader.read { $0.contains("ana: hello") }
        #expect(try room.run("say Monty back --to ana", "bea").code == 0)
        first.reader.read { $0.contains("bea: back") }
        end(ana)
        second.reader.read { $0.contains("ana left") }
        bea.send(SIGINT)
        #expect(bea.wait() == 130)
    }
}
