import Foundation
import Testing

/// The table of mistakes: `potluck check` names each, and no run prints a number of it without a word, or two digests.
///
/// Compiling and running all of them takes minutes. So each run of the tests takes one in 32, which ones is decided by
/// `POTLUCK_MISTAKES=n/m`: those whose place in the table is n when it is counted in turns of m. `0/1` takes all.
@Suite(
    .serialized, .enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"),
    .timeLimit(.minutes(60)))
struct AuthorsMistakesTests {
    private let author: PluginAuthor
    private let room = Laptops()

    init() throws { author = try PluginAuthor() }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "Mistakes/mistakes.txt"
    ).path

    /// The part of the table that these tests take.
    private static let chosen: [AuthorsMistake] = {
        let words = ProcessInfo.processInfo.environment["POTLUCK_MISTAKES"] ?? "3/32"
        let numbers = words.split(separator: "/").compactMap { Int($0) }
        guard numbers.count == 2, numbers[1] > 0, let table = try? AuthorsMistake.table(file) else { return [] }
        return table.enumerated().filter { $0.offset % numbers[1] == numbers[0] % numbers[1] }.map(\.element)
    }()

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try EndToEndTests().run(line, environment: room.environment("lab").merging(author.environment) { $1 })
    }

    /// Whether a line says what the check could not see.
    private static func isLimit(_ line: Substring) -> Bool {
        line.contains(" may have been missed") || line.contains(" would be found")
    }

    private func digest(_ text: String) -> Substring? {
        text.firstRange(of: "\"digest\":\"").map { text[$0.upperBound...].prefix(64) }
    }

    @Test func theTableHasAHundredMistakesOfDifferentNames() throws {
        let table = try AuthorsMistake.table(Self.file)
        #expect(table.count >= 100 && Set(table.map(\.name)).count == table.count)
        #expect(table.allSatisfy { !$0.says.contains("") })
        #expect(!Self.chosen.isEmpty)
    }

    @Test func noMistakePrintsANumberWithoutAWord() throws {
        let server = try room.node("serve Monty --plugins", "lab")
        try #require(server.reader.read { $0.contains("\"started\"") }.contains("\"started\""))
        let guest = try room.node("join Monty --plugins", "ana")
        try #require(guest.reader.read { $0.contains("\"connected\"") }.contains("\"connected\""))
        for mistake in Self.chosen {
            let path = "\(author.folder)/mistake.swift"
            try mistake.source.write(toFile: path, atomically: false, encoding: .utf8)
            let checked = try run("check \(path)")
            let said = checked.stdout + checked.stderr
            let words = said.split(separator: "\n").filter { !$0.hasPrefix("ok ") || Self.isLimit($0) }
            #expect(
                mistake.says.contains { word in words.contains { $0.contains(word) } }, "\(mistake): check says \(said)"
            )
            #expect(!said.contains("potluck_"), "\(mistake): check says \(said)")
            var digests: Set<Substring> = []
            for way in ["--cores 1", "--cores 2", "--cores 2 --native", "--session Monty"] {
                let place = way.hasPrefix("--session") ? "" : " --ephemeral"
                let outcome = try run("run \(path) \(mistake.goal) --json \(way)\(place)")
                #expect(
                    outcome.code >= 0 && !outcome.stderr.contains("potluck_"), "\(mistake): \(way): \(outcome.stderr)")
                guard outcome.code == 0 else { continue }
                if let digest = digest(outcome.stdout) { digests.insert(digest) }
                let words = outcome.stderr.split(separator: "\n").filter {
                    !$0.contains("Compiling") && !$0.contains(" started the plugin ")
                }
                let hasNoValue = outcome.stdout.contains("\"value\":null")
                let isAllowed = way.contains("native") && mistake.notNative != nil || mistake.onlyCheck != nil
                #expect(
                    isAllowed || hasNoValue || !words.isEmpty,
                    "\(mistake): \(way) prints a number without a word: \(outcome.stdout)")
            }
            #expect(digests.count <= 1, "\(mistake) has \(digests.count) digests")
        }
        end(guest.child, server.child)
    }
}
