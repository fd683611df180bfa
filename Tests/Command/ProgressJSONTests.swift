import Foundation
import Testing

/// `--progress-json` prints each tally of the job while it is computed, and then the result.
@Suite(.serialized, .timeLimit(.minutes(20))) struct ProgressJSONTests {
    private let room = Laptops()
    private let job = "run monty-hall --trials 3e6 --seed 4 --json --progress-json"

    private func check(_ outcome: EndToEndTests.Outcome) throws {
        #expect(outcome.code == 0, "\(outcome.stderr)")
        let lines = try outcome.stdout.split(separator: "\n").map { try object($0) }
        let (tallies, result) = (lines.dropLast(), try #require(lines.last))
        #expect(!tallies.isEmpty && tallies.allSatisfy { $0["event"] as? String == "job" })
        #expect(Set(tallies.map { $0["job"] as? String }).count == 1)
        let trials = tallies.map { $0["trials"] as? Int ?? -1 }
        #expect(trials == trials.sorted() && trials.allSatisfy { (0...3_000_000).contains($0) })
        #expect(result["event"] == nil && result["trials"] as? Int == 3_000_000)
    }

    @Test func aRunHereTellsItsTallies() throws {
        try check(room.run(job, "lab"))
        try check(room.run(job + " --quiet", "lab"))
    }

    /// As a guest, and through a node of the session on the same machine.
    @Test func aJobOfASessionTellsItsTallies() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        try check(room.run(job + " --session Monty", "lab"))
        try check(room.run(job + " --session Monty", "ana"))
        end(server.child)
    }

    @Test func itNeedsJSON() throws {
        for line in ["run pi --trials 10 --progress-json", "run pi --trials 10 --progress-json --csv"] {
            let outcome = try room.run(line, "lab")
            #expect(outcome.code == 2 && outcome.stderr == "potluck: --progress-json is used with --json\n")
        }
    }
}
