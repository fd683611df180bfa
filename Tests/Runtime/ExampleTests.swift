import Foundation
import Testing

@Suite struct ExampleTests {
    /// The example in the documentation is the one that compiles.
    @Test func theCommentIsTheExample() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try lines(tests.appending(path: "Example.swift"))
        let begin = try #require(example.firstIndex(of: "    // begin"))
        let end = try #require(example.firstIndex(of: "    // end"))
        let session = try lines(tests.appending(path: "../../Sources/Node/Session/Session.swift"))
        let comment = session.filter { $0.hasPrefix("///     ") }.map { String($0.dropFirst(4)) }
        #expect(begin + 1 < end)
        #expect(comment == Array(example[(begin + 1)..<end]))
    }

    private func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }
}
