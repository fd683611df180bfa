import Foundation
import PotluckChecks
import Testing

/// If a change of results is intended, raise `RandomStream.version` (for a draw of the kit), run the tests with
/// POTLUCK_GOLDENS=write, and look at the difference.
@Suite struct GoldenTests {
    @Test func everyTallyIsTheOneCheckedIn() throws {
        if ProcessInfo.processInfo.environment["POTLUCK_GOLDENS"] == "write" {
            let text = try Goldens.computed().joined(separator: "\n") + "\n"
            try text.write(toFile: Goldens.path, atomically: false, encoding: .utf8)
            Issue.record("goldens.txt was written again: look at the difference, and run again without POTLUCK_GOLDENS")
            return
        }
        #expect(try Goldens.differences(from: String(contentsOfFile: Goldens.path, encoding: .utf8)) == [])
    }

    @Test func everySimulationHasOne() throws {
        #expect(Set(try Cases.all.get().map(\.simulation.name)) == Set(Catalogued.names))
    }
}
