import Foundation
import Glibc
import Testing

/// The program on a terminal.
@Suite(.serialized) struct TerminalTests {
    private func start(_ line: String, _ terminal: PseudoTerminal, _ environment: [String: String] = [:]) throws
        -> Child
    {
        try Child(
            line.split(separator: " ").map(String.init),
            environment: ["TERM": "xterm"].merging(environment) { $1 }, stdin: .terminal(terminal.name),
            stdout: .terminal(terminal.name), stderr: .terminal(terminal.name))
    }

    /// Returns the lines of the output without control codes.
    private func lines(_ text: String) -> [String] {
        var plain = ""
        var rest = text[...]
        while let escape = rest.firstIndex(of: "\u{1b}") {
            plain += rest[..<escape]
            rest = rest[escape...].dropFirst(2)
            guard let end = rest.firstIndex(where: { $0.isLetter }) else { break }
            rest = rest[rest.index(after: end)...]
        }
        return (plain + rest).split(whereSeparator: { $0 == "\r\n" || $0 == "\n" || $0 == "\r" }).map(String.init)
    }

    @Test func ctrlCShowsTheResultAndHowToRepeatIt() throws {
        let terminal = try PseudoTerminal(columns: 100)
        let child = try start("run monty-hall --seed 7", terminal)
        // Waits until the screen has been redrawn with numbers in it.
        terminal.reader.read { $0.contains("switch") && $0.contains("\u{1b}[2K") }
        #expect(!terminal.echoes)
        terminal.type("\u{3}")
        let text = terminal.reader.read()
        #expect(child.wait() == 130)
        #expect(terminal.echoes)
        #expect(text.contains("monty-hall: stopped after "))
        let again = try #require(lines(text).last?.split(separator: " ").map(String.init))
        #expect(again.prefix(4) == ["repeat", "potluck", "run", "monty-hall"])
        let digest = try #require(lines(text).first { $0.contains("digest") }?.split(separator: " ").last)
        let repeated = try EndToEndTests().run(again.dropFirst(2).joined(separator: " "))
        #expect(repeated.stdout.contains(digest))
    }

    /// Names are switched with keys. Too few are refused in the list, and the run says how to repeat it.
    @Test func airportsArePicked() throws {
        let terminal = try PseudoTerminal(columns: 100)
        let child = try start("run tsp --pick -p airports=LHR --ephemeral", terminal, ["NO_COLOR": "1"])
        terminal.reader.read { $0.contains("airports: 1 of 64") && $0.contains("[x] LHR") }
        #expect(!terminal.echoes)
        terminal.type("\r")
        terminal.reader.read { $0.contains("a round trip needs at least two airports") }
        terminal.type("jfk syd ")
        terminal.reader.read { $0.contains("airports: 3 of 64") }
        terminal.type("\r")
        let text = terminal.reader.read()
        #expect(child.wait() == 0 && terminal.echoes)
        #expect(text.contains("JFK LHR SYD") && text.contains("-p airports=JFK,LHR,SYD"), "\(text.suffix(2000))")
    }

    @Test func pickingIsCancelled() throws {
        let terminal = try PseudoTerminal(columns: 100)
        let child = try start("run tsp --pick", terminal, ["NO_COLOR": "1"])
        terminal.reader.read { $0.contains("airports: 0 of 64") }
        terminal.type("\u{3}")
        let text = terminal.reader.read()
        #expect(child.wait() == 130 && terminal.echoes && !text.contains("km"))
    }

    @Test(arguments: [
        ("run tsp --pick", "potluck: --pick needs a terminal; use -p airports=ACC,ADD\n"),
        ("run primes --pick", "potluck: primes has no list of names to pick from; leave out --pick"),
        ("run --watch x.swift --pick", "potluck: --watch and --pick cannot be used together\n"),
    ])
    func pickingNeedsATerminalAndNames(_ line: String, _ error: String) throws {
        let outcome = try EndToEndTests().run(line)
        #expect(outcome.code == 2 && outcome.stdout.isEmpty && outcome.stderr.hasPrefix(error), "\(outcome)")
        #expect(outcome.stderr.split(separator: "\n").count == 1)
    }

