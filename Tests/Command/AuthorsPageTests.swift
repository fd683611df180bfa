import Foundation
import Testing

/// The simulations in docs/AUTHORS.md compile and keep the laws.
@Suite(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it")) struct AuthorsPageTests {
    @Test func everySampleOnThePageKeepsTheLaws() throws {
        let author = try PluginAuthor()
        let samples = Self.samples(of: try Self.page)
        #expect(samples.count >= 3)
        let numbers = "\(author.folder)/numbers.txt"
        try "1\n2.5\n4\n".write(toFile: numbers, atomically: false, encoding: .utf8)
        for (index, sample) in samples.enumerated() {
            let path = "\(author.folder)/sample\(index).swift"
            try sample.write(toFile: path, atomically: false, encoding: .utf8)
            let input = sample.contains("Input(\"numbers\"") ? ["--input", "numbers=\(numbers)"] : []
            let stdout = Pipe()
            let child = try Child(
                ["check", path] + input, environment: author.environment, stdout: .descriptor(stdout.writer))
            stdout.closeWriter()
            let said = stdout.reader.read()
            #expect(child.wait() == 0, "\(said)")
            // A slow machine may take longer for a block than a sample should.
            let findings = said.split(separator: "\n").filter { !$0.hasPrefix("ok ") && !$0.contains(" takes ") }
            #expect(said.contains("the same seed gives the same tally") && findings.isEmpty, "\(said)")
        }
    }

    /// The digest of the first sample is the one that the page shows.
    @Test func theDigestOnThePageIsRight() throws {
        let author = try PluginAuthor()
        let page = try Self.page
        let path = "\(author.folder)/galileo.swift"
        try Self.samples(of: page)[0].write(toFile: path, atomically: false, encoding: .utf8)
        let stdout = Pipe()
        let child = try Child(
            ["run", path, "--trials", "1e6", "--seed", "1", "--ephemeral"], environment: author.environment,
            stdout: .descriptor(stdout.writer))
        stdout.closeWriter()
        let said = stdout.reader.read()
        #expect(child.wait() == 0)
        let digest = try #require(said.split(separator: "\n").first { $0.hasPrefix("  digest ") })
        #expect(page.contains("\n\(digest)\n"), "\(said)")
    }

    private static var page: String {
        get throws {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            return try String(contentsOf: root.appending(path: "docs/AUTHORS.md"), encoding: .utf8)
        }
    }

    private static func samples(of page: String) -> [String] {
        page.components(separatedBy: "\n```swift\n").dropFirst().map { $0.components(separatedBy: "\n```\n")[0] + "\n" }
    }
}
