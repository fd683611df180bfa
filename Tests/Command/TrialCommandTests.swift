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

    /// Native code and a module note and draw the same.
    @Test(
        .enabled(if: PluginAuthor.canRun, "wasmtime is missing: run make deps"),
        arguments: [
            ("monty-hall", "MontyHall"), ("buffon", "Buffon"), ("pi", "Pi"), ("gamblers-ruin", "GamblersRuin"),
            ("percolation", "Percolation"), ("coupon-collector", "CouponCollector"),
        ])
    func aTrialIsToldAlikeNativelyAndInAModule(_ name: String, _ type: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().path
        for seed in 1...3 {
            let native = try run("trial \(name) --seed \(seed) --trials 3")
            let module = try run("trial \(root)/Plugins/\(type)/\(type).swift --seed \(seed) --trials 3")
            #expect(native.code == 0 && module.code == 0, "\(native.stderr)\(module.stderr)")
            #expect(native.stdout == module.stdout)
            #expect(native.stdout.unicodeScalars.contains { (0x2801...0x28ff).contains($0.value) })
            #expect(!native.stdout.contains("\u{1b}"))
        }
    }

    @Test func manyTrialsHaveNoPictures() throws {
        let (ten, eleven) = (try run("trial pi --seed 1 --trials 10"), try run("trial pi --seed 1 --trials 11"))
        #expect(ten.stdout.contains("⠉") && !eleven.stdout.contains("⠉"))
        #expect(eleven.stdout.components(separatedBy: "    the point is ").count == 12)
    }
}
