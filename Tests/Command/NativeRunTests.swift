import Foundation
import Glibc
import Testing

/// `potluck run --native`. The file is that of the sandbox's tests, so that it is compiled once.
@Suite(.serialized, .timeLimit(.minutes(60))) struct NativeRunTests {
    private let program = EndToEndTests()
    private let author: PluginAuthor
    private let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sandbox/Authors/Stumbling.swift").path

    init() throws { author = try PluginAuthor() }

    private func run(_ line: String, path: String? = nil) throws -> EndToEndTests.Outcome {
        var environment = author.environment
        if let path { environment["PATH"] = path }
        return try program.run(line, environment: environment)
    }

    private func digest(_ outcome: EndToEndTests.Outcome) -> Substring? {
        outcome.stdout.firstRange(of: "\"digest\":\"").map { outcome.stdout[$0.upperBound...].prefix(64) }
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is not here: make deps fetches it"))
    func theDigestIsThatOfTheModule() throws {
        // The tests of the sandbox may build the same file at the same time, which is slow but right.
        let line = "run \(file) --trials 300000 --seed 1 --json --ephemeral"
        let (module, native) = (try run(line), try run(line + " --native --cores 2"))
        #expect(native.code == 0, "\(native.stderr)")
        #expect(digest(module) != nil && digest(native) == digest(module))
        let crash = try run("run \(file) --native -p way=1 --trials 3e5 --seed 1 --ephemeral")
        #expect(crash.code == 1 && crash.stderr.contains("the native program crashed"), "\(crash.stderr)")
        // The module is kept, but nothing can compile the file.
        let bare = try run(line + " --native", path: "/nonexistent")
        #expect(bare.code == 1 && bare.stderr.contains("swiftc is not installed"), "\(bare.stderr)")
    }

    @Test(arguments: [
        ("pi", "--native is for a Swift file of your own; pi is built in and already runs natively"),
        ("x.wasm", "--native needs the source in Swift; x.wasm runs only in the sandbox"),
        ("x.py", "--native needs the source in Swift; x.py runs only in the sandbox"),
        ("x.c", "--native needs the source in Swift; x.c runs only in the sandbox"),
        (
            "x.swift --session Monty",
            "--native and --session cannot be used together; a session runs files only in the sandbox"
        ),
        ("/nonexistent/x.swift", "cannot read /nonexistent/x.swift: No such file or directory"),
    ])
    func onlyAnOwnFileOnThisMachineRunsNatively(_ words: String, _ sentence: String) throws {
        let outcome = try run("run --native \(words)")
        #expect(outcome.code != 0 && outcome.stderr.contains(sentence), "\(outcome.stderr)")
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFileOfAnotherUserDoesNotRunNatively() throws {
        let path = try author.write("theirs", trial: "tally.hits.add(random.coin())")
        try #require(chown(path, 65534, 65534) == 0)
        let outcome = try run("run --native \(path)")
        #expect(outcome.code == 2 && outcome.stderr.contains("belongs to another user"), "\(outcome.stderr)")
    }
}
