import Foundation
import Testing

/// `potluck check` compares the lanes of a file with its trials.
@Suite(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it")) struct LanesCheckCommandTests {
    /// The example with lanes in docs/AUTHORS.md.
    private static let meeting = Result {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/AUTHORS.md"), encoding: .utf8)
        let samples = page.components(separatedBy: "\n```swift\n").map {
            $0.components(separatedBy: "\n```\n")[0] + "\n"
        }
        return try #require(samples.first { $0.contains("struct Meeting: LaneSimulation") })
    }

    /// Returns what `check` says about a source, and its exit code.
    private func check(_ source: String) throws -> (said: String, code: Int32) {
        let author = try PluginAuthor()
        let path = "\(author.folder)/meeting.swift"
        try source.write(toFile: path, atomically: false, encoding: .utf8)
        let stdout = Pipe()
        let child = try Child(
            ["check", path, "--quick"], environment: author.environment, stdout: .descriptor(stdout.writer))
        stdout.closeWriter()
        let said = stdout.reader.read()
        return (said, child.wait())
    }

    @Test func equalLanesAreKept() throws {
        let (said, code) = try check(Self.meeting.get())
        #expect(code == 0 && said.contains("ok      the lanes give the tally of the trials"), "\(said)")
    }

    @Test func theFieldThatDiffersIsNamed() throws {
        let source = try Self.meeting.get()
        let parts = source.components(separatedBy: "func lanes(")
        #expect(parts.count == 2)
        let wrong = parts[0] + "func lanes(" + parts[1].replacing("tally.gap.add(gap)", with: "tally.gap.add(gap + 1)")
        let (said, code) = try check(wrong)
        #expect(code != 0)
        #expect(
            said.contains(
                "BROKEN  the lanes give another tally than the trials: gap differs in trials 0 to 15, number 0 of each lane"
            ),
            "\(said)")
    }
}
