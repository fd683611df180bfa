import Foundation
import Testing

/// `Tests/Recompute` computes digests in Python from docs/RANDOM.md, without Potluck's code, and compares them with those
/// of the program.
@Suite(.enabled(if: Python.program != nil, "python3 is not here")) struct RecomputeTests {
    private func compare(_ options: [String], environment: [String: String] = [:]) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Recompute/recompute.py").path
        let stdout = Pipe()
        let child = try Child(
            ["-B", script, "compare", Child.program] + options, program: try #require(Python.program),
            environment: environment, stdout: .descriptor(stdout.writer))
        stdout.closeWriter()
        let said = stdout.reader.read()
        #expect(child.wait() == 0)
        let failed = said.split(separator: "\n").filter { !$0.hasPrefix("ok ") }
        #expect(!said.isEmpty && failed.isEmpty, "\(failed.joined(separator: "\n"))")
    }

    @Test func thePageAloneGivesTheDigestsOfTheProgram() throws { try compare([]) }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func thePageDefinesEveryDraw() throws {
        let author = try PluginAuthor()
        try compare(["--plugin"], environment: author.environment)
    }
}

private enum Python {
    static let program = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
}
