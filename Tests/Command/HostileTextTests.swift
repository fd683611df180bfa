import Foundation
import Glibc
import PotluckMachine
import Testing

@testable import Potluck
@testable import PotluckCommand
@testable import PotluckCore
@testable import PotluckScreen

/// Text from strangers cannot control the terminal, wherever it is printed.
@Suite(.serialized) struct HostileTextTests {
    /// Colours, a title and a bell, a carriage return, a C1 control, reversed text and a line separator.
    private static let hostile = "evil\u{1b}[31m\u{1b}]0;owned\u{7}\r\u{9b}2J\u{8}\u{7f}\u{202e}gnp\u{2066}\u{2028}"

    private let folder = "/tmp/potluck-test-\(getpid())-\(UInt32.random(in: 0 ... .max))"

    private func run(_ words: [String]) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(
            words,
            environment: ["POTLUCK_STATE": folder, "XDG_CONFIG_HOME": folder, "POTLUCK_CODE": "", "TERM": "xterm"])
    }

    private func expectHarmless(_ text: String, _ what: String, at location: SourceLocation = #_sourceLocation) {
        for line in text.replacing("\r\n", with: "\n").split(separator: "\n") {
            #expect(String(line).isFitForScreen, "\(what): \(line.debugDescription)", sourceLocation: location)
        }
    }

    private func expectHarmless(_ words: [String], at location: SourceLocation = #_sourceLocation) throws {
        let outcome = try run(words)
        expectHarmless(outcome.stdout, "\(words)", at: location)
        expectHarmless(outcome.stderr, "\(words)", at: location)
    }

    @Test func noCommandRepeatsHostileTextUnchanged() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let hostile = Self.hostile
        for verb in Main.verbs.map(\.declaration.name) {
            for words in [
                [hostile], [hostile, hostile], ["--" + hostile], ["--state", "/dev/null/" + hostile, "x", "y"],
            ] {
                try expectHarmless([verb] + words)
            }
        }
        try expectHarmless([hostile])
        try expectHarmless(["run", "pi", "-p", "\(hostile)=1"])
        try expectHarmless(["run", "pi", "--trials", hostile])
        try expectHarmless(["run", "pi", "--trials", "1000", "--state", "\(folder)/\(hostile)"])
        try expectHarmless(["history", "--where", "\(hostile)=1"])
    }

    @Test func aHistoryThatHasSuchANoteShowsItHarmlessly() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        _ = try run(["run", "pi", "--trials", "1e4", "--seed", "1"])
        let history = try History.open(at: "\(folder)/\(History.file)")
        #expect(try history.note(1, RunNote(at: 0, text: Self.hostile + "\nforged")))
        for line in ["history", "history --csv", "history --json", "history show 1", "history compare 1 1", "report 1"]
        {
            try expectHarmless(line.split(separator: " ").map(String.init))
        }
        // Importing such a note from another user's file is refused.
        let file = "\(folder)/runs.sqlite"
        #expect(try run(["history", "export", file]).code == 0)
        let refused = try run(["history", "import", file, "--state", "\(folder)/other"])
        #expect(refused.code == 1 && refused.stderr.contains("an unprintable note"))
    }

    @Test func formulasAreWrittenAsText() {
        for text in ["=1+1", "+1+1", "-1+1", "@SUM(A1)", "=\u{301}1", "\t=1", " =1", "\u{feff}=1", "＝1"] {
            let cell = RecordCSV.cell(text)
            #expect(cell.hasPrefix("'") || cell.hasPrefix("\\u{"), "\(text.debugDescription)")
        }
        for text in ["-1.5", "+3", "1e-9", "a=b", "", "0.5 + x"] { #expect(RecordCSV.cell(text) == text) }
    }

    /// The text is shown harmlessly, however it is cut into pieces.
    @Test func outputOfASimulationIsShownHarmlessly() {
        let text = "one\t\(Self.hostile)\nZoë \u{20ac} \u{1f600}\n"
        let octets = Array(text.utf8)
        var whole = ShownOctets()
        let shown = whole.show(octets)
        #expect(shown.hasPrefix("one\tevil\\u{1b}[31m") && shown.hasSuffix("\nZoë \u{20ac} \u{1f600}\n"))
        expectHarmless(shown.replacing("\t", with: " "), "output")
        for first in 0...octets.count {
            for second in first...octets.count {
                var pieces = ShownOctets()
                let joined =
                    pieces.show(Array(octets[..<first])) + pieces.show(Array(octets[first..<second]))
                    + pieces.show(Array(octets[second...]))
                #expect(joined == shown)
            }
        }
    }

    @Test func aNodesAnswerIsShownHarmlessly() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let session = try #require(SessionID("Monty"))
        for answer in [LocalMessage.done(Self.hostile), .refused(Self.hostile)] {
            let directory = StateDirectory(path: folder, isEphemeral: false, others: [])
            let door = try LocalSocket.listening(at: directory.control(session, "1"))
            Thread.detachNewThread {
                // `accepted` gives up after five seconds, and the command may start later.
                var arrived: LocalSocket?
                for _ in 0..<24 where arrived == nil { arrived = door.accepted() }
                guard let guest = arrived else { return }
                _ = LocalRequest(from: guest)
                guest.finish([answer.frame])
                guest.end()
            }
            let outcome = try run(["say", "Monty", "hello"])
            expectHarmless(outcome.stdout, "stdout")
            expectHarmless(outcome.stderr, "stderr")
            #expect((outcome.stdout + outcome.stderr).contains("evil"))
            door.end()
        }
    }
}
