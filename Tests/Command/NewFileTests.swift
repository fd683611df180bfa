import Foundation
import PotluckMachine
import Testing

/// What `potluck new` creates runs as it is, by the commands that it names, and keeps the rules.
@Suite(.enabled(if: PluginAuthor.hasPython, "wasmtime or Python is not here: make deps fetches them"))
struct NewFileTests {
    private let author: PluginAuthor

    init() throws { author = try PluginAuthor() }

    /// Runs a command in the author's folder.
    private func say(_ words: [String]) throws -> (code: Int32, text: String) {
        let said = Pipe()
        let child = try Child(
            ["-C", author.folder, Child.program] + words, program: "/usr/bin/env", environment: author.environment,
            stdout: .descriptor(said.writer), stderr: .descriptor(said.writer))
        said.closeWriter()
        let text = said.reader.read()
        return (child.wait(), text)
    }

    @Test(arguments: Template.Kind.allCases) func aFileRunsAsItIs(_ kind: Template.Kind) throws {
        let template = try #require(Template("made"))
        let languages = template.python(kind) == nil ? ["swift"] : ["swift", "python"]
        for language in languages {
            let flags = kind == .dice ? [] : ["--\(kind.rawValue)"]
            let made = try say(["new", "--\(language)", "made-\(language)"] + flags)
            let lines = made.text.split(separator: "\n").filter { $0.hasPrefix("    potluck ") }.map { line in
                line.dropFirst(12).split(separator: "    ")[0].split(separator: " ").map(String.init)
            }
            let verbs = kind == .ranks ? ["launch", "build"] : ["run", "check", "build"]
            #expect(lines.map { $0[0] } == verbs, "\(made)")
            for var words in lines where words[0] != "build" {
                if words[0] == "run", kind != .search { words += ["--trials", "1e4"] }
                if words[0] == "check" { words.append("--quick") }
                let said = try say(words)
                // Beside other tests a block may take too long. Nothing else may be wrong.
                let broken = said.text.split(separator: "\n").filter { $0.hasPrefix("BROKEN") }
                let isSlow = broken.count == 1 && broken[0].contains("more than the limit of 50 ms")
                #expect(said.code == (isSlow ? 1 : 0) && broken.isEmpty != isSlow, "\(words): \(said.text)")
                #expect(!said.text.contains("note  "), "\(words): \(said.text)")
            }
        }
    }
}
