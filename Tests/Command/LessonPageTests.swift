import Foundation
import Testing

/// What docs/TEACHING.md tells a class to expect.
@Suite struct LessonPageTests {
    @Test func theDigestOnTheBoardIsRight() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/TEACHING.md"), encoding: .utf8)
        let run = "run monty-hall --trials 1000 --seed 7"
        #expect(page.contains("\n    potluck \(run)\n"))
        let outcome = try EndToEndTests().run("\(run) --ephemeral --json")
        let digest = try #require(outcome.stdout.components(separatedBy: "\"digest\":\"").dropFirst().first).prefix(8)
        #expect(page.contains("Its digest is `\(digest)…`"), "\(outcome.stdout)\(outcome.stderr)")
    }
}
