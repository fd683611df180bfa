import Foundation
import Glibc
import Testing

/// `potluck browse` and `potluck announce` as users start them, on loopback and with a beacon port of their own.
@Suite(.serialized) struct BrowseTests {
    private let narrow = "--interface lo --no-mdns"

    /// A port that is probably unused. Processes with other beacon ports do not hear each other.
    private let environment = ["POTLUCK_BEACON_PORT": "\(20_000 + UInt16(truncatingIfNeeded: getpid()) % 10_000)"]

    private func start(_ line: String, _ pipe: Pipe) throws -> Child {
        let child = try Child(
            line.split(separator: " ").map(String.init), environment: environment, stdout: .descriptor(pipe.writer))
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
        let words = "announce Monty \(narrow)".split(separator: " ").map(String.init)
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

    @Test func whoIsAroundComesAndGoes() throws {
        let (first, second, listing) = (Pipe(), Pipe(), Pipe())
        let ana = try start("announce Monty --name ana \(narrow)", first)
        let hidden = try start("announce Monty --hidden \(narrow)", second)
        let browse = try start("browse \(narrow)", listing)
        first.reader.read { $0.contains("\"appeared\"") }
        listing.reader.read { $0.filter { $0 == "\n" }.count >= 2 }
        end(ana)
        listing.reader.read { $0.contains("\"disappeared\"") }
        browse.send(SIGINT)
        #expect(browse.wait() == 130)
        hidden.send(SIGINT)
        #expect(hidden.wait() == 130)

        let node = try #require(try objects(first.reader.text).first?["node"] as? String)
        let lines = try objects(listing.reader.text)
        let gone = try #require(lines.last)
        #expect(gone["event"] as? String == "disappeared")
        #expect(gone["node"] as? String == node)
        #expect(gone["name"] as? String == "ana")
        #expect(gone["session"] as? String == "Monty")
        #expect(gone["why"] as? String == "left")
        #expect((gone["addresses"] as? [String])?.first?.hasPrefix("127.0.0.1:") == true)
        let quiet = try #require(lines.first { $0["node"] as? String != node })
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

    @Test func whatMakesNoSenseIsSaidInOneLine() throws {
        for (line, complaint) in [
            ("browse --interface nosuch0", "no such interface"),
            ("browse --beacon-port 0", "must be from 1 to 65535"),
            ("announce", "missing argument SESSION"),
            ("announce Monty --name \(String(repeating: "n", count: 64))", "not a name"),
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

    @Test func doctorSaysWhatIsMissing() throws {
        let outcome = try EndToEndTests().run("doctor --json \(narrow)", environment: environment)
        let report = try #require(try objects(outcome.stdout).first)
        let findings = try #require(report["findings"] as? [[String: Any]])
        func level(_ topic: String) -> String? {
            findings.first { $0["topic"] as? String == topic }?["level"] as? String
        }
        // Loopback does not count as a network, but the beacon works there.
        #expect(outcome.code == 1)
        #expect(report["healthy"] as? Bool == false)
        #expect(level("network") == "problem")
        #expect(level("beacon") == "good")
        #expect(level("mdns") == "note")
        #expect(level("clock") == "good")
        #expect(["good", "note"].contains(level("cores")))
    }
}
