import Foundation
import Testing

/// `--progress-json` prints each tally of the job while it is computed, and then the result.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ProgressJSONTests {
    private let room = Laptops()

    /// Runs a job, longer each time until it told a tally: on a busy machine a short one may end before.
    private func check(_ options: String, _ laptop: String) throws {
        for trials in [3_000_000, 300_000_000, 3_000_000_000, 30_000_000_000] {
            let job = "run monty-hall --trials \(trials) --seed 4 --json --progress-json"
            if try tellsTallies(room.run(job + options, laptop), of: trials) { return }
        }
        Issue.record("no tally was told")
    }

    /// Returns whether the job told a tally before its result.
    private func tellsTallies(_ outcome: EndToEndTests.Outcome, of all: Int) throws -> Bool {
        #expect(outcome.code == 0, "\(outcome.stderr)")
        let lines = try outcome.stdout.split(separator: "\n").map { try object($0) }
        let (tallies, result) = (lines.dropLast(), try #require(lines.last))
        #expect(tallies.allSatisfy { $0["event"] as? String == "job" })
        #expect(Set(tallies.map { $0["job"] as? String }).count <= 1)
        let trials = tallies.map { $0["trials"] as? Int ?? -1 }
        #expect(trials == trials.sorted() && trials.allSatisfy { (0...all).contains($0) })
        #expect(result["event"] == nil && result["trials"] as? Int == all)
        return !tallies.isEmpty
    }

    @Test func aRunHereTellsItsTallies() throws {
        try check("", "lab")
        try check(" --quiet", "lab")
    }

    /// As a guest, and through a node of the session on the same machine.
    @Test func aJobOfASessionTellsItsTallies() throws {
        let server = try room.node("serve Monty --guests submit", "lab")
        server.reader.read { $0.contains("\"started\"") }
        try check(" --session Monty", "lab")
        try check(" --session Monty", "ana")
        end(server.child)
    }

    @Test func itNeedsJSON() throws {
        for line in ["run pi --trials 10 --progress-json", "run pi --trials 10 --progress-json --csv"] {
            let outcome = try room.run(line, "lab")
            #expect(outcome.code == 2 && outcome.stderr == "potluck: --progress-json is used with --json\n")
        }
    }
}