    /// After a crash the terminal must echo again: its user could not see what they type.
    @Test func aCrashLeavesTheTerminalAsItWas() throws {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        let terminal = try PseudoTerminal(columns: 80)
        // Swift's own backtracer would stop and ask what to show.
        let child = try start("run monty-hall --seed 7", terminal, ["SWIFT_BACKTRACE": "enable=no"])
        terminal.reader.read { $0.contains("switch") }
        #expect(!terminal.echoes)
        child.send(SIGSEGV)
        terminal.reader.read()
        #expect(child.wait() == -SIGSEGV)
        #expect(terminal.echoes)
    }

    /// A memory fault in a plugin is the sandbox's to handle and not a crash of the program, even on a terminal, where
    /// the program handles crash signals.
    @Test(.enabled(if: PluginAuthor.canRun)) func aPluginThatWritesAnywhereFailsBeforeATerminalToo() throws {
        let author = try PluginAuthor()
        let path = try author.write(
            "wild", trial: "UnsafeMutablePointer<UInt8>(bitPattern: 0x7fff_ff00)?.pointee = UInt8(tally.hits.value & 1)"
        )
        let terminal = try PseudoTerminal(columns: 200)
        let child = try start("run \(path) --trials 1e4 --seed 1 --ephemeral", terminal, author.environment)
        let text = terminal.reader.read()
        #expect(child.wait() == 1)
        #expect(terminal.echoes)
        #expect(text.contains("memory fault") && text.contains("potluck replay"))
        #expect(!text.contains("Wasmtime"))
    }

    @Test func aTermSignalIsAnsweredInJSON() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let stdout = Pipe()
        let child = try Child(
            ["run", "pi", "--seed", "7", "--json"], environment: ["TERM": "xterm"], stdin: .terminal(terminal.name),
            stdout: .descriptor(stdout.writer), stderr: .terminal(terminal.name))
        stdout.closeWriter()
        terminal.reader.read { $0.contains("seed 7") }
        child.send(SIGTERM)
        let text = stdout.reader.read()
        terminal.reader.read()
        #expect(child.wait() == 143)
        let result = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(result["complete"] as? Bool == false)
        #expect(terminal.reader.text.hasSuffix("\u{1b}[J"))
    }

    @Test func twentyColumnsAreEnough() throws {
        let terminal = try PseudoTerminal(columns: 20, rows: 40)
        let child = try start(
            "run monty-hall --for 300ms --seed 18446744073709551615", terminal, ["LC_ALL": "C", "NO_COLOR": "1"])
        let text = terminal.reader.read()
        #expect(child.wait() == 0)
        #expect(text.contains("\u{1b}[2K"))
        #expect(!text.contains("m\u{1b}") && !text.contains("\u{1b}[1m"))
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(lines(text).count > 20)
        for line in lines(text) { #expect(line.count <= 20, "\(line)") }
    }

    /// Errors break between words. Examples of the help are whole, so that users can copy them.
    @Test func aNarrowTerminalBreaksNoWord() throws {
        let terminal = try PseudoTerminal(columns: 40)
        let wrong = try start("run", terminal)
        let said = terminal.reader.read()
        #expect(wrong.wait() == 2)
        #expect(lines(said) == ["potluck: missing argument NAME; usage:", "potluck run NAME [OPTIONS]"])
        let second = try PseudoTerminal(columns: 40)
        let help = try start("serve --help", second)
        let shown = second.reader.read()
        #expect(help.wait() == 0)
        #expect(lines(shown).contains("  potluck serve Monty --run monty-hall --trials 1e12"))
    }

    @Test func aDumbTerminalGetsPlainText() throws {
        let terminal = try PseudoTerminal(columns: 80)
        let child = try start("run pi --trials 1e5 --seed 1", terminal, ["TERM": "dumb"])
        let text = terminal.reader.read()
        #expect(child.wait() == 0)
        #expect(text.hasPrefix("pi: 100 000 trials"))
        #expect(!text.contains("\u{1b}"))
    }

    @Test func noColorTurnsColourOff() throws {
        for (variable, isColoured) in [("", true), ("1", false)] {
            let terminal = try PseudoTerminal(columns: 80)
            let child = try start("run pi --trials 1e5 --seed 1", terminal, ["NO_COLOR": variable])
            let text = terminal.reader.read()
            #expect(child.wait() == 0)
            #expect(text.contains("\u{1b}[1m") == isColoured)
        }
    }
}
