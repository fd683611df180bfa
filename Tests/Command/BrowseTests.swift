import Foundation
import Glibc
import Testing

/// `potluck browse` as users start it, on loopback and with a beacon port of its own. The lab's program announces nodes.
@Suite(.serialized) struct BrowseTests {
    private let narrow = "--interface lo --no-mdns"

    /// A port that is probably unused. Processes with other beacon ports do not hear each other.
    private let environment = ["POTLUCK_BEACON_PORT": "\(20_000 + UInt16(truncatingIfNeeded: getpid()) % 10_000)"]

    private static let rogue = String(Child.program.dropLast("potluck".count)) + "PotluckRogue"

    private func start(_ line: String, _ pipe: Pipe) throws -> Child {
        let child = try Child(
            line.split(separator: " ").map(String.init),
            program: line.hasPrefix("announce") ? Self.rogue : Child.program, environment: environment,
            stdout: .descriptor(pipe.writer))
        pipe.closeWriter()
        return child
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    /// A shell's default limit of file descriptors is low, and a node needs one for each link.
    @Test func aNodeRaisesItsLimitOfDescriptors() throws {
        let listing = Pipe()
        let words = "browse --json \(narrow)".split(separator: " ").map(String.init)
        let node = try Child(
            ["-c", "ulimit -Sn 256; exec \"$0\" \"$@\"", Child.program] + words, program: "/bin/sh",
            environment: environment,
            stdout: .descriptor(listing.writer))
        listing.closeWriter()
        let other = try start("announce Monty --name ana \(narrow)", Pipe())
        listing.reader.read { $0.contains("\"appeared\"") }
        let limits = try String(contentsOfFile: "/proc/\(node.id)/limits", encoding: .utf8)
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max open files") })
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        #expect(numbers.first == numbers.last.map { min(4096, $0) })
        for child in [node, other] { end(child) }
    }

    @Test func browseListsNodesThatAppearAndDisappear() throws {
        let (first, second, listing) = (Pipe(), Pipe(), Pipe())
        let ana = try start("announce Monty --name ana \(narrow)", first)
        let hidden = try start("announce Monty --hidden \(narrow)", second)
        let browse = try start("browse \(narrow)", listing)
        first.reader.read { $0.contains("\"appeared\"") }
        second.reader.read { $0.contains("\n") }
        let nodes = try [first, second].map { pipe in
            try #require(try object(pipe.reader.text.prefix { $0 != "\n" })["node"] as? String)
        }
        // A node that gets no turn for long changes, or disappears and appears again.
        func says(_ event: String, _ node: String, why: String = "", _ text: String) -> Bool {
            text.split(separator: "\n").contains {
                $0.hasPrefix("{\"event\":\"\(event)\"") && $0.contains("\"node\":\"\(node)\"")
                    && $0.hasSuffix("\(why)}")
            }
        }
        listing.reader.read { text in nodes.allSatisfy { says("appeared", $0, text) } }
        end(ana)
        listing.reader.read { says("disappeared", nodes[0], why: ",\"why\":\"left\"", $0) }
        browse.send(SIGINT)
        #expect(browse.wait() == 130)
        hidden.send(SIGINT)
        #expect(hidden.wait() == 130)

        let lines = try objects(listing.reader.read())
        let gone = try #require(lines.last { $0["node"] as? String == nodes[0] })
        #expect(gone["event"] as? String == "disappeared")
        #expect(gone["name"] as? String == "ana")
        #expect(gone["session"] as? String == "Monty")
        #expect(gone["why"] as? String == "left")
        #expect((gone["addresses"] as? [String])?.first?.hasPrefix("127.0.0.1:") == true)
        let quiet = try #require(lines.first { $0["node"] as? String == nodes[1] })
        #expect(quiet["name"] is NSNull)
        #expect(quiet["session"] is NSNull)
        #expect(quiet["verified"] as? Bool == false)
    }

    @Test func itEndsWhenItsTimeIsOver() throws {
        let outcome = try EndToEndTests().run("browse Nobody --for 50ms \(narrow)", environment: environment)
        #expect(outcome.code == 0)
        #expect(outcome.stdout == "")
        #expect(outcome.stderr == "")
    }

    @Test func wrongUsageIsOneLine() throws {
        for (line, complaint) in [
            ("browse --interface nosuch0", "no such interface"),
            ("browse --beacon-port 0", "must be from 1 to 65535"),
            ("browse \(String(repeating: "s", count: 64))", "invalid session name"),
            ("doctor Monty", "unexpected argument 'Monty'"),
        ] {
            let outcome = try EndToEndTests().run(line, environment: environment)
            #expect(outcome.code == 2)
            #expect(outcome.stdout == "")
            #expect(outcome.stderr.contains(complaint))
            #expect(outcome.stderr.filter { $0 == "\n" }.count == 1)
        }
    }

    /// The Python worker takes the address of a page in the place of a name.
    @Test func theAddressOfAPageIsNoName() throws {
        let ticket = "AAAAAAAAAAAAAAAAAAAA"
        for verb in ["join", "watch"] {
            for (typed, shown) in [
                ("http://10.0.0.5:7077/#\(ticket)", "http://10.0.0.5:7077/"),
                ("https://ana.local/#\(ticket)", "https://ana.local/"), ("http://", "http://"),
            ] {
                let outcome = try EndToEndTests().run("\(verb) \(typed) \(narrow)", environment: environment)
                #expect(outcome.code == 2)
                #expect(outcome.stdout == "")
                let complaint = "is the address of a page, for browsers; use the session's name, which 'potluck browse'"
                #expect(outcome.stderr == "potluck: '\(shown)' \(complaint) lists\n")
            }
        }
    }

    @Test func doctorNamesMissingParts() throws {
        func examine() throws -> (code: Int32, report: [String: Any], findings: [[String: Any]]) {
            let outcome = try EndToEndTests().run("doctor --json \(narrow)", environment: environment)
            let report = try #require(try objects(outcome.stdout).first)
            return (outcome.code, report, try #require(report["findings"] as? [[String: Any]]))
        }
        var outcome = try examine()
        func level(_ topic: String) -> String? {
            outcome.findings.first { $0["topic"] as? String == topic }?["level"] as? String
        }
        // It listens for a few seconds, in which a busy machine may give it no turn to hear itself.
        let end = Patience.end
        while level("beacon") != "good", Date.now < end { outcome = try examine() }
        // Loopback does not count as a network, but the beacon works there.
        #expect(outcome.code == 1)
        #expect(outcome.report["healthy"] as? Bool == false)
        #expect(level("network") == "problem")
        #expect(level("beacon") == "good")
        #expect(level("mdns") == "note")
        #expect(level("clock") == "good")
        #expect(["good", "note"].contains(level("cores")))
    }
}
