import Foundation
import Glibc
import Testing

@testable import Potluck
@testable import PotluckCommand

/// A file that is played again at each save.
@Suite(.serialized, .timeLimit(.minutes(60))) struct WatchedRunTests {
    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func aSavedFileIsPlayedAgain() throws {
        let author = try PluginAuthor()
        try isPlayedAgain(author, saying: { _ in "has no member 'belw'" }) { draw in
            try author.write("dice", trial: "tally.hits.add(\(draw))")
        }
    }

    @Test(.enabled(if: PluginAuthor.hasPython, "wasmtime or python3 is not here"))
    func aSavedFileInPythonIsPlayedAgain() throws {
        let author = try PluginAuthor()
        try isPlayedAgain(author, saying: { "\($0):13:" }) { draw in
            try author.writePython("dice", trial: "self.hits.add(\(draw))")
        }
    }

    /// Runs a file, saves it with a mistake, and saves it without one. `save` writes it with a condition and returns its
    /// path, and `mistake` returns a part of what the compiler says of the file at this path.
    private func isPlayedAgain(
        _ author: PluginAuthor, saying mistake: (String) -> String, save: (String) throws -> String
    ) throws {
        let path = try save("random.below(6) == 5")
        let pipe = Pipe()
        let child = try Child(
            ["run", "--watch", path, "--trials", "1000", "--seed", "1", "--ephemeral"], environment: author.environment,
            stdout: .descriptor(pipe.writer), stderr: .descriptor(pipe.writer))
        pipe.closeWriter()
        func times(_ text: String, in all: String) -> Int { all.components(separatedBy: text).count - 1 }
        func waits(_ time: Int) -> String { pipe.reader.read { times("watching \(path); save it", in: $0) == time } }
        #expect(times("mine: 1 000 trials", in: waits(1)) == 1)
        _ = try save("random.belw(6) == 5")
        #expect(waits(2).contains(mistake(path)))
        _ = try save("random.below(6) == 4")
        #expect(times("mine: 1 000 trials", in: waits(3)) == 2)
        child.send(SIGINT)
        #expect(child.wait() == 130)
    }

    @Test func onlyAFileOnThisMachineIsWatched() throws {
        let program = EndToEndTests()
        let builtIn = try program.run("run pi --watch")
        #expect(builtIn.code == 2 && builtIn.stderr.contains("pi is not a file; --watch runs a file again"))
        let session = try program.run("run x.swift --watch --session Monty")
        #expect(session.code == 2 && session.stderr.contains("--watch and --session cannot be used together"))
    }

    @Test func theMovingLineFits() {
        #expect(CompilingLine.text("a/b.swift", tenths: 23, columns: 80) == "Compiling a/b.swift … 2.3 s")
        for columns in 0..<40 {
            #expect(CompilingLine.text("a/long/path.swift", tenths: 5, columns: columns).count <= max(columns - 1, 8))
        }
    }
}
