import Foundation
import Testing

/// `potluck trial`: trials that are told and drawn, one by one.
@Suite(.serialized, .timeLimit(.minutes(60))) struct TrialCommandTests {
    private let program = EndToEndTests()
    private let author: PluginAuthor

    init() throws { author = try PluginAuthor() }

    private func run(_ line: String) throws -> EndToEndTests.Outcome {
        try program.run(line, environment: author.environment.merging(["LANG": "C.UTF-8"]) { $1 })
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path
    private static let areModulesMade = FileManager.default.fileExists(atPath: root + "/.build/modules/pi.wasm")

    /// A built-in simulation computes natively, and the module that comes with the program tells and draws.
    @Test(
        .enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"),
        .enabled(if: areModulesMade, "there are no modules: run make build"),
        arguments: [
            ("monty-hall", "MontyHall"), ("buffon", "Buffon"), ("pi", "Pi"), ("gamblers-ruin", "GamblersRuin"),
            ("percolation", "Percolation"), ("coupon-collector", "CouponCollector"),
        ])
    func aBuiltInTrialIsToldAsThatOfItsFile(_ name: String, _ type: String) throws {
        for seed in 1...3 {
            let builtIn = try run("trial \(name) --seed \(seed) --trials 3")
            let file = try run("trial \(Self.root)/Plugins/\(type)/\(type).swift --seed \(seed) --trials 3")
            #expect(builtIn.code == 0 && file.code == 0, "\(builtIn.stderr)\(file.stderr)")
            #expect(builtIn.stdout == file.stdout)
            #expect(file.stdout.unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) })
            #expect(!file.stdout.contains("\u{1b}"))
        }
    }

    @Test(.enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"))
    func manyTrialsHaveNoPictures() throws {
        let path = Self.root + "/Plugins/Pi/Pi.swift"
        let ten = try run("trial \(path) --seed 1 --trials 10")
        let eleven = try run("trial \(path) --seed 1 --trials 11")
        #expect(ten.stdout.contains("⠉") && !eleven.stdout.contains("⠉"))
        #expect(eleven.stdout.components(separatedBy: "    the point is ").count == 12)
    }
}
